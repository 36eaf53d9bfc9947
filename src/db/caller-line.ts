/**
 * The waiting line before the connections that requests share. A connection works for one caller at a time, so a quick statement is
 * never behind a slow one of another caller. Callers have their turns in a round (see `src/base/shares/slots.ts`), what they
 * wait for counts for their budget of work, and who has used it up leaves the line.
 *
 * While no other caller waits, one whose statements are quick and have short answers sends several on a connection without waiting for
 * the answers in between, which takes half the time. It begins with one; each such answer lets it send one more, and any other
 * takes it back to one.
 *
 * Example: there are 6 connections and 2 cores. A token sends 200 searches of a second each: 2 run, a hundred wait, the others are refused at
 * once. Another token's read is sent at once. After ten seconds of work the first token's budget is used up, and its searches that still
 * wait are refused.
 */
import { availableParallelism } from "node:os";
import { budgetUsedUp, type Caller } from "../base/shares/caller.ts";
import { createSlots, type Slot } from "../base/shares/slots.ts";
import type { TransactionOptions } from "./database.ts";

export interface CallerLine {
  /**
   * Runs the work in its turn. `untilMs` is when its caller gives up; undefined without a caller. `lane` is the number of the connection
   * that is the caller's.
   */
  run<Result>(
    caller: Caller | undefined,
    work: (untilMs: number | undefined, lane?: number) => Promise<Result>,
    /** Whether the answer is short. Without it, only one piece of work at a time has the connection. */
    isShort?: (result: Result) => boolean,
  ): Promise<Result>;
}

/** For work outside of requests, such as the pipeline's. */
export const NO_LINE: CallerLine = { run: (_caller, work) => work(undefined) };

/** What is read once for all callers, such as a list that is kept, has its turns like a token. */
const FOR_ALL = "for all";

/** A connection that works for a caller. */
interface Ride {
  readonly slot: Slot;
  readonly lane: number;
  /** Statements without an answer. */
  sentCount: number;
  /** How many may be. */
  depth: number;
  /** Since when the server works on the first of them. */
  headSinceMs: number;
}

/** A statement takes a core of the server, and one caller must not have all of a small machine. Two, so that a quick one passes a slow one. */
const OF_CALLER_MAX = Math.max(2, Math.floor(availableParallelism() / 2));
const DEPTH_MAX = 8;
const QUICK_MS = 4;

export function createCallerLine(countMax: number, things: string): CallerLine {
  const slots = createSlots({ countMax, things, isFair: true, ofKeyMax: OF_CALLER_MAX });
  const freeLanes = Array.from({ length: countMax }, (_, lane) => lane);
  const rides = new Map<Slot, Ride>();

  const board = (slot: Slot): Ride => {
    const shared = rides.get(slot);
    // Counted when it was let in.
    if (shared !== undefined) return shared;
    const lane = freeLanes.pop() ?? 0;
    const ride = { slot, lane, sentCount: 1, depth: 1, headSinceMs: performance.now() };
    rides.set(slot, ride);
    return ride;
  };
  const hasRoom = (ride: Ride): boolean =>
    ride.sentCount < ride.depth &&
    performance.now() - ride.headSinceMs < QUICK_MS &&
    !slots.hasOthersWaiting(ride.slot.key);
  /** A ride of the caller with room, the emptiest. */
  const findRide = (key: string): Ride | undefined => {
    let best: Ride | undefined;
    for (const ride of rides.values()) {
      if (ride.slot.key !== key || !hasRoom(ride)) continue;
      if (best === undefined || ride.sentCount < best.sentCount) best = ride;
    }
    if (best !== undefined) best.sentCount += 1;
    return best;
  };
  const enter = async (key: string, caller: Caller | undefined): Promise<Ride> => {
    if (caller !== undefined) caller.waitingCount += 1;
    try {
      return board(await slots.enter({ key, untilMs: caller?.untilMs }));
    } finally {
      if (caller !== undefined) caller.waitingCount -= 1;
    }
  };
  const leave = (ride: Ride, isShort: boolean): void => {
    const nowMs = performance.now();
    const isQuick = isShort && nowMs - ride.headSinceMs < QUICK_MS;
    ride.depth = isQuick ? Math.min(ride.depth + 1, DEPTH_MAX) : 1;
    ride.headSinceMs = nowMs;
    ride.sentCount -= 1;
    while (slots.hasWaiting(ride.slot.key) && hasRoom(ride) && slots.share(ride.slot)) {
      ride.sentCount += 1;
    }
    if (ride.sentCount > 0) return;
    rides.delete(ride.slot);
    freeLanes.push(ride.lane);
    slots.leave(ride.slot);
  };
  return {
    run: async (caller, work, isShort = () => false) => {
      const key = caller?.key ?? FOR_ALL;
      const slot = slots.tryEnter({ key });
      const ride = slot === undefined ? (findRide(key) ?? (await enter(key, caller))) : board(slot);
      const startedAtMs = Math.max(performance.now(), ride.headSinceMs);
      const besideCount = slots.count();
      let wasShort = false;
      try {
        const result = await work(caller?.untilMs, ride.lane);
        wasShort = isShort(result);
        return result;
      } finally {
        caller?.spend(performance.now() - Math.max(startedAtMs, ride.headSinceMs), besideCount);
        const waitSeconds = slots.hasWaiting(key) ? caller?.findWait() : undefined;
        if (waitSeconds !== undefined) slots.refuseWaiting(key, budgetUsedUp(waitSeconds));
        leave(ride, wasShort);
      }
    },
  };
}

/** Shortens the time-out of a transaction's statements to what is left of the caller's time. */
export function boundBy(
  untilMs: number | undefined,
  options: TransactionOptions = {},
  defaultTimeoutMs: number,
): TransactionOptions {
  if (untilMs === undefined) return options;
  const { statementTimeoutMs = defaultTimeoutMs } = options;
  const leftMs = Math.max(1, Math.ceil(untilMs - performance.now()));
  return { ...options, statementTimeoutMs: Math.min(statementTimeoutMs, leftMs) };
}
