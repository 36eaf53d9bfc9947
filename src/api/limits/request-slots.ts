/**
 * A bounded number of requests in progress, and of the bytes that they hold. Each kind of request has slots of its own, so
 * that one kind cannot take the place of another.
 *
 * Invariant: each slot is left once: when the response is sent, when the connection closes, or when the slot is too old.
 * A client that neither reads nor closes keeps its slot only until then, and loses its connection with it.
 *
 * Example: there are 2 slots. A and B are events whose bodies still arrive. C comes: A gives way and gets 503. B is
 * complete and being stored. D comes: C gives way. Then C's successor is complete too, and E gets 503 itself.
 */
import type { Socket } from "node:net";

export interface Slot {
  readonly socket: Socket;
  readonly enteredAtMs: number;
  byteCount: number;
  /** Present while the request may be refused in favour of a newer one. The slot is free when it is called. */
  giveWay?: (() => void) | undefined;
}

export interface RequestSlots {
  /** Returns what `tryEnter` would return without asking others to give way, and takes nothing. */
  isOpen(): boolean;
  /** Returns undefined if the request must be refused with 503. */
  tryEnter(socket: Socket): Slot | undefined;
  /** Counts bytes of a body. Returns false if there is no room for them. */
  tryHold(slot: Slot, byteCount: number): boolean;
  /** Calling it again has no effect. */
  leave(slot: Slot): void;
  count(): number;
  /** Closes the connections of slots that are too old. */
  closeOverdue(): void;
}

interface SlotLimits {
  readonly countMax: number;
  readonly ageMaxMs: number;
  readonly bytesMax?: number;
}

export function createRequestSlots(limits: SlotLimits): RequestSlots {
  const { countMax, ageMaxMs, bytesMax = Number.POSITIVE_INFINITY } = limits;
  // The oldest first.
  const slots = new Set<Slot>();
  let heldBytes = 0;
  const leave = (slot: Slot): void => {
    if (slots.delete(slot)) heldBytes -= slot.byteCount;
  };
  /** Returns false if no other request gives way. */
  const makeRoom = (asking?: Slot): boolean => {
    for (const slot of slots) {
      if (slot === asking || slot.giveWay === undefined) continue;
      leave(slot);
      slot.giveWay();
      return true;
    }
    return false;
  };
  return {
    isOpen: () => slots.size < countMax,
    tryEnter: (socket) => {
      if (slots.size >= countMax && !makeRoom()) return undefined;
      const slot: Slot = { socket, enteredAtMs: performance.now(), byteCount: 0 };
      slots.add(slot);
      return slot;
    },
    tryHold: (slot, byteCount) => {
      if (!slots.has(slot)) return false;
      while (heldBytes + byteCount > bytesMax) if (!makeRoom(slot)) return false;
      slot.byteCount += byteCount;
      heldBytes += byteCount;
      return true;
    },
    leave,
    count: () => slots.size,
    closeOverdue: () => {
      const limitMs = performance.now() - ageMaxMs;
      for (const slot of slots) {
        if (slot.enteredAtMs > limitMs) return;
        leave(slot);
        slot.socket.destroy();
      }
    },
  };
}
