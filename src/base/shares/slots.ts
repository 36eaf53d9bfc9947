/**
 * Slots bound how much is under way at a time: requests, statements, exports, connections. Each slot is held under a key, such
 * as the id of a token.
 *
 * Invariants: a slot is left once. With `isFair`, a key takes a slot only while more slots are free than it holds, so one key has
 * half of them at most, a second one half of the rest, and whoever comes next finds a slot. Waiting keys have their turns in
 * a round, so a key that waits with a hundred callers delays another one by one turn.
 *
 * Example: there are 6 slots. A wants 10: it gets 3 and waits with 7. B comes and enters at once. A leaves one: it has 2, and 3 are
 * free, so the fourth of A enters. When all are taken, C waits; the next slot is C's, though A has waited longer.
 */
import { AppError } from "../errors.ts";

export interface Slot {
  readonly key: string;
  readonly enteredAtMs: number;
  byteCount: number;
  /** Present while the holder may be sent away in favour of a newer one. The slot is free when it is called. */
  giveWay?: (() => void) | undefined;
  /** Called if the slot is held for too long. The slot is free then. */
  readonly expire?: (() => void) | undefined;
}

interface Entry {
  readonly key?: string;
  readonly expire?: () => void;
}

interface Waiting extends Entry {
  /** When the caller gives up, on the clock of `performance.now()`. */
  readonly untilMs?: number | undefined;
  /** Before the other callers of its key. */
  readonly isUrgent?: boolean;
}

export interface Slots {
  /** Returns undefined if there is no slot now. */
  tryEnter(entry?: Entry): Slot | undefined;
  /** Takes a slot now, or throws `refusalOf` the key. */
  enterNow(entry?: Entry): Slot;
  /** Waits for a slot. Throws `refusalOf` the key if too many wait, or if it takes too long. */
  enter(entry?: Waiting): Promise<Slot>;
  /** Calling it again has no effect. */
  leave(slot: Slot): void;
  /** Counts bytes that the slot holds. Returns false if there is no room for them. */
  tryHold(slot: Slot, byteCount: number): boolean;
  /** Lets the next one that waits under the key of the slot in beside its holder. Returns false if none waits. */
  share(slot: Slot): boolean;
  /** Why there is no slot for the key: `overloaded` if all are taken, `rate_limited` if it holds its share. */
  refusalOf(key?: string): AppError;
  /** Refuses all that wait under the key. */
  refuseWaiting(key: string, error: Error): void;
  /** True if a new key would get a slot without anyone giving way. */
  isOpen(): boolean;
  count(): number;
  waitingCount(): number;
  hasWaiting(key: string): boolean;
  /** True if someone waits under another key. */
  hasOthersWaiting(key: string): boolean;
  /** Takes the slots that are held for too long from their holders. */
  expireOld(): void;
}

interface SlotOptions {
  readonly countMax: number;
  /** What the slots are for, as in "too many exports are in progress". */
  readonly things: string;
  /** Who has no key takes any free slot. */
  readonly isFair?: boolean;
  /** How many slots a key may have at most, however many are free. */
  readonly ofKeyMax?: number;
  readonly bytesMax?: number;
  readonly ageMaxMs?: number;
  /** How many callers of one key may wait. */
  readonly waitingMax?: number;
  /** How long they may wait, unless they say how long. */
  readonly waitMaxMs?: number;
}

interface Waiter {
  readonly entry: Waiting;
  resolve(slot: Slot): void;
  reject(error: Error): void;
  timer?: NodeJS.Timeout;
}

const WAITING_MAX = 100;
/** Of all keys together. */
const WAITING_IN_ALL_MAX = 2_000;
const WAIT_MAX_MS = 5_000;

export function createSlots(options: SlotOptions): Slots {
  const { things, isFair = false, ageMaxMs = Number.POSITIVE_INFINITY } = options;
  const { waitingMax = WAITING_MAX, waitMaxMs = WAIT_MAX_MS } = options;
  const held = createHeld(options);
  const lines = createLines();

  const refusalOf = (key = ""): AppError => {
    if (!isFair || key === "" || held.freeCount() <= 0) {
      return new AppError("overloaded", `too many ${things} are in progress; try again`);
    }
    return new AppError(
      "rate_limited",
      `this token has ${held.countOf(key)} ${things} open here, and the other places are kept for other tokens; wait until one ` +
        "of them ends, or close it",
    );
  };
  return {
    tryEnter: held.tryEnter,
    enterNow: (entry) => {
      const slot = held.tryEnter(entry);
      if (slot === undefined) throw refusalOf(entry?.key);
      return slot;
    },
    enter: async (entry = {}) => {
      const slot = held.tryEnter(entry);
      if (slot !== undefined) return slot;
      const { key = "", untilMs = performance.now() + waitMaxMs } = entry;
      const isTooLong = lines.countOf(key) >= waitingMax || lines.count() >= WAITING_IN_ALL_MAX;
      if (isTooLong) throw refusalOf(key);
      return lines.wait(entry, { untilMs, refusal: () => refusalOf(key) });
    },
    leave: (slot) => {
      if (!held.remove(slot)) return;
      while (lines.count() > 0) {
        const next = lines.takeNext(held.hasRoom);
        if (next === undefined) return;
        next.resolve(held.take(next.entry));
      }
    },
    tryHold: held.tryHold,
    share: (slot) => {
      const next = lines.takeNext((key) => key === slot.key);
      next?.resolve(slot);
      return next !== undefined;
    },
    refusalOf,
    refuseWaiting: lines.refuse,
    isOpen: () => held.freeCount() > 0,
    count: held.count,
    waitingCount: lines.count,
    hasWaiting: (key) => lines.countOf(key) > 0,
    hasOthersWaiting: (key) => lines.count() > lines.countOf(key),
    expireOld: () => {
      for (const slot of held.takeOlderThan(performance.now() - ageMaxMs)) slot.expire?.();
    },
  };
}

