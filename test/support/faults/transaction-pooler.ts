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
      lastSession: undefined,
      bytes: Buffer.alloc(0),
      // The one after the sign-in.
      pendingCount: 1,
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
  /** Of its last transaction. */
  lastSession: Session | undefined;
  /** What has come of a message that is not complete. */
  bytes: Buffer;
  /** How often the server will still say that it is ready. */
  pendingCount: number;
  /** Between two transactions. */
  isIdle: boolean;
}

function serve(client: Client, clients: Set<Client>): void {
  const { session } = client;
  let isStarted = false;
  client.socket.on("data", (chunk: Buffer) => {
    if (client.isIdle) swap(client, clients);
    client.lastSession = client.session;
    client.isIdle = false;
    client.session.socket.write(chunk);
    client.bytes = Buffer.concat([client.bytes, chunk]);
    // The first message has no letter.
    if (!isStarted) client.bytes = client.bytes.subarray(client.bytes.readInt32BE(0));
    isStarted = true;
    for (const message of takeMessages(client)) {
      if (message[0] === QUERY || message[0] === SYNC) client.pendingCount += 1;
      // It takes its session with it, before another client is given that.
      if (message[0] === TERMINATE) close(client, clients);
    }
  });
  client.socket.on("error", () => undefined).on("close", () => close(client, clients));
  const ownerOf = () => [...clients].find((other) => other.session === session);
  session.socket.on("data", (chunk: Buffer) => {
    session.bytes = Buffer.concat([session.bytes, chunk]);
    const owner = ownerOf();
    if (owner !== undefined) forward(owner);
  });
  session.socket
    .on("error", () => undefined)
    .on("close", () => {
      const owner = ownerOf();
      if (owner !== undefined) close(owner, clients);
    });
}

/** Gives the client another session than it had last, if another client is idle too. */
function swap(client: Client, clients: ReadonlySet<Client>): void {
  if (client.session !== client.lastSession) return;
  const other = [...clients].find((candidate) => candidate !== client && candidate.isIdle);
  if (other === undefined) return;
  [client.session, other.session] = [other.session, client.session];
}

/** Passes on whole messages of the server. */
function forward(client: Client): void {
  for (const message of takeMessages(client.session)) {
    if (message[0] === KEY_DATA) message.writeInt32BE(1, 5);
    if (message[0] === READY) {
      client.pendingCount -= 1;
      client.isIdle = client.pendingCount === 0 && message[5] === IDLE;
    }
    client.socket.write(message);
  }
}

/** The messages that are complete: a letter, the length of the rest, the rest. */
function takeMessages(from: { bytes: Buffer }): readonly Buffer[] {
  const messages: Buffer[] = [];
  while (from.bytes.length >= 5 && from.bytes.length > from.bytes.readInt32BE(1)) {
    const length = from.bytes.readInt32BE(1) + 1;
    messages.push(from.bytes.subarray(0, length));
    from.bytes = from.bytes.subarray(length);
  }
  return messages;
}

const [KEY_DATA, READY, IDLE] = Buffer.from("KZI");
const [QUERY, SYNC, TERMINATE] = Buffer.from("QSX");

function close(client: Client, clients: Set<Client>): void {
  clients.delete(client);
  client.socket.destroy();
  client.session.socket.destroy();
}
