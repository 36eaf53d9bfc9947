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
 * Queued canonical messages to listings: one batch, one transaction. A message whose listings the store refuses is found
 * by taking the batch's messages one by one, and is set aside with its outcome.
 */
export async function extractListings(
  pool: DatabasePool,
  options: ExtractOptions,
): Promise<Report> {
  // Mostly nothing waits, and one question costs less than an empty transaction.
  if ((await listQueuedMessages(pool, 1)).length === 0) return { takenCount: 0 };
  try {
    return await extractBatch(pool, { batchMax: options.batchMax }, options);
  } catch (error) {
    if (!isBadData(error)) throw error;
    return extractSingly(pool, options);
  }
}

/** By what this process reads messages. */
export function readerOf(catalogue: Catalogue): Reader {
  return {
    extraction_version: EXTRACTION_VERSION,
    catalogue_sha256: catalogueSha256(catalogue),
  };
}

async function extractSingly(pool: DatabasePool, options: ExtractOptions): Promise<Report> {
  let takenCount = 0;
  for (const id of await listQueuedMessages(pool, options.batchMax)) {
    const report = await extractBatch(pool, { ids: [id] }, options).catch((error: unknown) => {
      if (!isBadData(error)) throw error;
      return setAside(pool, { id, error }, options);
    });
    takenCount += report.takenCount;
  }
  return { takenCount };
}

/** Its listings stay as they are. */
function setAside(
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
  log.error({ err: error, canonical_message_id: id }, "a message could not be made into listings");
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
    // From here on one process at a time: what is a duplicate depends on all listings.
    await takeLock(tx, "listings");
    const reader = readerOf(options.catalogue);
    await saveReadings(tx, { ...batch, readings }, { reader, nowMs: options.clock.nowMs() });
    return { takenCount: batch.queued.length };
  });
}

/** The queue first, the messages afterwards: so they are read with everything that they were queued for. */
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
  // The messages that they became are taken along if they wait too, so that hardly anybody meets a listing that is gone
  // and not there yet. Not by who tries them one by one: the new one may be what the store refuses.
  const isBatch = "batchMax" in wanted;
  const became = [...new Set(movedTo.values())].filter((id) => isBatch && !ids.includes(id));
  const more = became.length === 0 ? [] : await takeMessages(tx, { ids: became });
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

/** One bad message never stops a batch. */
function readOne(message: SourceMessage, { log, catalogue }: ExtractOptions) {
  try {
    return readMessage(message, catalogue);
  } catch (error) {
    logFailure(log, message.id, error);
    return { kind: "failed" } as const;
  }
}
