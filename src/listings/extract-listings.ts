import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { Database, DatabasePool } from "../db/database.ts";
import { bucketOf, HALF_OF_BUCKETS, takeBuckets, takeLock } from "../db/locks.ts";
import { beginStep, continueStep, type Lane, runOneByOne } from "../db/queue.ts";
import { isItemFault } from "../db/store-error.ts";
import type { Catalogue } from "../extraction/catalogue/catalogue.ts";
import { EXTRACTION_VERSION } from "../extraction/extract.ts";
import {
  messageQueue,
  takeMessages,
  type WantedMessages,
} from "../messages/message-queue-store.ts";
import { admitOffers } from "./corrections/correct-readings.ts";
import { catalogueSha256 } from "./dealer-catalogue.ts";
import { findStoredListings, type StoredListings } from "./listing-write-store.ts";
import {
  findMessageAliases,
  findSourceMessages,
  queueOutdatedMessages,
  type Reader,
  saveExtractions,
} from "./message-extraction-store.ts";
import {
  type MessageBatch,
  type Reading,
  type Readings,
  readMessage,
  type SourceMessage,
  splitBatch,
} from "./message-reading.ts";
import { joinReplies } from "./replies/join-replies.ts";
import { saveReadings } from "./save-readings.ts";

interface ExtractOptions {
  readonly batchMax: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly catalogue: Catalogue;
  /** Without a lane it takes messages of both. */
  readonly lane?: Lane;
  /** Returns false if no alert reads messages, so that they need not be matched. Without it they always are. */
  readonly areMessagesMatched?: (tx: Database) => Promise<boolean>;
}

type Report = { readonly takenCount: number };

/**
 * The step from queued canonical messages to listings: one batch in one transaction. If the batch fails, the messages are
 * tried one by one, and the bad ones are stored with the outcome `failed`. A store that is down is not the fault of a message.
 *
 * Invariant: a message leaves the queue in the transaction that saves its listings or its failure. So no message is lost,
 * and a step that is repeated after a crash has the same result.
 *
 * Example: of 500 queued messages, number 7 has a value that the store rejects. The transaction is rolled back. In the
 * second pass 499 messages get their listings, each in its own transaction, and number 7 keeps the listings it had.
 */
export async function extractListings(
  pool: DatabasePool,
  options: ExtractOptions,
): Promise<Report> {
  // The queue is empty most of the time, and one query costs less than an empty transaction.
  const { batchMax } = options;
  const first = await messageQueue.list(pool, { ...options, batchMax: batchMax + 1 });
  if (first.length === 0) return { takenCount: 0 };
  try {
    return await extractInBuckets(pool, options, first.length > batchMax);
  } catch (error) {
    if (!isItemFault(error)) throw error;
    return extractOneByOne(pool, options);
  }
}

/** Thrown if a batch depends on listings of contacts that are in no bucket of it. */
class OtherBucket extends Error {}

/** Where this process begins next. Others begin anywhere. */
let firstBucket = Math.floor(Math.random() * 2 * HALF_OF_BUCKETS);

/**
 * Whether a listing is a duplicate, and its price drop, depend on the other listings of its contact only. So workers take
 * messages of different contacts side by side. After contacts merged, a message has listings of one contact and gets those of
 * another: then the batch is taken again, alone.
 */
async function extractInBuckets(
  pool: DatabasePool,
  options: ExtractOptions,
  isFull: boolean,
): Promise<Report> {
  firstBucket = (firstBucket + HALF_OF_BUCKETS) % (2 * HALF_OF_BUCKETS);
  const first = firstBucket;
  try {
    if (isFull) {
      const within = { first, max: HALF_OF_BUCKETS };
      const report = await extractBatch(pool, options, { ...options, within });
      // Those that wait may all be in the other half.
      if (report.takenCount > 0) return report;
    }
    return await extractBatch(pool, options, { ...options, within: { first } });
  } catch (error) {
    if (!(error instanceof OtherBucket)) throw error;
    return extractBatch(pool, options, options);
  }
}

