import type { Database } from "../db/database.ts";
import type { Catalogue } from "../extraction/catalogue/catalogue.ts";
import { findRates } from "../rates/fx-store.ts";
import { correctReadings } from "./corrections/correct-readings.ts";
import {
  compareListings,
  type ListingChanges,
  listMoves,
  type SavedBatch,
  toMatchRequests,
} from "./listing-changes.ts";
import { type ListingColumns, listAsks, toListingRows } from "./listing-rows.ts";
import {
  type FlippedAsk,
  findListingsOf,
  refreshNeighbours,
  removeAliasesToListings,
  removeListingAliases,
  removeListings,
  saveListingAliases,
  saveListings,
} from "./listing-write-store.ts";
import { findQueuedAlerts, queueMatchRequests } from "./match-queue-store.ts";
import {
  findExtractions,
  type MessageExtraction,
  type Reader,
  removeExtractions,
  saveExtractions,
} from "./message-extraction-store.ts";
import type { ReadBatch, Readings } from "./message-reading.ts";
import type { ReplyWindow } from "./replies/join-replies.ts";

type ListingsByMessage = ReadonlyMap<string, readonly ListingColumns[]>;
type ExtractionsByMessage = ReadonlyMap<string, MessageExtraction>;

/**
 * Saves what was read in a batch of messages. The listings of a message depend only on the message as it is now, the
 * replies to it and the corrections of its text, so this compares the listings just read with the stored ones and writes the difference.
 *
 * Invariant: after the commit the store has the listings that an empty store would get from the same messages, and each
 * listing that changed is in `match_queue`. A message that could not be read keeps its listings. The caller holds the
 * listing lock.
 *
 * Example: message M1 "126610LN €12,500" is edited to M2 "126610LN €12,000". Both are queued. M1 now occurs in no group,
 * so its listing L1 is saved as hidden. M2 gets a new listing L2. Listing L3, from another message a week later, repeats
 * the ask of L1 and was its duplicate; now that L1 is hidden, L3 is no duplicate any more. L1, L2 and L3 are queued for
 * matching, L3 without an alert window because its own message did not change.
 */
export async function saveReadings(
  tx: Database,
  batch: ReadBatch,
  { reader, catalogue, nowMs, areMessagesMatched, replyWindows = new Map() }: SaveOptions,
): Promise<void> {
  const ids = batch.queued.map((row) => row.canonical_message_id);
  const stored = groupByMessage(await findListingsOf(tx, ids));
  const extractions = await findExtractions(tx, ids);
  const found = await priceListings(tx, batch, catalogue);
  const changes = compareMessages(batch, { stored, found, extractions, reader });

  const flipped = await saveChanges(tx, changes, nowMs);
  await saveOutcomes(tx, batch.readings, { extractions, reader });
  const renamedIds = listRenamed(batch, found);
  const withMessages = (await areMessagesMatched?.(tx)) ?? true;
  const saved = { batch, changes, flipped, renamedIds, found, withMessages, replyWindows };
  await queueChanges(tx, saved);
}

interface SaveOptions {
  readonly reader: Reader;
  readonly catalogue: Catalogue;
  readonly nowMs: number;
  /** By message; without an entry, no reply opens a window. */
  readonly replyWindows?: ReadonlyMap<string, ReplyWindow>;
  readonly areMessagesMatched?: (tx: Database) => Promise<boolean>;
}

function groupByMessage(rows: readonly ListingColumns[]): ListingsByMessage {
  const groups = new Map<string, ListingColumns[]>();
  for (const row of rows) {
    const group = groups.get(row.canonical_message_id);
    if (group === undefined) groups.set(row.canonical_message_id, [row]);
    else group.push(row);
  }
  return groups;
}

/**
 * The listings just read and corrected, as rows. Corrections and rates are read only here, under the lock, so they cannot
 * change before the commit.
 */
async function priceListings(
  tx: Database,
  batch: ReadBatch,
  catalogue: Catalogue,
): Promise<ListingsByMessage> {
  const corrected = await correctReadings(tx, batch, catalogue);
  const read = batch.messages.flatMap((message) => {
    const extraction = corrected.get(message.id);
    return extraction === undefined ? [] : [{ message, extraction }];
  });
  const neededRates = read.flatMap(({ message, extraction }) =>
    extraction.listings.flatMap((listing) =>
      listAsks(message, listing).flatMap(({ price, askedAtMs }) =>
        price.currency === "EUR" ? [] : [{ currency: price.currency, atMs: askedAtMs }],
      ),
    ),
  );
  const rateOf = await findRates(tx, neededRates);
  return new Map(
    read.map(({ message, extraction }) => [
      message.id,
      toListingRows(message, extraction, { rateOf, catalogue }),
    ]),
  );
}

/** The changes of one message. */
interface MessageChanges extends ListingChanges {
  /** The message was deleted, and no other replaced it. */
  readonly isGone: boolean;
}

