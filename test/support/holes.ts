import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

/** What is wrong with some responses of a service that is otherwise in order. */
export const HOLES = [
  "server error",
  "no JSON",
  "wrong request id",
  "other error body",
  "cut connection",
] as const;

type Hole = (typeof HOLES)[number];

/** A proxy that plants a hole in every tenth response with an error. Without a hole it changes nothing. */
export async function plantHole(
  t: TestContext,
  url: string,
  hole: Hole | undefined,
): Promise<string> {
  let count = 0;
  const server = createServer((incoming, outgoing) => {
    forward(url, incoming, (response, body) => {
      const isBad = (response.statusCode ?? 0) >= 400;
      count += isBad ? 1 : 0;
      if (hole !== undefined && isBad && count % 10 === 0) spoil(hole, response, outgoing);
      else {
        outgoing.writeHead(response.statusCode ?? 0, response.headers);
        outgoing.end(body);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await new Promise((settle) => server.once("listening", settle));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function spoil(hole: Hole, response: IncomingMessage, outgoing: ServerResponse): void {
  const status = response.statusCode ?? 0;
  const requestId = String(response.headers["x-request-id"]);
  const send = (code: number, id: string, body: string) => {
    outgoing.writeHead(code, { "x-request-id": id, "content-type": "application/json" });
    outgoing.end(body);
  };
  const error = (members: object) => JSON.stringify({ error: members });
  const right = { code: "x", message: "x", request_id: requestId };
  if (hole === "server error") send(500, requestId, error(right));
  else if (hole === "no JSON") send(status, requestId, "Bad request");
  else if (hole === "wrong request id") send(status, "another", error(right));
  else if (hole === "other error body") send(status, requestId, JSON.stringify({ message: "bad" }));
  else outgoing.destroy();
}

function forward(
  url: string,
  incoming: IncomingMessage,
  done: (response: IncomingMessage, body: Buffer) => void,
): void {
  const call = request(
    {
      port: new URL(url).port,
      path: incoming.url,
      method: incoming.method,
      headers: incoming.headers,
    },
    (response) => {
      if (String(response.headers["content-type"]).startsWith("text/event-stream")) {
        done(response, Buffer.alloc(0));
        response.destroy();
        return;
      }
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => done(response, Buffer.concat(chunks)));
      response.on("error", () => incoming.socket.destroy());
    },
  );
  call.on("error", () => incoming.socket.destroy());
  // In one piece, as the client sends it: the service refuses a large body before its end.
  const chunks: Buffer[] = [];
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
  incoming.on("end", () => call.end(Buffer.concat(chunks)));
}
