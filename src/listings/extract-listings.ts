import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import type { Database, DatabasePool } from "../db/database.ts";
import { beginStep, takeLock } from "../db/locks.ts";
import { isBadData } from "../db/store-error.ts";
import type { Catalogue } from "./extraction/catalogue/catalogue.ts";
import { EXTRACTION_VERSION } from "./extraction/extract.ts";
import { readMessage, type SourceMessage } from "./listing-rows.ts";
import { catalogueSha256 } from "./load-catalogue.ts";
import {
  findMessageAliases,
  findSourceMessages,
  listQueuedMessages,
  type Reader,
  saveExtractions,
  takeMessages,
} from "./message-extraction-store.ts";
import { type Batch, type Readings, saveReadings } from "./save-readings.ts";

export interface ExtractOptions {
  readonly batchMax: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly catalogue: Catalogue;
}

type Report = { readonly takenCount: number };

/**
 * Extracts the listings of one batch of queued messages, in one transaction. If the database rejects the data of the batch,
 * the messages are taken one by one. The message with the bad data is then stored with the outcome "failed".
 */
export async function extractListings(
  pool: DatabasePool,
  options: ExtractOptions,
): Promise<Report> {
  // The queue is mostly empty, and one query costs less than an empty transaction.
  if ((await listQueuedMessages(pool, 1)).length === 0) return { takenCount: 0 };
  try {
    return await extractBatch(pool, { batchMax: options.batchMax }, options);
  } catch (error) {
    if (!isBadData(error)) throw error;
    return extractOneByOne(pool, options);
  }
}

/** Returns the version and the catalogue with which this process reads messages. */
export function readerOf(catalogue: Catalogue): Reader {
  return {
    extraction_version: EXTRACTION_VERSION,
    catalogue_sha256: catalogueSha256(catalogue),
  };
}

async function extractOneByOne(pool: DatabasePool, options: ExtractOptions): Promise<Report> {
  let takenCount = 0;
  for (const id of await listQueuedMessages(pool, options.batchMax)) {
    const report = await extractBatch(pool, { ids: [id] }, options).catch((error: unknown) => {
      if (!isBadData(error)) throw error;
      return saveFailure(pool, { id, error }, options);
    });
    takenCount += report.takenCount;
  }
  return { takenCount };
}

/** Stores that the message failed. Its listings stay as they are. */
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
      const made = { canonical_message_id: id, ...readerOf(catalogue), outcome: "failed" };
      await saveExtractions(tx, [made]);
    }
    return { takenCount: taken.length };
  });
}

function logFailure(log: Logger, id: string, error: unknown): void {
  log.error(
    { err: error, canonical_message_id: id },
    "listings of a message could not be extracted; the message is stored as failed",
  );
}

function extractBatch(
  pool: DatabasePool,
  wanted: Parameters<typeof takeMessages>[1],
  options: ExtractOptions,
): Promise<Report> {
  return pool.transaction(async (tx) => {
    await beginStep(tx);
    const batch = await takeBatch(tx, wanted);
    if (batch.queued.length === 0) return { takenCount: 0 };
    const readings = readAll(batch.messages, options);
    // From here on only one process at a time, because duplicates depend on all listings.
    await takeLock(tx, "listings");
    const reader = readerOf(options.catalogue);
    await saveReadings(tx, { ...batch, readings }, { reader, nowMs: options.clock.nowMs() });
    return { takenCount: batch.queued.length };
  });
}

/** Takes from the queue first and reads the messages after it, so that they include every change they were queued for. */
async function takeBatch(tx: Database, wanted: Parameters<typeof takeMessages>[1]): Promise<Batch> {
  const queued = await takeMessages(tx, wanted);
  const ids = queued.map((row) => row.canonical_message_id);
  const messages = ids.length === 0 ? [] : await findSourceMessages(tx, ids);
  if (messages.length === ids.length) return { queued, messages, movedTo: new Map() };
  const known = new Set(messages.map(({ id }) => id));
  const movedTo = await findMessageAliases(
    tx,
    ids.filter((id) => !known.has(id)),
  );
  // If contacts were merged, also take the messages that replaced the missing ones, if they are queued. Then a listing
  // moves in one transaction, and readers do not see a gap. When messages are taken one by one, this is skipped, because
  // the replacement could be the message with the bad data.
  const isBatch = "batchMax" in wanted;
  const replacementIds = [...new Set(movedTo.values())].filter(
    (id) => isBatch && !ids.includes(id),
  );
  const more = replacementIds.length === 0 ? [] : await takeMessages(tx, { ids: replacementIds });
  const moreMessages =
    more.length === 0
      ? []
      : await findSourceMessages(
          tx,
          more.map((row) => row.canonical_message_id),
        );
  return { queued: [...queued, ...more], messages: [...messages, ...moreMessages], movedTo };
}

function readAll(messages: readonly SourceMessage[], options: ExtractOptions): Readings {
  return new Map(messages.map((message) => [message.id, readOne(message, options)]));
}

/** Catches errors, so that one bad message does not stop the batch. */
function readOne(message: SourceMessage, { log, catalogue }: ExtractOptions) {
  try {
    return readMessage(message, catalogue);
  } catch (error) {
    logFailure(log, message.id, error);
    return { kind: "failed" } as const;
  }
}