function compareMessages(
  batch: ReadBatch,
  state: {
    readonly stored: ListingsByMessage;
    readonly found: ListingsByMessage;
    readonly extractions: ExtractionsByMessage;
    readonly reader: Reader;
  },
): readonly MessageChanges[] {
  const messages = new Map(batch.messages.map((message) => [message.id, message]));
  const ids = batch.queued.map((row) => row.canonical_message_id);
  return ids
    .filter((id) => batch.readings.get(id)?.kind !== "failed")
    .map((id) => {
      const movedTo = batch.movedTo.get(id);
      const changes = compareListings({
        found: state.found.get(id) ?? [],
        stored: state.stored.get(id) ?? [],
        isOtherReader: !isSameReader(state.extractions.get(id), state.reader),
        // A deleted message counts as ours: none of its listings is kept.
        isOwn: messages.get(id)?.is_own ?? true,
        ...(movedTo === undefined ? {} : { movedTo }),
      });
      return { ...changes, isGone: !messages.has(id) && movedTo === undefined };
    });
}

function isSameReader(extraction: MessageExtraction | undefined, reader: Reader): boolean {
  return (
    extraction?.extraction_version === reader.extraction_version &&
    extraction.catalogue_sha256 === reader.catalogue_sha256
  );
}

/** Returns the listings that became or stopped being a duplicate, or got another price drop, because of these changes. */
async function saveChanges(
  tx: Database,
  changes: readonly MessageChanges[],
  nowMs: number,
): Promise<readonly FlippedAsk[]> {
  const removedIds = changes.flatMap(({ removed }) => removed.map(({ id }) => id));
  const saved = changes.flatMap((change) => change.saved);
  const moves = changes.flatMap((change) => change.moves);
  if (removedIds.length > 0) await removeListings(tx, removedIds);
  const goneIds = changes
    .flatMap((change) => (change.isGone ? change.removed : []))
    .map(({ id }) => id);
  if (goneIds.length > 0) await removeAliasesToListings(tx, goneIds);
  if (saved.length > 0) await saveListings(tx, saved, nowMs);
  if (moves.length > 0) await saveListingAliases(tx, moves);
  const usedIds = [...saved.map(({ id }) => id), ...moves.map(({ to }) => to)];
  if (usedIds.length > 0) await removeListingAliases(tx, usedIds);
  const asks = distinctAsks(changes.flatMap((change) => change.touched));
  return asks.length === 0 ? [] : refreshNeighbours(tx, asks, nowMs);
}

/** Each ask counts at its own time, also one that a reply changed. */
function distinctAsks(touched: readonly ListingColumns[]) {
  const asks = touched.flatMap(({ ask_key, message_timestamp_ms, asks: said }) => {
    const times = [message_timestamp_ms, ...(said ?? []).map(({ asked_at_ms }) => asked_at_ms)];
    return ask_key === null ? [] : times.map((at_ms) => ({ ask_key, at_ms }));
  });
  return [...new Map(asks.map((ask) => [`${ask.ask_key} ${ask.at_ms}`, ask])).values()];
}

/** Stores how each message was read, if that changed, and forgets messages that are deleted. */
async function saveOutcomes(
  tx: Database,
  readings: Readings,
  { extractions, reader }: { readonly extractions: ExtractionsByMessage; readonly reader: Reader },
): Promise<void> {
  const changed = [...readings]
    .map(([canonical_message_id, reading]) => ({
      canonical_message_id,
      ...reader,
      outcome: reading.kind === "none" ? reading.reason : reading.kind,
    }))
    .filter((row) => {
      const before = extractions.get(row.canonical_message_id);
      return !isSameReader(before, reader) || before?.outcome !== row.outcome;
    });
  if (changed.length > 0) await saveExtractions(tx, changed);
  const deletedIds = [...extractions.keys()].filter((id) => !readings.has(id));
  if (deletedIds.length > 0) await removeExtractions(tx, deletedIds);
}

/** Listings in a group that got another name. Filters read the name, but a listing does not contain it. */
function listRenamed(batch: ReadBatch, found: ListingsByMessage): readonly string[] {
  return batch.queued
    .filter((row) => row.has_new_names)
    .flatMap((row) => (found.get(row.canonical_message_id) ?? []).map(({ id }) => id));
}

async function queueChanges(tx: Database, saved: Omit<SavedBatch, "queuedAlertMs">): Promise<void> {
  const oldIds = listMoves(saved.batch, saved.changes).map(({ from }) => from);
  const queuedAlertMs =
    oldIds.length === 0 ? new Map<string, number>() : await findQueuedAlerts(tx, oldIds);
  const requests = toMatchRequests({ ...saved, queuedAlertMs });
  if (requests.length > 0) await queueMatchRequests(tx, requests);
}