/** The reader of this process: messages read by another one are outdated. */
export function readerOf(catalogue: Catalogue): Reader {
  return {
    extraction_version: EXTRACTION_VERSION,
    catalogue_sha256: catalogueSha256(catalogue),
  };
}

async function extractOneByOne(pool: DatabasePool, options: ExtractOptions): Promise<Report> {
  return runOneByOne(await messageQueue.list(pool, options), {
    run: (id) => extractBatch(pool, { ids: [id] }, options),
    setAside: (id, error) => saveFailure(pool, { id, error }, options),
  });
}

/** Takes the message off the queue. The listings that it had stay as they are. */
function saveFailure(
  pool: DatabasePool,
  { id, error }: { readonly id: string; readonly error: unknown },
  { log, catalogue }: ExtractOptions,
): Promise<Report> {
  return pool.transaction(async (tx) => {
    await beginStep(tx);
    const taken = await takeMessages(tx, { ids: [id] });
    if (taken.length > 0) {
      logFailure(log, id, error);
      const extraction = { canonical_message_id: id, ...readerOf(catalogue), outcome: "failed" };
      await saveExtractions(tx, [extraction]);
    }
    return { takenCount: taken.length };
  });
}

function logFailure(log: Logger, id: string, error: unknown): void {
  log.error(
    { err: error, canonical_message_id: id },
    "extraction failed, the message keeps its former listings; try again with `assay reextract --all`",
  );
}

/** Without `within` it runs alone, and takes messages of all contacts. */
function extractBatch(
  pool: DatabasePool,
  wanted: WantedMessages,
  options: ExtractOptions & { readonly within?: Parameters<typeof takeBuckets>[1] },
): Promise<Report> {
  return pool.transaction(async (tx) => {
    await beginStep(tx, options.lane, "kept");
    const buckets =
      options.within === undefined ? undefined : await takeBuckets(tx, options.within);
    const batch = await takeBatch(tx, buckets === undefined ? wanted : { ...wanted, buckets });
    if (batch.queued.length === 0) return { takenCount: 0 };
    if (buckets !== undefined && batch.messages.length < batch.queued.length)
      throw new OtherBucket();
    const readings = await readAll(tx, batch.messages, options);
    if (buckets === undefined) await takeLock(tx, "listings");
    const read = async (messages: readonly SourceMessage[]) =>
      admitOffers(tx, messages, await readAll(tx, messages, options));
    const admitted = await admitOffers(tx, batch.messages, readings);
    const joined = await joinReplies(tx, { ...batch, readings: admitted }, { ...options, read });
    const { replyWindows } = joined;
    const reader = readerOf(options.catalogue);
    const nowMs = options.clock.nowMs();
    const ids = joined.queued.map((row) => row.canonical_message_id);
    const stored = await findStoredListings(tx, ids);
    if (buckets !== undefined) checkBuckets(joined.messages, stored, buckets);
    for (const part of splitBatch(joined, stored))
      await saveReadings(tx, part, { ...options, reader, nowMs, replyWindows });
    return { takenCount: batch.queued.length };
  });
}

/** Throws `OtherBucket` if a message belongs, or belonged, to a contact in another bucket. */
function checkBuckets(
  messages: readonly SourceMessage[],
  stored: ReadonlyMap<string, StoredListings>,
  buckets: ReadonlySet<number>,
): void {
  for (const { id, contact_id } of messages) {
    const contactIds = [contact_id ?? id, ...(stored.get(id)?.contact_ids ?? [])];
    if (!contactIds.every((contactId) => buckets.has(bucketOf(contactId)))) throw new OtherBucket();
  }
}

