// An HTTP client with a low cost, because it shares the machine with the service that it measures.

import { once } from "node:events";
import { connect } from "node:net";

/** One connection that stays open, with one request in progress at a time. */
export interface Connection {
  /** Sends a complete request, and resolves to the status when the whole response is there. */
  exchange(request: string): Promise<number>;
  close(): void;
}

const HEAD_END = "\r\n\r\n";

export async function openConnection(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, "connect");
  let waiting: { settle(status: number): void; reject(error: Error): void } | undefined;
  let status = 0;
  let bytesLeft = 0;
  let head: Buffer = Buffer.alloc(0);
  const fail = (error: Error): void => waiting?.reject(error);
  socket.on("error", fail);
  socket.on("close", () => fail(new Error("the server closed a connection")));
  socket.on("data", (chunk: Buffer) => {
    let body = chunk;
    if (status === 0) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const end = head.indexOf(HEAD_END);
      if (end < 0) return;
      const text = head.toString("latin1", 0, end).toLowerCase();
      status = Number(text.slice(9, 12));
      // A response has a Content-Length or no body.
      bytesLeft = Number(/content-length: (\d+)/.exec(text)?.[1] ?? 0);
      body = head.subarray(end + HEAD_END.length);
      head = Buffer.alloc(0);
    }
    bytesLeft -= body.length;
    if (bytesLeft > 0) return;
    const answered = status;
    status = 0;
    waiting?.settle(answered);
  });
  return {
    exchange: (request) =>
      new Promise((settle, reject) => {
        waiting = { settle, reject };
        socket.write(request);
      }),
    close: () => {
      waiting = undefined;
      socket.destroy();
    },
  };
}

export interface WebhookClient {
  /** Resolves to the status of the response. */
  send(body: string): Promise<number>;
  /** Resolves when the event is acknowledged, and throws if it is refused. */
  post(body: string): Promise<void>;
  close(): void;
}

export async function openWebhookClient(url: string): Promise<WebhookClient> {
  const { exchange, close } = await openConnection(url);
  const start = `POST /v2/webhooks/waha HTTP/1.1\r\nhost: ${new URL(url).host}\r\ncontent-type: application/json`;
  const send = (body: string) =>
    exchange(`${start}\r\ncontent-length: ${Buffer.byteLength(body)}${HEAD_END}${body}`);
  const post = async (body: string): Promise<void> => {
    const status = await send(body);
    if (status !== 202) throw new Error(`an event was answered with ${status}`);
  };
  return { send, post, close };
}
