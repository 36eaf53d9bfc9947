import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { TestContext } from "node:test";
import type { FastifyInstance } from "fastify";

/** A client that never closes its side of the connection, whatever the service does. */
export interface StubbornClient {
  readonly socket: Socket;
  /** What the service has sent so far. */
  received(): string;
}

export async function listenOnLoopback(app: FastifyInstance): Promise<number> {
  await app.listen({ port: 0, host: "127.0.0.1" });
  const address = app.server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Connects and sends the bytes. Pass `isReading: false` for a client that never reads. */
export async function openStubborn(
  t: TestContext,
  port: number,
  { bytes = "", isReading = true }: { readonly bytes?: string; readonly isReading?: boolean } = {},
): Promise<StubbornClient> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  let text = "";
  socket.on("error", () => undefined);
  if (isReading) socket.on("data", (chunk) => (text += chunk.toString()));
  t.after(() => socket.destroy());
  await once(socket, "connect");
  if (bytes !== "") socket.write(bytes);
  return { socket, received: () => text };
}

export async function openManyStubborn(
  t: TestContext,
  port: number,
  { count, ...options }: { readonly count: number; readonly bytes?: string },
): Promise<readonly StubbornClient[]> {
  return Promise.all(Array.from({ length: count }, () => openStubborn(t, port, options)));
}

/** How many connections the service has open. */
export function countConnections({ server }: FastifyInstance): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}
