import type { Database } from "../db/database.ts";
import { findRates } from "../rates/fx-store.ts";
import { compareListings, type ListingChanges } from "./listing-changes.ts";
import {
  type ListingColumns,
  type MessageReading,
  type SourceMessage,
  toListingRows,
} from "./listing-rows.ts";
import {
  findListingsOf,
  findQueuedAlerts,
  type MatchNews,
  queueMatches,
  refreshDuplicates,
  removeListingAliases,
  removeListings,
  saveListingAliases,
  saveListings,
} from "./listing-write-store.ts";
import {
  findExtractions,
  type MessageExtraction,
  type QueuedMessage,
  type Reader,
  removeExtractions,
  saveExtractions,
} from "./message-extraction-store.ts";

export interface Batch {
  readonly queued: readonly QueuedMessage[];
  readonly messages: readonly SourceMessage[];
  /** From a deleted message to the one that replaced it when contacts were merged. */
  readonly movedTo: ReadonlyMap<string, string>;
}

export type Readings = ReadonlyMap<string, MessageReading | { readonly kind: "failed" }>;

interface ReadBatch extends Batch {
  readonly readings: Readings;
}

/** Updates the listings of the batch to what was read, and queues the changes for matching. Needs the listing lock. */
export async function saveReadings(
  tx: Database,
  batch: ReadBatch,
  { reader, nowMs }: { readonly reader: Reader; readonly nowMs: number },
): Promise<void> {
  const ids = batch.queued.map((row) => row.canonical_message_id);
  const stored = byMessage(await findListingsOf(tx, ids));
  const before = await findExtractions(tx, ids);
  const found = await findRows(tx, batch);
  const messages = new Map(batch.messages.map((message) => [message.id, message]));
  const changes = ids
    .filter((id) => batch.readings.get(id)?.kind !== "failed")
    .map((id) => {
      const movedTo = batch.movedTo.get(id);
      return compareListings({
        found: found.get(id) ?? [],
        stored: stored.get(id) ?? [],
        isOtherReader: !isSameReader(before.get(id), reader),
        // A deleted message without a replacement keeps no listings, like an own message.
        isOwn: messages.get(id)?.is_own ?? true,
        ...(movedTo === undefined ? {} : { movedTo }),
      });
    });
  const flipped = await saveChanges(tx, changes, nowMs);
  await saveOutcomes(tx, { batch, before, reader });
  const unchanged = batch.queued.flatMap((row) =>
    row.has_new_names ? (found.get(row.canonical_message_id) ?? []) : [],
  );
  const quiet = [...flipped, ...unchanged.map(({ id }) => id)];
  await queueForMatching(tx, batch, { changes, quiet });
}

function byMessage(rows: readonly ListingColumns[]): ReadonlyMap<string, ListingColumns[]> {
  const groups = new Map<string, ListingColumns[]>();
  for (const row of rows) {
    const group = groups.get(row.canonical_message_id);
    if (group === undefined) groups.set(row.canonical_message_id, [row]);
    else group.push(row);
  }
  return groups;
}

/** Returns the new rows. Prices in euros are computed here, under the lock, so that no rate changes before the save. */
async function findRows(
  tx: Database,
  { messages, readings }: ReadBatch,
): Promise<ReadonlyMap<string, readonly ListingColumns[]>> {
  const read = messages.flatMap((message) => {
    const reading = readings.get(message.id);
    return reading?.kind === "listings" ? [{ message, extraction: reading.extraction }] : [];
  });
  const asks = read.flatMap(({ message, extraction }) =>
    extraction.listings.flatMap(({ price }) =>
      price === undefined || price.currency === "EUR"
        ? []
        : [{ currency: price.currency, atMs: message.first_seen_at_ms ?? 0 }],
    ),
  );
  const rateOf = await findRates(tx, asks);
  return new Map(
    read.map(({ message, extraction }) => [message.id, toListingRows(message, extraction, rateOf)]),
  );
}

function isSameReader(extraction: MessageExtraction | undefined, reader: Reader): boolean {
  return (
    extraction?.extraction_version === reader.extraction_version &&
    extraction.catalogue_sha256 === reader.catalogue_sha256
  );
}