/** Takes from the queue before it reads the messages, so that it sees every change that they were queued for. */
async function takeBatch(tx: Database, wanted: WantedMessages): Promise<MessageBatch> {
  const taken = await takeWithMessages(tx, wanted);
  const movedTo = await findReplacements(tx, taken);
  // A deleted message and its replacement go into one batch, so that readers rarely see the old listing gone and the new
  // one not there yet. Not when messages are tried one by one: the replacement may be the one that the store rejects.
  const isOneByOne = "ids" in wanted;
  if (movedTo.size === 0 || isOneByOne) return { ...taken, movedTo };
  const takenIds = new Set(taken.queued.map((row) => row.canonical_message_id));
  const ids = [...new Set(movedTo.values())].filter((id) => !takenIds.has(id));
  const replacements = await takeWithMessages(tx, { ids });
  return {
    queued: [...taken.queued, ...replacements.queued],
    messages: [...taken.messages, ...replacements.messages],
    movedTo,
  };
}

type TakenMessages = Pick<MessageBatch, "queued" | "messages">;

async function takeWithMessages(tx: Database, wanted: WantedMessages): Promise<TakenMessages> {
  if ("ids" in wanted && wanted.ids.length === 0) return { queued: [], messages: [] };
  const queued = await takeMessages(tx, wanted);
  const ids = queued.map((row) => row.canonical_message_id);
  return { queued, messages: ids.length === 0 ? [] : await findSourceMessages(tx, ids) };
}

/** For each queued message that was deleted when contacts merged, the id of the message that replaced it. */
async function findReplacements(
  tx: Database,
  { queued, messages }: TakenMessages,
): Promise<ReadonlyMap<string, string>> {
  if (messages.length === queued.length) return new Map();
  const existing = new Set(messages.map(({ id }) => id));
  const deletedIds = queued
    .map((row) => row.canonical_message_id)
    .filter((id) => !existing.has(id));
  return findMessageAliases(tx, deletedIds);
}

/** After this many characters other work gets its turn. Reading a text of 64 kB takes half a second at worst. */
const TURN_CHARACTERS = 16_384;

async function readAll(
  tx: Database,
  messages: readonly SourceMessage[],
  options: ExtractOptions,
): Promise<Readings> {
  const readings = new Map<string, Reading>();
  let characters = 0;
  for (const message of messages) {
    readings.set(message.id, readOne(message, options));
    characters += message.text?.length ?? 0;
    if (characters < TURN_CHARACTERS) continue;
    characters = 0;
    await continueStep(tx);
  }
  return readings;
}

/** An error in one message does not stop the batch. */
function readOne(message: SourceMessage, { log, catalogue }: ExtractOptions): Reading {
  try {
    return readMessage(message, catalogue);
  } catch (error) {
    logFailure(log, message.id, error);
    return { kind: "failed" };
  }
}

/**
 * Deletes the listings of deleted messages at once, as the step would do later: until then an alert could fire for them. The messages
 * are queued.
 */
export async function eraseListings(
  tx: Database,
  messageIds: readonly string[],
  { catalogue, nowMs }: { readonly catalogue: Catalogue; readonly nowMs: number },
): Promise<void> {
  const queued = await takeMessages(tx, { ids: messageIds });
  await takeLock(tx, "listings");
  const batch = { queued, messages: [], movedTo: new Map(), readings: new Map() };
  await saveReadings(tx, batch, { reader: readerOf(catalogue), catalogue, nowMs });
}

const PAGE_MAX = 5_000;

/**
 * Queues the messages that `reader` has not read; without a reader all messages. Returns how many it queued. Each page is
 * a transaction of its own, so locks are short and an interrupted call loses nothing that it has queued.
 */
export async function requestReextraction(
  pool: DatabasePool,
  options: { readonly reader?: Reader; readonly onPage?: (queuedCount: number) => void } = {},
): Promise<number> {
  let queuedCount = 0;
  let afterId: string | undefined;
  do {
    const start = { ...options, afterId, limit: PAGE_MAX };
    const page = await pool.transaction(async (tx) => {
      await beginStep(tx);
      return queueOutdatedMessages(tx, start);
    });
    queuedCount += page.queuedCount;
    options.onPage?.(page.queuedCount);
    afterId = page.lastId;
  } while (afterId !== undefined);
  return queuedCount;
}
