import { recordBatch } from "../alerts/fire-alerts.ts";
import type { Clock } from "../base/clock.ts";
import type { Database, DatabasePool } from "../db/database.ts";
import { shareLock, takeLock } from "../db/locks.ts";
import { beginStep } from "../db/queue.ts";
import { followListings } from "../deals/follow-deals.ts";
import { hasSavedFilters } from "../filters/saved-filter-store.ts";
import { rawEventQueue } from "../intake/raw-event-store.ts";
import { extractListings } from "../listings/extract-listings.ts";
import { matchQueue } from "../listings/match-queue-store.ts";
import { type MatchOptions, matchBatch } from "../matching/match-batch.ts";
import { memberQueue, takeMembers } from "../matching/member-queue-store.ts";
import { rebuildMembers } from "../matching/rebuild-members.ts";
import { queueRefreshes, refreshQueue } from "../matching/refresh-queue-store.ts";
import { notePictures } from "../media/note-pictures.ts";
import { canonicalizeEvents } from "../messages/canonicalize-events.ts";
import { sightingQueue } from "../messages/contacts/contact-store.ts";
import { mergeContacts } from "../messages/contacts/merge-contacts.ts";
import {
  groupQueue,
  hasQueuedGroup,
  saveGroupProgress,
  takeGroup,
} from "../messages/group-store.ts";
import { messageQueue, queueOccurrencesMessages } from "../messages/message-queue-store.ts";
import { searchSecrets } from "../messages/search-secrets.ts";
import type { RefreshReport } from "../pricing/cells/refresh-configurations.ts";
import { isRebuilding } from "../pricing/cells/schedule-store.ts";
import { erasePersons, isErasureDue } from "../privacy/erase-persons.ts";
import { type RefreshOptions, refreshCells } from "./refresh-cells.ts";
import { setsAside } from "./set-aside.ts";
import { eraseSetAsideItems } from "./set-aside-store.ts";
import type { Step, StepContext, StepReport } from "./step.ts";

/** How many occurrences of a group are read at once. */
const GROUP_PAGE_MAX = 2_000;

/** An alert on messages that is saved while a batch runs reads the messages after that batch. */
const areMessagesMatched = (tx: Database) => hasSavedFilters(tx, "message_alert");

/** In the order in which data passes through them. */
export const STEPS: readonly Step[] = [
  {
    name: "canonicalize events",
    track: "messages",
    // Larger batches save little time and hold their locks longer.
    batchMax: 500,
    waiting: rawEventQueue,
    hasLanes: true,
    run: ({ pool, clock, alertWindowMs }, batch) =>
      canonicalizeEvents(pool, { ...batch, clock, alertWindowMs, notePictures }),
  },
  setsAside({
    name: "merge contacts",
    track: "messages",
    batchMax: 500,
    waiting: sightingQueue,
    hasLanes: false,
    run: ({ pool }, { batchMax }) => mergeContacts(pool, { batchMax }),
    queue: {
      ...sightingQueue,
      run: ({ pool }, id) => mergeContacts(pool, { batchMax: 1, id }),
    },
  }),
  {
    name: "erase persons",
    track: "messages",
    batchMax: 1,
    waiting: { last: async () => 0, isUpTo: isErasureDue },
    hasLanes: false,
    run: (context) => erasePersons({ ...context, eraseSetAside: eraseSetAsideItems }),
  },
  {
    name: "search secrets",
    track: "messages",
    batchMax: 500,
    // Nothing is made of what it rewrites, so no one waits for it.
    waiting: { last: async () => 0, isUpTo: async () => false },
    hasLanes: false,
    run: ({ pool, clock, log }, { batchMax }) => searchSecrets(pool, { batchMax, clock, log }),
  },
  setsAside({
    name: "queue group messages",
    track: "messages",
    batchMax: GROUP_PAGE_MAX,
    waiting: { last: async () => 0, isUpTo: hasQueuedGroup },
    hasLanes: false,
    run: ({ pool }, { batchMax }) => queueGroupMessages(pool, { batchMax }),
    queue: {
      ...groupQueue,
      run: ({ pool }, groupId) => queueGroupMessages(pool, { batchMax: GROUP_PAGE_MAX, groupId }),
    },
  }),
  {
    name: "extract listings",
    track: "listings",
    batchMax: 200,
    waiting: messageQueue,
    hasLanes: true,
    run: ({ pool, clock, log, catalogue }, batch) =>
      extractListings(pool, { ...batch, clock, log, catalogue, areMessagesMatched }),
  },
  setsAside({
    name: "match listings",
    track: "matches",
    batchMax: 500,
    waiting: matchQueue,
    hasLanes: true,
    run: ({ pool, clock, index }, batch) => matchListings(pool, { ...batch, clock, index }),
    queue: {
      ...matchQueue,
      // A listing and a message never have the same id.
      run: ({ pool, clock, index }, resourceId) =>
        matchListings(pool, { batchMax: 1, clock, index, resourceId }),
    },
  }),
  setsAside({
    name: "rebuild members",
    track: "matches",
    // Nothing is matched while a batch runs, so batches are small.
    batchMax: 20,
    waiting: memberQueue,
    hasLanes: false,
    run: ({ pool, clock }, { batchMax }) => rebuildQueuedMembers(pool, { batchMax, clock }),
    queue: {
      ...memberQueue,
      run: ({ pool, clock }, configurationId) =>
        rebuildQueuedMembers(pool, { batchMax: 1, clock, configurationId }),
    },
  }),
  {
    name: "refresh cells",
    track: "prices",
    // Each batch is one read and one write. Batches of 500 took two thirds of the time of 100, but hold their locks longer.
    batchMax: 300,
    rests: true,
    waiting: {
      last: refreshQueue.last,
      // While a replay rebuilds the market, no cell is calculated. What is queued waits for the end of the replay.
      isUpTo: async (db, last) => !(await isRebuilding(db)) && refreshQueue.isUpTo(db, last),
    },
    hasLanes: true,
    run: (context, batch) => runRefresh(context, batch),
  },
];

