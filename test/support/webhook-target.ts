import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface WebhookTarget {
  readonly url: string;
  readonly received: Received[];
}

/** A server that receives webhooks. `answer` decides what it does with each one, by its number. */
export async function startWebhookTarget(
  t: TestContext,
  answer: (response: ServerResponse, at: number) => void = (response) => response.end(),
): Promise<WebhookTarget> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { headers, url: path = "" } = request;
    received.push({ path, headers, body: Buffer.concat(chunks).toString() });
    answer(response, received.length);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received };
}
