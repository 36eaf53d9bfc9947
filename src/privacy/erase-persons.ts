/**
 * Erases queued persons: first all that was made of what they sent, then who they are, then what raw events have of them.
 *
 * Invariant: every transaction leaves a store in which readers drop the person, and the queue says what is left to do. So it can be
 * cut off anywhere, and any worker goes on. Nothing else runs while a batch of derived rows is erased, because a step that has read a
 * listing could still fire an alert for it.
 *
 * Example: phone:447700900120 is queued. Its contact has 1,200 messages. Three batches of 500 raw ids delete these with their listings,
 * matches and deliveries; the last one deletes the contact too. Then the raw events are searched, page by page.
 */
import { randomUUID } from "node:crypto";
import { eraseMatches, eraseMatchesAt, eraseMatchesOf } from "../alerts/erase-matches.ts";
import { type Clock, DAY_MS, sleep } from "../base/clock.ts";
import { OperatorError } from "../base/errors.ts";
import { type Database, type DatabasePool, LONG_WORK, type Transaction } from "../db/database.ts";
import { takeLock, tryLock, whileLocked } from "../db/locks.ts";
import { beginDeals, eraseDeals } from "../deals/deal-write-store.ts";
import type { Catalogue } from "../extraction/catalogue/catalogue.ts";
import { findLastRawEvent, findRawEventBefore, rawEventQueue } from "../intake/raw-event-store.ts";
import {
  eraseCorrections,
  findErasedTexts,
} from "../listings/corrections/correction-write-store.ts";
import { eraseListings } from "../listings/extract-listings.ts";
import { listFormerListings } from "../listings/listing-write-store.ts";
import { eraseAnchors } from "../matching/anchor-store.ts";
import { eraseMedia } from "../media/media-write-store.ts";
import { contactIdOf, phoneOf } from "../messages/contacts/contact.ts";
import { listFormerIds } from "../messages/message-store.ts";
import { removeAliasesTo } from "../messages/message-write-store.ts";
import { reportedMessageIdOf } from "../messages/occurrences/report.ts";
import { listReportedIds } from "../messages/occurrences/reported-message-store.ts";
import {
  findErased,
  findQueuedErasure,
  finishErasure,
  isErasureUnderWay,
  makeErasureKey,
  parseMessageSubject,
  parseNameSubject,
  queueErasures,
  rememberErased,
  requestScan,
} from "../messages/privacy/erased-store.ts";
import {
  findAdminSubjects,
  findOwnNames,
  findPerson,
  listNames,
  type Person,
  removePerson,
} from "../messages/privacy/person-store.ts";
import type { Author } from "../people/activity.ts";
import { eraseActivity, recordActivity } from "../people/activity-store.ts";
import { type ErasedReports, eraseReports } from "./erase-reports.ts";
import { scanBodies } from "./scan-bodies.ts";

interface ErasureContext {
  readonly pool: DatabasePool;
  readonly clock: Clock;
  readonly catalogue: Catalogue;
  /** Erases the items of these persons that the pipeline has set aside. The pipeline is below this folder, so it is handed in. */
  readonly eraseSetAside: (tx: Database, identifiers: readonly string[]) => Promise<unknown>;
}

interface ErasureReport {
  /** How many subjects or raw events were processed. */
  readonly takenCount: number;
  /** How many raw events were searched. */
  readonly searchedCount: number;
  /** Of these, those that were rewritten. */
  readonly rewrittenCount: number;
}

/** How many raw ids a batch erases. Nothing else runs meanwhile. */
const BATCH_MAX = 500;

const NOTHING: ErasureReport = { takenCount: 0, searchedCount: 0, rewrittenCount: 0 };

/** One batch. `isOurs` if the caller has the lock of erasures already. */
export async function erasePersons(
  context: ErasureContext,
  { isOurs = false }: { readonly isOurs?: boolean } = {},
): Promise<ErasureReport> {
  // Most of the time there is nothing to erase, and one query costs less than a transaction.
  if (!(await isErasureDue(context.pool))) return NOTHING;
  return context.pool.transaction(async (tx) => {
    if (!isOurs && !(await tryLock(tx, "erasure"))) return NOTHING;
    const subject = await findQueuedErasure(tx);
    if (subject === undefined) {
      const scanned = await scanBodies(tx);
      if (scanned.searchedCount > 0 || !(await areTextsDue(tx))) {
        return { ...scanned, takenCount: scanned.searchedCount };
      }
      await takeLock(tx, "listings");
      await eraseCorrections(tx);
      return { ...NOTHING, takenCount: 1 };
    }
    await takeLock(tx, "pipeline");
    await eraseSubject(tx, subject, context);
    return { ...NOTHING, takenCount: 1 };
  }, LONG_WORK);
}

/** Returns true if there is something to do now. What waits for events that are not read yet is not due. */
export async function isErasureDue(db: Database): Promise<boolean> {
  return (await isErasureUnderWay(db)) || (await areTextsDue(db));
}

async function areTextsDue(db: Database): Promise<boolean> {
  const lastId = await findErasedTexts(db);
  return lastId !== undefined && !(await rawEventQueue.isUpTo(db, lastId));
}

async function eraseSubject(
  tx: Transaction,
  subject: string,
  context: ErasureContext,
): Promise<void> {
  const key = await makeErasureKey(tx);
  const message = parseMessageSubject(subject);
  if (message === undefined) return erasePerson(tx, { key, subject }, context);
  const id = reportedMessageIdOf(message.groupId, message.rawId);
  const erased = await eraseReports(tx, key, [id]);
  await eraseMade(tx, erased, context);
  const anchoredIds = await eraseAnchors(tx, message);
  await eraseDeals(tx, { listingIds: anchoredIds });
  await eraseMatchesAt(tx, anchoredIds);
  await queueOthers(tx, key, erased.identifiers);
  if (erased.changedCount > 0) await scanMessage(tx, erased);
  await finishErasure(tx, subject);
}

