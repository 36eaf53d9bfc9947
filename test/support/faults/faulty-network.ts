import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { Lifetime } from "../test-database.ts";

/** A relay in front of the server that can fail as a network does. */
export interface FaultyNetwork {
  /** The given URL, through the relay. */
  readonly url: string;
  /** Cuts each connection for which `isChosen` is true, in the middle of its traffic. */
  cut(isChosen?: () => boolean): number;
  /** Drops all data from now on, in both directions. Connections stay open and new ones are accepted. */
  fallSilent(): void;
  speak(): void;
  /** Refuses connections until `open` is called. */
  close(): Promise<void>;
  open(): Promise<void>;
}

interface NetworkOptions {
  /** Forwards the server's data in pieces that end at any byte. */
  readonly isSplit?: boolean;
}

export async function openFaultyNetwork(
  t: Lifetime,
  serverUrl: string,
  { isSplit = false }: NetworkOptions = {},
): Promise<FaultyNetwork> {
  const target = new URL(serverUrl);
  const pairs = new Set<readonly [Socket, Socket]>();
  const state = { isSilent: false };
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    client.setNoDelay(true);
    relay(client, upstream, (chunk) => [chunk]);
    relay(upstream, client, isSplit ? split : (chunk) => [chunk]);
    for (const socket of pair) socket.on("close", () => pairs.delete(pair));
  });
  const relay = (
    from: Socket,
    to: Socket,
    toPieces: (chunk: Buffer) => readonly Buffer[],
  ): void => {
    from.on("data", (chunk: Buffer) => {
      if (state.isSilent) return;
      for (const piece of toPieces(chunk)) to.write(piece);
    });
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroy());
  };
  const cut = (isChosen: () => boolean = () => true): number => {
    const chosen = [...pairs].filter(isChosen);
    for (const pair of chosen) for (const socket of pair) socket.destroy();
    return chosen.length;
  };
  const listenOn = async (port: number): Promise<void> => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await listenOn(0);
  const { port } = server.address() as AddressInfo;
  t.after(() => {
    cut();
    server.close();
  });
  const through = new URL(serverUrl);
  through.hostname = "127.0.0.1";
  through.port = String(port);
  return {
    url: through.href,
    cut,
    fallSilent: () => {
      state.isSilent = true;
    },
    speak: () => {
      state.isSilent = false;
    },
    close: async () => {
      cut();
      server.close();
      if (server.listening) await once(server, "close");
    },
    open: () => listenOn(port),
  };
}

const SMALL_BYTES_MAX = 7;
const LARGE_BYTES_MAX = 400;

/**
 * Random lengths, so that a message of the protocol is cut at any byte. A write for every few bytes of a large result would
 * take most of the test's time, so every second piece is larger.
 */
function split(chunk: Buffer): readonly Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < chunk.length; ) {
    const bytesMax = Math.random() < 0.5 ? SMALL_BYTES_MAX : LARGE_BYTES_MAX;
    const length = 1 + Math.floor(Math.random() * bytesMax);
    pieces.push(chunk.subarray(at, at + length));
    at += length;
  }
  return pieces;
}
