/**
 * Retention: messages of days before a floor leave, with their raw events. The floor is in the store and only rises, so all
 * processes agree on it, and a crash between raising it and removing what is before it does no harm.
 *
 * Invariant: a batch is one transaction. What it removes can be derived from nothing that is left, and what must survive
 * was kept in the same transaction. So a replay before, after or between two batches ends in the same state.
 *
 * Example: 90 days are kept. On 10 June the floor rises to 12 March. The reports of 11 March are removed in batches, and
 * their occurrences, messages and listings go or are counted again. On 12 June the raw events that were received on
 * 11 March are deleted.
 */
import { type Clock, MINUTE_MS, SECOND_MS, sleep } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { Metrics } from "../base/metrics.ts";
import type { DatabasePool, Transaction } from "../db/database.ts";
import { shareLock, tryLock } from "../db/locks.ts";
import { beginStep } from "../db/queue.ts";
import { findFirstReceipt, removeRawEvents, takeOldEvents } from "../intake/raw-event-store.ts";
import { removeOldMedia } from "../media/media-write-store.ts";
import type { SeenPair } from "../messages/contacts/contact.ts";
import { deriveMessages, lockIdentities } from "../messages/derive-messages.ts";
import { removeAliasesTo } from "../messages/message-write-store.ts";
import { deriveOccurrences, pairsIn } from "../messages/occurrences/derive-occurrences.ts";
import {
  dropOldReports,
  type Report,
  type ReportedMessage,
} from "../messages/occurrences/report.ts";
import {
  hasOldReports,
  listOldReports,
  lockReportedMessages,
  removeReportedMessages,
  updateReports,
} from "../messages/occurrences/reported-message-store.ts";
import { saveDerived } from "../messages/occurrences/save-occurrences.ts";
import { isErasureUnderWay } from "../messages/privacy/erased-store.ts";
import { EVENT_KEPT_MS } from "../messages/privacy/event-age.ts";
import {
  findRetention,
  keepEvidence,
  keepPairs,
  raiseFloor,
} from "../messages/privacy/retention-store.ts";
import { readRawEvent } from "../messages/read-raw-event.ts";
import { listEvidence } from "../messages/save-facts.ts";
import { removeOldActivity } from "../people/activity-store.ts";
import { isRebuilding } from "../pricing/cells/schedule-store.ts";
import {
  describeMinimum,
  findRetentionMinimum,
  findWantedFloor,
  type RetentionMinimum,
} from "./retention-days.ts";

interface RemovalOptions {
  readonly pool: DatabasePool;
  readonly clock: Clock;
  readonly log: Logger;
  /** How many days are kept; undefined if the floor stays where it is. */
  readonly days: number | undefined;
}

interface Remover {
  /** Finishes the batch in progress. */
  stop(): Promise<void>;
}

/** The name under which metrics count it. */
const STEP = "remove old messages";
const LOOK_MS = MINUTE_MS;
/** Small, because a batch locks its messages while new posts of the same texts may arrive. */
const BATCH_MAX = 200;
/** After each batch it rests as long as the batch took, so that new messages come first. */
const REST_MAX_MS = 5 * SECOND_MS;

/** Looks every minute whether the floor must rise, and removes what is before it. */
export function startRemover(options: RemovalOptions & { readonly metrics: Metrics }): Remover {
  const { log, metrics } = options;
  const stop = new AbortController();
  let isPaused = false;
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        const missing = await raiseRetentionFloor(options);
        if (missing !== undefined && !isPaused) {
          log.error(`no more days leave: ${describeMinimum(options.days ?? 0, missing)}`);
        }
        isPaused = missing !== undefined;
        await removeAll(options, metrics, stop.signal);
        await removeOldActivity(options.pool, options.clock.nowMs());
      } catch (error) {
        metrics.stepFailures.inc({ step: STEP });
        log.error({ err: error, step: STEP }, "old messages could not be removed; retrying");
      }
      await sleep(LOOK_MS, stop.signal);
    }
  };
  const running = run();
  return {
    stop: async () => {
      stop.abort();
      await running;
    },
  };
}

async function removeAll(
  options: RemovalOptions,
  metrics: Metrics,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const startedAtMs = performance.now();
    const count = await removeBatch(options.pool);
    if (count === 0) return;
    const tookMs = performance.now() - startedAtMs;
    metrics.stepItems.inc({ step: STEP }, count);
    metrics.stepSeconds.observe({ step: STEP }, tookMs / SECOND_MS);
    await sleep(Math.min(tookMs, REST_MAX_MS), signal);
  }
}

/**
 * Raises the floor to the first day that is kept now. If a profile looks back too far for the setting, the floor stays: what
 * leaves cannot come back, and a price that the dealer asked for counts more than disk space. Returns the minimum then.
 */
export async function raiseRetentionFloor(
  options: RemovalOptions,
): Promise<RetentionMinimum | undefined> {
  const { pool, clock, log, days } = options;
  if (days === undefined) return undefined;
  const minimum = await findRetentionMinimum(pool);
  if (days < minimum.days) return minimum;
  const nowMs = clock.nowMs();
  const floorMs = await findWantedFloor(pool, { days, nowMs });
  const stored = await findRetention(pool);
  if (floorMs === undefined || (stored !== undefined && floorMs <= stored.floor_ms)) {
    return undefined;
  }
  if (await raiseFloor(pool, { floorMs, nowMs })) {
    log.info({ floor: new Date(floorMs).toISOString() }, "messages before this day are removed");
  }
  return undefined;
}