/** Returns the ids of other listings that became duplicates, or stopped being duplicates, by these changes. */
async function saveChanges(
  tx: Database,
  changes: readonly ListingChanges[],
  nowMs: number,
): Promise<readonly string[]> {
  const removed = changes.flatMap((change) => change.removed);
  const saved = changes.flatMap((change) => change.saved);
  const moves = changes.flatMap((change) => change.moves);
  const touched = changes.flatMap((change) => change.touched);
  if (removed.length > 0) {
    await removeListings(
      tx,
      removed.map(({ id }) => id),
    );
  }
  if (saved.length > 0) await saveListings(tx, saved, nowMs);
  if (moves.length > 0) await saveListingAliases(tx, moves);
  const inUse = [...saved.map(({ id }) => id), ...moves.map(({ to }) => to)];
  if (inUse.length > 0) await removeListingAliases(tx, inUse);
  const asks = new Map(
    touched.flatMap(({ ask_key, message_timestamp_ms }) =>
      ask_key === null
        ? []
        : [[`${ask_key} ${message_timestamp_ms}`, { ask_key, message_timestamp_ms }]],
    ),
  );
  return asks.size === 0 ? [] : refreshDuplicates(tx, [...asks.values()], nowMs);
}

async function saveOutcomes(
  tx: Database,
  extracted: {
    readonly batch: ReadBatch;
    readonly before: ReadonlyMap<string, MessageExtraction>;
    readonly reader: Reader;
  },
): Promise<void> {
  const { batch, before, reader } = extracted;
  const outcomes = [...batch.readings].map(([canonical_message_id, reading]) => ({
    canonical_message_id,
    ...reader,
    outcome: reading.kind === "none" ? reading.reason : reading.kind,
  }));
  const changed = outcomes.filter((row) => {
    const last = before.get(row.canonical_message_id);
    return !isSameReader(last, reader) || last?.outcome !== row.outcome;
  });
  if (changed.length > 0) await saveExtractions(tx, changed);
  const goneIds = [...before.keys()].filter((id) => !batch.readings.has(id));
  if (goneIds.length > 0) await removeExtractions(tx, goneIds);
}

/**
 * Queues all changed listings for matching. Only listings that changed because of their own message can fire alerts, and
 * only within the alert window of the message. `quiet` listings never do.
 */
async function queueForMatching(
  tx: Database,
  batch: ReadBatch,
  changed: { readonly changes: readonly ListingChanges[]; readonly quiet: readonly string[] },
): Promise<void> {
  const moves = [
    ...changed.changes.flatMap((change) => change.moves),
    ...[...batch.movedTo].map(([from, to]) => ({ from, to })),
  ];
  // Alerts that are still queued for an old id must fire for the new id.
  const movedAlertMs = new Map<string, number>();
  if (moves.length > 0) {
    const waiting = await findQueuedAlerts(
      tx,
      moves.map(({ from }) => from),
    );
    for (const { from, to } of moves) {
      const alertMs = waiting.get(from);
      if (alertMs !== undefined) movedAlertMs.set(to, Math.max(alertMs, movedAlertMs.get(to) ?? 0));
    }
  }
  const alertMs = new Map(batch.queued.map((row) => [row.canonical_message_id, row.alert_ms]));
  const toEntry = (resource_id: string, alert_ms: number | null): MatchNews => ({
    resource: "watch_listing",
    resource_id,
    alert_ms,
  });
  const entries: readonly MatchNews[] = [
    ...changed.changes.flatMap(({ saved }) =>
      saved.map((row) => toEntry(row.id, alertMs.get(row.canonical_message_id) ?? null)),
    ),
    ...changed.changes.flatMap(({ removed }) => removed.map((row) => toEntry(row.id, null))),
    ...changed.quiet.map((id) => toEntry(id, null)),
    ...changed.changes.flatMap(({ moves: listingMoves }) =>
      listingMoves.map(({ to }) => toEntry(to, movedAlertMs.get(to) ?? null)),
    ),
    ...batch.messages.flatMap((message): readonly MatchNews[] => {
      const alert_ms = alertMs.get(message.id) ?? null;
      return alert_ms === null || message.is_own
        ? []
        : [{ resource: "message", resource_id: message.id, alert_ms }];
    }),
    ...[...new Set(batch.movedTo.values())].flatMap((id): readonly MatchNews[] => {
      const alert_ms = movedAlertMs.get(id);
      return alert_ms === undefined ? [] : [{ resource: "message", resource_id: id, alert_ms }];
    }),
  ];
  if (entries.length > 0) await queueMatches(tx, entries);
}
