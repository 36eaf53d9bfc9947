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
import { createSlots, type Slot } from "../../base/shares/slots.ts";

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
  const slots = createSlots({ countMax: connectionsMax, things: "connections" });
  const slotOf = new WeakMap<Socket, Slot>();
  const drop = (socket: Socket): void => {
    metrics.connectionsDropped.inc();
    socket.destroy();
  };
  const accept = (socket: Socket): void => {
    const slot = slots.tryEnter();
    if (slot === undefined) {
      drop(socket);
      return;
    }
    slot.giveWay = () => drop(socket);
    slotOf.set(socket, slot);
    socket.once("close", () => slots.leave(slot));
  };
  return {
    limit: (server) => {
      // Node refuses connections above its limit before anyone sees them. One more lets us make room for a new one.
      server.maxConnections = connectionsMax + 1;
      server.on("connection", accept);
    },
    trust: (socket) => {
      const slot = slotOf.get(socket);
      if (slot !== undefined) slot.giveWay = undefined;
    },
    isTrusted: (socket) => slotOf.get(socket)?.giveWay === undefined,
  };
}
