// A client with a low cost, because it shares the machine with the service that it measures.
import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** One kept-alive connection; `post` settles once the event is acknowledged. */
export interface WebhookClient {
  post(body: string): Promise<void>;
  close(): void;
}

const HEAD_END = "\r\n\r\n";

export async function openWebhookClient(url: string): Promise<WebhookClient> {
  const { hostname, port, host } = new URL(url);
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, "connect");
  let settle: (answer: string) => void = () => undefined;
  let received = "";
  // A service that stops resets idle connections; a lost answer shows as a request that never settles.
  socket.on("error", () => undefined);
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    received += chunk;
    if (!received.includes(HEAD_END)) return;
    const answer = received;
    received = "";
    settle(answer);
  });
  return {
    post: async (body) => {
      const answered = new Promise<string>((resolve) => {
        settle = resolve;
      });
      socket.write(
        `POST /v2/webhooks/waha HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n` +
          `content-length: ${Buffer.byteLength(body)}${HEAD_END}${body}`,
      );
      const answer = await answered;
      // An acknowledgement has no body, so the end of its head is its end.
      if (!answer.startsWith("HTTP/1.1 202")) throw new Error(answer.slice(0, 200));
    },
    close: () => socket.destroy(),
  };
}
