import type { Clock } from "../base/clock.ts";
import type { Database, DatabasePool, Transaction } from "../db/database.ts";
import { shareLock } from "../db/locks.ts";
import { beginStep, type Lane, runOneByOne } from "../db/queue.ts";
import { isItemFault } from "../db/store-error.ts";
import {
  finishRawEvents,
  type RawEvent,
  rawEventQueue,
  takeRawEvents,
} from "../intake/raw-event-store.ts";
import type { GatewayFact } from "./gateway-event.ts";
import { findErasureKey } from "./privacy/erased-store.ts";
import { noteLateEvents } from "./privacy/event-age.ts";
import { readWithoutErased, saveSifted } from "./privacy/sift-events.ts";
import { readRawEvent } from "./read-raw-event.ts";
import { saveFacts } from "./save-facts.ts";

interface StepReport {
  readonly takenCount: number;
  readonly quarantinedCount: number;
}

/** What an event says, for those who note pictures. */
export interface ReadEvent {
  readonly id: number;
  readonly body: Buffer | null;
  readonly facts: readonly GatewayFact[];
}

interface StepOptions {
  readonly batchMax: number;
  /** Notes the pictures of messages, in the same transaction. Pictures are below this folder, so it is handed in. */
  readonly notePictures?: (
    tx: Database,
    events: readonly ReadEvent[],
    nowMs: number,
  ) => Promise<void>;
  readonly clock: Clock;
  readonly alertWindowMs: number;
  /** Without a lane it takes events of both. */
  readonly lane?: Lane;
}

/**
 * Turns raw events into occurrences, contacts, groups, sessions and canonical messages: one batch in one transaction.
 * If the batch fails, the events are processed one by one, and those that fail are quarantined. A store that is down is not
 * the fault of an event.
 */
export async function canonicalizeEvents(
  pool: DatabasePool,
  options: StepOptions,
): Promise<StepReport> {
  try {
    return await canonicalizeBatch(pool, options);
  } catch (error) {
    if (!isItemFault(error)) throw error;
    return canonicalizeSingly(pool, options);
  }
}

function canonicalizeBatch(
  pool: DatabasePool,
  options: StepOptions,
  id?: number,
): Promise<StepReport> {
  return pool.transaction(async (tx) => {
    const [, , key, events] = await Promise.all([
      beginStep(tx, options.lane, "kept"),
      shareLock(tx, "identities"),
      findErasureKey(tx),
      takeRawEvents(tx, id === undefined ? options : { ...options, id }),
    ]);
    if (events.length === 0) return { takenCount: 0, quarantinedCount: 0 };
    const { read, sifted } = await readWithoutErased(tx, key, events);
    const eventFacts = read.map(({ event, reading }) => ({
      id: event.id,
      facts: reading.kind === "facts" ? reading.facts : [],
      receivedAtMs: event.received_at_ms,
      alertSinceMs: alertLimitOf(event, options.alertWindowMs),
      isHeard: event.alerting !== "never",
    }));
    const quarantined = read.flatMap(({ event, reading }) =>
      reading.kind === "quarantined" ? [{ id: event.id, reason: reading.reason }] : [],
    );
    const ignored = eventFacts.flatMap(({ id, facts }) =>
      facts.flatMap((fact) =>
        fact.kind === "heard" && fact.ignoredAs !== undefined ? [{ id, kind: fact.ignoredAs }] : [],
      ),
    );
    const privateIds = read.flatMap(({ event, reading }) => (reading.isPrivate ? [event.id] : []));
    const ids = events.map((event) => event.id);
    const nowMs = options.clock.nowMs();
    await Promise.all([
      saveFacts(tx, eventFacts),
      finishRawEvents(tx, { ids, privateIds, quarantined, ignored, nowMs }),
      noteLateEvents(tx, eventFacts),
    ]);
    await saveSifted(tx, key, { sifted, nowMs });
    await options.notePictures?.(
      tx,
      read.map(({ event, reading }) => ({
        id: event.id,
        body: event.body,
        facts: reading.kind === "facts" ? reading.facts : [],
      })),
      nowMs,
    );
    return { takenCount: events.length, quarantinedCount: quarantined.length };
  });
}

/** Returns the earliest time at which a message must have been sent to fire alerts; null if the event fires none. */
function alertLimitOf(event: RawEvent, alertWindowMs: number): number | null {
  if (event.alerting === "never" || event.alerting === "replayed") return null;
  return event.alerting === "always"
    ? Number.NEGATIVE_INFINITY
    : event.received_at_ms - alertWindowMs;
}

async function canonicalizeSingly(pool: DatabasePool, options: StepOptions): Promise<StepReport> {
  let quarantinedCount = 0;
  const count = (report: StepReport): StepReport => {
    quarantinedCount += report.quarantinedCount;
    return report;
  };
  // By id: the first event of the queue may be another one than before, because other workers take events too.
  const ids = (await rawEventQueue.list(pool, options)).map(Number);
  const { takenCount } = await runOneByOne(ids, {
    run: async (id) => count(await canonicalizeBatch(pool, { ...options, batchMax: 1 }, id)),
    setAside: async (id, error) => count(await quarantine(pool, { ...options, id }, error)),
  });
  return { takenCount, quarantinedCount };
}

/** Does nothing if another worker has locked the event. What it has of erased persons leaves its body, as of any other event. */
function quarantine(
  pool: DatabasePool,
  options: StepOptions & { readonly id: number },
  cause: unknown,
): Promise<StepReport> {
  const code = (cause as { code?: unknown } | undefined)?.code;
  const reason = `failed${typeof code === "string" ? `: ${code}` : ""}`;
  return pool.transaction(async (tx) => {
    await beginStep(tx);
    await shareLock(tx, "identities");
    const key = await findErasureKey(tx);
    const events = await takeRawEvents(tx, { batchMax: 1, id: options.id });
    const ids = events.map(({ id }) => id);
    const quarantined = ids.map((id) => ({ id, reason }));
    const privateIds = events.filter((event) => readRawEvent(event).isPrivate).map(({ id }) => id);
    const nowMs = options.clock.nowMs();
    await finishRawEvents(tx, { ids, privateIds, quarantined, ignored: [], nowMs });
    await siftQuarantined(tx, key, { events, nowMs });
    return { takenCount: ids.length, quarantinedCount: ids.length };
  });
}

/** An event that fails here too keeps its body: it must not keep the others of its queue from being read. */
async function siftQuarantined(
  tx: Transaction,
  key: Buffer | undefined,
  { events, nowMs }: { readonly events: readonly RawEvent[]; readonly nowMs: number },
): Promise<void> {
  try {
    await tx.savepoint(async (inner) => {
      const { sifted } = await readWithoutErased(inner, key, events);
      await saveSifted(inner, key, { sifted, nowMs });
    });
  } catch (error) {
    if (!isItemFault(error)) throw error;
  }
}
