import assert from "node:assert/strict";
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
  // A client whose connection does not fit into the backlog tries again after a second.
  await app.listen({ port: 0, host: "127.0.0.1", backlog: 4_096 });
  const address = app.server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Connects and sends the bytes. Pass `isReading: false` for a client that never reads. */
export async function openStubborn(
  t: TestContext,
  port: number,
  options: StubbornOptions = {},
): Promise<StubbornClient> {
  const [client] = await openManyStubborn(t, port, { count: 1, ...options });
  assert(client !== undefined);
  return client;
}

export async function openManyStubborn(
  t: TestContext,
  port: number,
  { count, ...options }: StubbornOptions & { readonly count: number },
): Promise<readonly StubbornClient[]> {
  const clients = Array.from({ length: count }, () => connectStubborn(port, options));
  // One step for all of them: a step for each would take longer than the attack.
  t.after(() => {
    for (const { socket } of clients) socket.destroy();
  });
  await Promise.all(clients.map(({ socket }) => once(socket, "connect")));
  return clients;
}

interface StubbornOptions {
  readonly bytes?: string;
  readonly isReading?: boolean;
}

function connectStubborn(
  port: number,
  { bytes = "", isReading = true }: StubbornOptions,
): StubbornClient {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  let text = "";
  socket.on("error", () => undefined);
  if (isReading) socket.on("data", (chunk) => (text += chunk.toString()));
  if (bytes !== "") socket.write(bytes);
  return { socket, received: () => text };
}

/** How many connections the service has open. */
export function countConnections({ server }: FastifyInstance): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}