/** An edit may be received before its message, but hardly by as much. */
const RECEIPTS_DIFFER_MS = 7 * DAY_MS;

/** Bodies have his words only since the message was received. */
async function scanMessage(tx: Database, { receivedSinceMs }: ErasedReports): Promise<void> {
  const afterId = await findRawEventBefore(tx, receivedSinceMs - RECEIPTS_DIFFER_MS);
  await requestScan(tx, { scope: "all", afterId, lastId: await findLastRawEvent(tx) });
}

async function erasePerson(
  tx: Transaction,
  { key, subject }: { readonly key: Buffer; readonly subject: string },
  context: ErasureContext,
): Promise<void> {
  const person = await findPerson(tx, subject);
  const isKnown = (await findErased(tx, key, [subject])).size > 0;
  // An account of ours is never erased, whatever it is linked to.
  if (person.isOwn || (isKnown && person.contactIds.length === 0))
    return finishErasure(tx, subject);
  const isName = person.identifiers.every(
    (identifier) => parseNameSubject(identifier) !== undefined,
  );
  const lastId = await findLastRawEvent(tx);
  await requestScan(tx, { scope: isName ? "chat" : "all", afterId: 0, lastId });
  await rememberPerson(tx, key, person);
  const { contactIds, identifiers } = person;
  const ids = await listReportedIds(tx, { contactIds, authorIds: identifiers });
  const erased = await eraseReports(tx, key, ids.slice(0, BATCH_MAX));
  await eraseMade(tx, erased, context);
  await queueOthers(tx, key, erased.identifiers);
  if (ids.length > BATCH_MAX && erased.changedCount > 0) return;
  const anchoredIds = await eraseAnchors(tx, { identifiers });
  // In the middle of a replay, and before contacts merged, the contact may have the key of another of its identifiers.
  const everyId = [...new Set([...contactIds, ...identifiers.map(contactIdOf)])];
  await eraseDeals(tx, { identifiers, contactIds: everyId, listingIds: anchoredIds });
  const phones = identifiers.flatMap((identifier) => phoneOf(identifier) ?? []);
  await eraseMatchesOf(tx, { phones, contactIds: everyId }, anchoredIds);
  await eraseMedia(tx, { identifiers, messages: [] });
  await eraseActivity(tx, everyId);
  await context.eraseSetAside(tx, identifiers);
  await removePerson(tx, person);
  await finishErasure(tx, subject);
}

async function rememberPerson(tx: Database, key: Buffer, person: Person): Promise<void> {
  const { identifiers, contactIds } = person;
  const adminSubjects = await findAdminSubjects(tx, identifiers);
  await rememberErased(tx, key, [...identifiers, ...adminSubjects]);
  const names = await findOwnNames(tx, await listNames(tx, contactIds), contactIds);
  await queueOthers(tx, key, names);
}

/** Queues those that were not erased yet. */
async function queueOthers(
  tx: Database,
  key: Buffer,
  identifiers: readonly string[],
): Promise<void> {
  const known = await findErased(tx, key, identifiers);
  await queueErasures(
    tx,
    identifiers.filter((identifier) => !known.has(identifier)),
  );
}

/** Erases what was made of the messages that are deleted. */
async function eraseMade(
  tx: Database,
  { messageIds, raw, identifiers }: ErasedReports,
  { catalogue, clock }: ErasureContext,
): Promise<void> {
  await eraseMedia(tx, { identifiers, messages: raw });
  if (messageIds.length === 0) return;
  // After contacts merged, matches have the old ids until the matching step moves them, and what was delivered keeps them.
  const formerIds = await listFormerIds(tx, messageIds);
  const formerListingIds = await listFormerListings(tx, messageIds);
  // Before the rows of listings, as someone who decides takes them.
  await takeLock(tx, "listings");
  await beginDeals(tx);
  await eraseListings(tx, messageIds, { catalogue, nowMs: clock.nowMs() });
  await removeAliasesTo(tx, messageIds);
  await eraseDeals(tx, {
    messageIds: [...messageIds, ...formerIds],
    listingIds: formerListingIds,
  });
  await eraseMatches(tx, [...messageIds, ...formerIds], formerListingIds);
}

/** A worker holds the lock for one batch. */
const ATTEMPTS_MAX = 600;
const ATTEMPT_MS = 100;

/** Erases the person, and whatever else is queued. Returns how many raw events were rewritten. */
export async function runErasure(
  context: ErasureContext,
  { identifier, author }: { readonly identifier: string; readonly author: Author },
  onEvents: (count: number) => void,
): Promise<number> {
  await context.pool.transaction(async (tx) => {
    const key = await makeErasureKey(tx);
    await queueErasures(tx, [identifier]);
    if ((await findErased(tx, key, [identifier])).size > 0) return;
    // The row says that someone was erased, and not who.
    const object = { kind: "person", id: randomUUID() } as const;
    await recordActivity(tx, author, [{ action: "erased", object }]);
  });
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const done = await whileLocked(context.pool, "erasure", () => eraseAll(context, onEvents));
    if (done !== undefined) return done.result;
    await sleep(ATTEMPT_MS);
  }
  throw new OperatorError("another erasure is under way; this one is queued and will follow it");
}

async function eraseAll(
  context: ErasureContext,
  onEvents: (count: number) => void,
): Promise<number> {
  let count = 0;
  while (await isErasureDue(context.pool)) {
    const { searchedCount, rewrittenCount } = await erasePersons(context, { isOurs: true });
    onEvents(searchedCount);
    count += rewrittenCount;
  }
  return count;
}