/**
 * Queues the messages of a group whose name or default currency changed, one page of occurrences at a time. It has a
 * transaction of its own: there may be too many messages for the transaction that changed the group, and its locks
 * could cause a deadlock.
 */
export async function queueGroupMessages(
  pool: DatabasePool,
  options: { readonly batchMax: number; readonly groupId?: string },
): Promise<StepReport> {
  // The queue is nearly always empty, and one query costs less than an empty transaction.
  if (!(await hasQueuedGroup(pool))) return { takenCount: 0 };
  return pool.transaction(async (tx) => {
    await beginStep(tx);
    const group = await takeGroup(tx, options.groupId);
    if (group === undefined) return { takenCount: 0 };
    const page = await queueOccurrencesMessages(tx, group, options.batchMax);
    const isDone = page.occurrenceCount < options.batchMax;
    await saveGroupProgress(tx, group.group_id, isDone ? undefined : page.lastRawId);
    return { takenCount: Math.max(page.occurrenceCount, 1) };
  });
}

/** Matches a batch, moves its deals and records its matches, in one transaction: a listing leaves the queue with its matches. */
export function matchListings(pool: DatabasePool, options: MatchOptions): Promise<StepReport> {
  return pool.transaction(async (tx) => {
    await beginStep(tx, options.lane);
    await shareLock(tx, "members");
    const batch = await matchBatch(tx, options);
    if (batch === undefined) return { takenCount: 0 };
    await followListings(tx, batch);
    await recordBatch(tx, batch);
    return { takenCount: batch.takenCount };
  });
}

/**
 * Selects the members of queued configurations again and queues these for calculation. Meanwhile nothing is matched: a
 * batch that began before the filter changed could otherwise save members of the old filter afterwards.
 */
export function rebuildQueuedMembers(
  pool: DatabasePool,
  options: { readonly batchMax: number; readonly clock: Clock; readonly configurationId?: string },
): Promise<StepReport> {
  return pool.transaction(async (tx) => {
    await beginStep(tx);
    const ids = await takeMembers(tx, options);
    if (ids.length === 0) return { takenCount: 0 };
    await takeLock(tx, "members");
    await rebuildMembers(tx, ids);
    await queueRefreshes(tx, ids, options.clock.nowMs());
    return { takenCount: ids.length };
  });
}

/** The last step. `assay refresh` also runs it on its own. */
export function runRefresh(
  { pool, clock, log, index }: StepContext,
  options: Pick<RefreshOptions, "batchMax" | "configurationIds" | "lane">,
): Promise<RefreshReport> {
  return refreshCells(pool, { ...options, clock, log, index });
}
