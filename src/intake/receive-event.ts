import { SECOND_MS } from "../base/clock.ts";
import { AppError } from "../base/errors.ts";
import type { Database } from "../db/database.ts";
import { isStoreDown } from "../db/store-error.ts";
import { type NewRawEvent, saveRawEvents } from "./raw-event-store.ts";

/** Stores incoming events. */
export interface Intake {
  /** Resolves after the commit. Rejects if it is not certain that the event was stored. */
  receive(event: NewRawEvent): Promise<void>;
  /**
   * False for a while after the store could not take an event, as with a full disk or a commit that waits for a lost
   * standby, until it takes one again.
   */
  isStoring(): boolean;
  /** True while so many events come in that they need most of the machine. */
  isBusy(): boolean;
}

interface Waiting {
  readonly event: NewRawEvent;
  readonly sinceMs: number;
  readonly settle: () => void;
  readonly reject: (error: unknown) => void;
}

const BATCH_EVENTS_MAX = 500;
const BATCH_BYTES_MAX = 16 * 1024 * 1024;
const WAITING_EVENTS_MAX = 20_000;
const WAITING_BYTES_MAX = 256 * 1024 * 1024;
/**
 * After that the sender gets an error and tries again. If the event was stored after all, its repeat changes nothing.
 */
const DEADLINE_MS = 5_000;
/** Checks per deadline. There is one timer for all events, because one for each would cost more than storing it. */
const DEADLINE_CHECKS = 10;
/** After this time without an attempt, the store may work again. */
const REFUSED_MS = 30_000;
/** Hundreds of groups send a few events a second. More come when a gateway catches up after an outage. */
const BUSY_PER_SECOND = 200;
/** While one batch waits for its flush to disk, the next is sent. */
const BATCHES_AT_ONCE_MAX = 2;

interface State {
  /** Not yet in a batch, the oldest first. */
  readonly waiting: Waiting[];
  /** The batches that are being committed. */
  readonly batches: Set<readonly Waiting[]>;
  /** Size of all events that wait or are being committed. */
  bytes: number;
  committerCount: number;
  /** When the store last could not take an event in time; undefined if it took the last batch. */
  refusedAtMs: number | undefined;
  timer: NodeJS.Timeout | undefined;
  /** The events of the current second and of the one before. */
  secondAt: number;
  secondCount: number;
  lastSecondCount: number;
}

interface IntakeOptions {
  readonly deadlineMs?: number;
  /** Told how long each commit took. */
  readonly onCommit?: (tookMs: number) => void;
}

/**
 * Commits events in batches. Events that arrive while a batch is being committed share the next one, so that there is
 * not one flush to disk per event. A single event is committed at once.
 */
export function createIntake(
  db: Database,
  { deadlineMs = DEADLINE_MS, onCommit = () => undefined }: IntakeOptions = {},
): Intake {
  const state: State = {
    waiting: [],
    batches: new Set(),
    bytes: 0,
    committerCount: 0,
    refusedAtMs: undefined,
    timer: undefined,
    secondAt: 0,
    secondCount: 0,
    lastSecondCount: 0,
  };
  return {
    isBusy: () => {
      countEvents(state, 0);
      return Math.max(state.secondCount, state.lastSecondCount) >= BUSY_PER_SECOND;
    },
    isStoring: () =>
      state.refusedAtMs === undefined || performance.now() - state.refusedAtMs > REFUSED_MS,
    receive: (event) => {
      countEvents(state, 1);
      const bytes = state.bytes + event.body.byteLength;
      if (state.waiting.length >= WAITING_EVENTS_MAX || bytes > WAITING_BYTES_MAX) {
        return Promise.reject(new AppError("overloaded", "too many events are waiting; try again"));
      }
      state.bytes = bytes;
      state.timer ??= setInterval(
        () => rejectLate(state, deadlineMs),
        deadlineMs / DEADLINE_CHECKS,
      );
      return new Promise((settle, reject) => {
        state.waiting.push({ event, sinceMs: performance.now(), settle, reject });
        if (state.committerCount < BATCHES_AT_ONCE_MAX) {
          state.committerCount += 1;
          // After this turn of the event loop, so that its other requests are in the same batch.
          setImmediate(() => void commitAll(db, state, onCommit));
        }
      });
    },
  };
}

function countEvents(state: State, count: number): void {
  const second = Math.floor(performance.now() / SECOND_MS);
  if (second !== state.secondAt) {
    state.lastSecondCount = second === state.secondAt + 1 ? state.secondCount : 0;
    state.secondAt = second;
    state.secondCount = 0;
  }
  state.secondCount += count;
}

async function commitAll(
  db: Database,
  state: State,
  onCommit: (tookMs: number) => void,
): Promise<void> {
  for (let batch = takeBatch(state); batch.length > 0; batch = takeBatch(state)) {
    state.batches.add(batch);
    const startedAtMs = performance.now();
    try {
      await saveRawEvents(
        db,
        batch.map(({ event }) => event),
        "window",
      );
      onCommit(performance.now() - startedAtMs);
      state.refusedAtMs = undefined;
      for (const { settle } of batch) settle();
    } catch (error) {
      if (isStoreDown(error)) state.refusedAtMs = performance.now();
      for (const { reject } of batch) reject(error);
    }
    state.batches.delete(batch);
    forget(state, batch);
  }
  state.committerCount -= 1;
  if (state.committerCount > 0) return;
  clearInterval(state.timer);
  state.timer = undefined;
}

function takeBatch({ waiting }: State): readonly Waiting[] {
  let bytes = 0;
  let count = 0;
  for (const { event } of waiting) {
    bytes += event.body.byteLength;
    if (count > 0 && (bytes > BATCH_BYTES_MAX || count === BATCH_EVENTS_MAX)) break;
    count += 1;
  }
  return waiting.splice(0, count);
}

/** Late events of a running batch are rejected but may still be stored. Late events that wait are dropped. */
function rejectLate(state: State, deadlineMs: number): void {
  const limitMs = performance.now() - deadlineMs;
  const isInTime = state.waiting.findIndex(({ sinceMs }) => sinceMs > limitMs);
  const late = state.waiting.splice(0, isInTime < 0 ? state.waiting.length : isInTime);
  forget(state, late);
  const overdue = [...[...state.batches].flat(), ...late].filter(
    ({ sinceMs }) => sinceMs <= limitMs,
  );
  if (overdue.length > 0) state.refusedAtMs = performance.now();
  for (const { reject } of overdue) {
    reject(new AppError("store_unavailable", "the store did not answer in time"));
  }
}

function forget(state: State, events: readonly Waiting[]): void {
  for (const { event } of events) state.bytes -= event.body.byteLength;
}