/** Removes one batch of what is before the floor. Returns how many raw ids or events that were: 0 if nothing is left. */
export function removeBatch(pool: DatabasePool, batchMax = BATCH_MAX): Promise<number> {
  return pool.transaction(async (tx) => {
    await beginStep(tx, "backlog");
    if (!(await tryLock(tx, "retention"))) return 0;
    await shareLock(tx, "identities");
    const floorMs = await findSettledFloor(tx);
    if (floorMs === undefined) return 0;
    const work = { floorMs, batchMax };
    return (
      (await removeOldReports(tx, work)) ||
      (await removeOldMedia(tx, work)) ||
      removeOldEvents(tx, work)
    );
  });
}

/**
 * Returns the floor, once all events are read that may be before it: two events may prove together what none of them proves
 * alone. So nothing is removed while a replay is under way, or while an event waits that came before the floor rose.
 */
async function findSettledFloor(tx: Transaction): Promise<number | undefined> {
  const retention = await findRetention(tx);
  if (retention === undefined || (await isRebuilding(tx))) return undefined;
  // What an erased person is named in must be rewritten before it is kept as evidence.
  if (await isErasureUnderWay(tx)) return undefined;
  const firstReceiptMs = await findFirstReceipt(tx);
  const isSettled = firstReceiptMs === undefined || firstReceiptMs > retention.raised_at_ms;
  return isSettled ? retention.floor_ms : undefined;
}

/**
 * Removes the reports that left, of at most `batchMax` raw ids, and derives their occurrences and messages again from what
 * remains. Returns how many raw ids there were. The caller shares the lock of identities.
 *
 * Example: a dealer posts the same text in March and in May. In June the post of March leaves. The message keeps its id and
 * its listing, and counts from May on. Had May not been, message and listing would be deleted.
 */
async function removeOldReports(
  tx: Transaction,
  { floorMs, batchMax }: { readonly floorMs: number; readonly batchMax: number },
): Promise<number> {
  const ids = await listOldReports(tx, floorMs, batchMax);
  if (ids.length === 0) return 0;
  const messages = await lockReportedMessages(tx, ids);
  const kept = new Map(
    messages.flatMap((message) => {
      const rest = dropOldReports(message, floorMs);
      return rest === undefined ? [] : [[message.id, rest] as const];
    }),
  );
  await keepPairs(
    tx,
    messages.flatMap((message) => listProvedPairs(message, kept.get(message.id))),
  );
  const emptyIds = messages.map(({ id }) => id).filter((id) => !kept.has(id));
  if (emptyIds.length > 0) await removeReportedMessages(tx, emptyIds);
  if (kept.size > 0) await updateReports(tx, [...kept.values()]);
  await deriveRest(tx, messages, kept);
  return messages.length;
}

/** The pairs that the reports which leave have proved. Those that only the others prove can still be withdrawn. */
function listProvedPairs(
  before: ReportedMessage,
  after: ReportedMessage | undefined,
): readonly SeenPair[] {
  const names = (reports: readonly Report[]) =>
    new Set(pairsIn({ ...before, reports }).map((pair) => pair.join(" ")));
  const rest = after?.reports ?? [];
  const byRest = names(rest);
  const byLeaving = names(before.reports.filter((report) => !rest.includes(report)));
  return pairsIn(before)
    .filter((pair) => byLeaving.has(pair.join(" ")) || !byRest.has(pair.join(" ")))
    .map((pair) => ({ pair, isListed: false }));
}

async function deriveRest(
  tx: Transaction,
  messages: readonly ReportedMessage[],
  kept: ReadonlyMap<string, ReportedMessage>,
): Promise<void> {
  const rest = [...kept.values()];
  const identities = await lockIdentities(tx, rest);
  const derived = messages.map(({ id, group_id, raw_id }) => {
    const left = kept.get(id);
    const occurrences = left === undefined ? [] : deriveOccurrences(left, identities);
    return { group_id, raw_id, isNew: false, occurrences };
  });
  const changes = await saveDerived(tx, derived);
  await deriveMessages(tx, changes);
  await removeAliasesTo(tx, changes.formerIds);
}

/**
 * Deletes raw events whose messages have left, at most `batchMax`, and keeps what they said about senders. Returns how many
 * it deleted. What they said about groups, admins and sessions stays in the tables of these, which a replay then leaves as
 * they are.
 *
 * Reports leave first: two events may prove a pair only together, and a replay between their deletions would lose it.
 */
async function removeOldEvents(
  tx: Transaction,
  { floorMs, batchMax }: { readonly floorMs: number; readonly batchMax: number },
): Promise<number> {
  if (await hasOldReports(tx, floorMs)) return 0;
  const receivedBeforeMs = floorMs - EVENT_KEPT_MS;
  const events = await takeOldEvents(tx, { floorMs, receivedBeforeMs, batchMax });
  if (events.length === 0) return 0;
  const received = events.map((event) => {
    const reading = readRawEvent(event);
    return {
      facts: reading.kind === "facts" ? reading.facts : [],
      receivedAtMs: event.received_at_ms,
      alertSinceMs: null,
      isHeard: false,
    };
  });
  await keepEvidence(tx, await listEvidence(tx, received));
  return removeRawEvents(
    tx,
    events.map(({ id }) => id),
  );
}