/** Those who have a slot. */
function createHeld({
  countMax,
  isFair = false,
  ofKeyMax = Number.POSITIVE_INFINITY,
  bytesMax = Number.POSITIVE_INFINITY,
}: Pick<SlotOptions, "countMax" | "isFair" | "ofKeyMax" | "bytesMax">) {
  // The oldest first.
  const held = new Set<Slot>();
  const counts = new Map<string, number>();
  let heldBytes = 0;

  const countOf = (key: string): number => counts.get(key) ?? 0;
  const freeCount = (): number => countMax - held.size;
  const hasRoom = (key: string): boolean => {
    const ownCount = isFair && key !== "" ? countOf(key) : 0;
    return freeCount() > ownCount && ownCount < ofKeyMax;
  };
  const take = ({ key = "", expire }: Entry): Slot => {
    const slot: Slot = { key, enteredAtMs: performance.now(), byteCount: 0, expire };
    held.add(slot);
    counts.set(key, countOf(key) + 1);
    return slot;
  };
  const remove = (slot: Slot): boolean => {
    if (!held.delete(slot)) return false;
    heldBytes -= slot.byteCount;
    const count = countOf(slot.key) - 1;
    if (count === 0) counts.delete(slot.key);
    else counts.set(slot.key, count);
    return true;
  };
  /** Returns false if nobody gives way. */
  const makeRoom = (asking?: Slot): boolean => {
    for (const slot of held) {
      if (slot === asking || slot.giveWay === undefined) continue;
      remove(slot);
      slot.giveWay();
      return true;
    }
    return false;
  };
  return {
    countOf,
    freeCount,
    hasRoom,
    take,
    remove,
    count: () => held.size,
    tryEnter: (entry: Entry = {}): Slot | undefined =>
      hasRoom(entry.key ?? "") || (freeCount() <= 0 && makeRoom()) ? take(entry) : undefined,
    tryHold: (slot: Slot, byteCount: number): boolean => {
      if (!held.has(slot)) return false;
      while (heldBytes + byteCount > bytesMax) if (!makeRoom(slot)) return false;
      slot.byteCount += byteCount;
      heldBytes += byteCount;
      return true;
    },
    takeOlderThan: (limitMs: number): readonly Slot[] =>
      [...held].filter((slot) => slot.enteredAtMs <= limitMs && remove(slot)),
  };
}

/** Those who wait: a line for each key, and the keys in the order of their next turn. */
function createLines() {
  const lines = new Map<string, Waiter[]>();
  let waitingCount = 0;

  const drop = (waiter: Waiter): void => {
    const key = waiter.entry.key ?? "";
    const line = lines.get(key) ?? [];
    const at = line.indexOf(waiter);
    if (at < 0) return;
    line.splice(at, 1);
    waitingCount -= 1;
    clearTimeout(waiter.timer);
    if (line.length === 0) lines.delete(key);
  };
  return {
    count: () => waitingCount,
    countOf: (key: string) => lines.get(key)?.length ?? 0,
    wait: (
      entry: Waiting,
      bound: { readonly untilMs: number; readonly refusal: () => Error },
    ): Promise<Slot> =>
      new Promise((resolve, reject) => {
        const waiter: Waiter = { entry, resolve, reject };
        waiter.timer = setTimeout(
          () => {
            drop(waiter);
            reject(bound.refusal());
          },
          Math.max(0, bound.untilMs - performance.now()),
        );
        const { key = "", isUrgent = false } = entry;
        const line = lines.get(key) ?? [];
        lines.set(key, line);
        const firstOther = line.findIndex((other) => other.entry.isUrgent !== true);
        line.splice(isUrgent && firstOther >= 0 ? firstOther : line.length, 0, waiter);
        waitingCount += 1;
      }),
    /** Takes the first caller of the first key that may enter. The key goes to the end of the round. */
    takeNext: (mayEnter: (key: string) => boolean): Waiter | undefined => {
      for (const [key, line] of lines) {
        const [waiter] = line;
        if (waiter === undefined || !mayEnter(key)) continue;
        drop(waiter);
        if (line.length > 0) {
          lines.delete(key);
          lines.set(key, line);
        }
        return waiter;
      }
      return undefined;
    },
    refuse: (key: string, error: Error): void => {
      for (const waiter of [...(lines.get(key) ?? [])]) {
        drop(waiter);
        waiter.reject(error);
      }
    },
  };
}
