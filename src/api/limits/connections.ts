/**
 * Limits how many connections are open. Anyone can open one, so a limit alone would let silent clients lock all others
 * out. When all connections are taken, the oldest one that has not yet sent a valid token or event is closed.
 *
 * Invariant: a connection that has sent a valid token or event is never closed to make room.
 *
 * Example: the limit is 3. A sent a valid token, B and C are silent. D connects: B is closed. D sends a valid token, E
 * connects: C is closed. E sends a valid token too, F connects: F is refused, because all others are trusted.
 */
import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Metrics } from "../../base/metrics.ts";

export interface Connections {
  /** Applies the limit to the connections of this server. */
  limit(server: Server): void;
  /** Call this when a request on the connection had a valid token or signature. */
  trust(socket: Socket): void;
  isTrusted(socket: Socket): boolean;
}

export function createConnections(options: {
  readonly connectionsMax: number;
  readonly metrics: Pick<Metrics, "connectionsDropped">;
}): Connections {
  const { connectionsMax, metrics } = options;
  const open = new Set<Socket>();
  // In the order in which they were opened, as a Set always is.
  const untrusted = new Set<Socket>();
  const forget = (socket: Socket): void => {
    open.delete(socket);
    untrusted.delete(socket);
  };
  const accept = (socket: Socket): void => {
    open.add(socket);
    untrusted.add(socket);
    socket.once("close", () => forget(socket));
    if (open.size <= connectionsMax) return;
    // The new connection is the last of the untrusted ones, so there is always one.
    const [oldest = socket] = untrusted;
    metrics.connectionsDropped.inc();
    forget(oldest);
    oldest.destroy();
  };
  return {
    limit: (server) => {
      // Node refuses connections above its limit before anyone sees them. One more lets us make room for a new one.
      server.maxConnections = connectionsMax + 1;
      server.on("connection", accept);
    },
    trust: (socket) => {
      untrusted.delete(socket);
    },
    isTrusted: (socket) => !untrusted.has(socket),
  };
}
