import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { Lifetime } from "../test-database.ts";

/**
 * Stands in for PgBouncer in transaction mode, which is not installed everywhere: clients get the sessions of one another between
 * two transactions, and a process id that no session has. Authentication passes through it.
 */
export async function openTransactionPooler(t: Lifetime, serverUrl: string): Promise<string> {
  const target = new URL(serverUrl);
  const clients = new Set<Client>();
  const server = createServer((socket) => {
    const client: Client = {
      socket,
      session: { socket: connect(Number(target.port), target.hostname), bytes: Buffer.alloc(0) },
      isIdle: false,
    };
    clients.add(client);
    serve(client, clients);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    for (const client of clients) close(client, clients);
    server.close();
  });
  const through = new URL(serverUrl);
  through.hostname = "127.0.0.1";
  through.port = String((server.address() as AddressInfo).port);
  return through.href;
}

interface Session {
  readonly socket: Socket;
  /** What has come of a message that is not complete. */
  bytes: Buffer;
}

interface Client {
  readonly socket: Socket;
  session: Session;
  /** Between two transactions. */
  isIdle: boolean;
}

function serve(client: Client, clients: Set<Client>): void {
  const { session } = client;
  client.socket.on("data", (chunk: Buffer) => {
    if (client.isIdle) swap(client, clients);
    client.isIdle = false;
    client.session.socket.write(chunk);
  });
  session.socket.on("data", (chunk: Buffer) => {
    const owner = [...clients].find((other) => other.session === session);
    if (owner !== undefined) forward(owner, chunk);
  });
  for (const socket of [client.socket, session.socket]) {
    socket.on("error", () => undefined).on("close", () => close(client, clients));
  }
}

/** Gives the client the session of another one that is idle too. */
function swap(client: Client, clients: ReadonlySet<Client>): void {
  const other = [...clients].find((candidate) => candidate !== client && candidate.isIdle);
  if (other === undefined) return;
  [client.session, other.session] = [other.session, client.session];
}

/** Passes on whole messages of the server: a letter, the length of the rest, the rest. */
function forward(client: Client, chunk: Buffer): void {
  const { session } = client;
  session.bytes = Buffer.concat([session.bytes, chunk]);
  while (session.bytes.length >= 5 && session.bytes.length > session.bytes.readInt32BE(1)) {
    const length = session.bytes.readInt32BE(1) + 1;
    const message = session.bytes.subarray(0, length);
    session.bytes = session.bytes.subarray(length);
    if (message[0] === KEY_DATA) message.writeInt32BE(1, 5);
    if (message[0] === READY) client.isIdle = message[5] === IDLE;
    client.socket.write(message);
  }
}

const [KEY_DATA, READY, IDLE] = Buffer.from("KZI");

function close(client: Client, clients: Set<Client>): void {
  clients.delete(client);
  client.socket.destroy();
  client.session.socket.destroy();
}
