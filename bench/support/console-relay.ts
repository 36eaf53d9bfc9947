import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/** The service at another address, with an event stream that the benchmark fills. */
export interface Relay {
  readonly url: string;
  /** Sends copies of a real match, each of another watch, and returns when the connection has taken them. */
  send(count: number): Promise<void>;
  /** Resolves when a browser follows the stream. */
  followed(): Promise<void>;
  close(): void;
}

/** Everything but `GET /v2/events` comes from the service. */
export async function startRelay(serviceUrl: string, token: string): Promise<Relay> {
  const match = await findMatch(serviceUrl, token);
  const followers = new Set<ServerResponse>();
  let sentCount = 0;
  let onFollowed = (): void => undefined;
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/v2/events") !== true) return pass(serviceUrl, request, response);
    response.writeHead(200, { "content-type": "text/event-stream" }).write(": open\n\n");
    followers.add(response);
    response.on("close", () => followers.delete(response));
    onFollowed();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    send: async (count) => {
      const from = sentCount;
      sentCount += count;
      const lines = Array.from({ length: count }, (_, at) => toEvent(match, from + at));
      for (const response of followers) {
        if (!response.write(lines.join(""))) await once(response, "drain");
      }
    },
    followed: async () => {
      if (followers.size > 0) return;
      await new Promise<void>((settle) => {
        onFollowed = settle;
      });
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function pass(serviceUrl: string, request: IncomingMessage, response: ServerResponse): void {
  const { method = "GET", headers, url = "/" } = request;
  const asked = requestHttp(`${serviceUrl}${url}`, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  asked.on("error", () => response.destroy());
  request.pipe(asked);
}

/** The data of the first match that the service still has, as its stream replays it. */
async function findMatch(serviceUrl: string, token: string): Promise<string> {
  const { body } = await fetch(`${serviceUrl}/v2/events`, {
    headers: { authorization: `Bearer ${token}`, "last-event-id": "0" },
  });
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const data = /^event: alert\.match\ndata: (.*)\n\n/m.exec(text)?.[1];
    // To leave the loop closes the connection.
    if (data !== undefined) return data;
  }
  throw new Error("the demo has no match");
}

function toEvent(match: string, at: number): string {
  const id = `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`;
  const data = match.replace(/"(resource_id|listing_id)":"[^"]+"/g, `"$1":"${id}"`);
  return `id: ${1_000_000_000 + at}\nevent: alert.match\ndata: ${data}\n\n`;
}
