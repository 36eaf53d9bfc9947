import type { Catalogue } from "../extraction/catalogue/catalogue.ts";
import { extract } from "../extraction/extract.ts";
import type { ExtractedListing, Extraction, ExtractionInput } from "../extraction/extraction.ts";
import type { QueuedMessage } from "../messages/message-queue-store.ts";
import { countryPrefixOf, type LeftOutReason } from "./listing.ts";
import { estimateSearchBytes } from "./search-text.ts";

/** A canonical message with all that extraction reads. */
export interface SourceMessage {
  readonly id: string;
  /** Null if no session named the sender. */
  readonly contact_id: string | null;
  readonly text: string | null;
  readonly first_seen_at_ms: number | null;
  readonly last_seen_at_ms: number | null;
  readonly occurrence_count: number;
  readonly group_ids: readonly string[];
  readonly has_media: boolean;
  readonly is_revoked: boolean;
  /** We wrote it: the message, its source occurrence or its contact is marked as ours. */
  readonly is_own: boolean;
  readonly phone_number: string | null;
  readonly default_currency: string | null;
}

/** A listing as it is read in a message. */
export interface ReadListing extends ExtractedListing {
  /** Absent if it is offered or asked for. */
  readonly leftOutReason?: LeftOutReason;
}

/** All listings of a message in the order of the text, also those that are left out. */
export type ReadExtraction = Omit<Extraction, "listings" | "notOffered"> & {
  readonly listings: readonly ReadListing[];
};

/** The listings in a message, or the reason why there are none. */
type MessageReading =
  | { readonly kind: "listings"; readonly extraction: ReadExtraction }
  /** With an extraction, all of its listings are left out. */
  | { readonly kind: "none"; readonly reason: string; readonly extraction?: ReadExtraction };

export function readMessage(message: SourceMessage, catalogue: Catalogue): MessageReading {
  if (message.is_own) return { kind: "none", reason: "own_message" };
  if (message.text === null || message.first_seen_at_ms === null) {
    return { kind: "none", reason: "empty" };
  }
  const extraction = extract(inputOf(message, message.text, message.first_seen_at_ms), catalogue);
  const reason = extraction.rejections.at(-1)?.reason ?? "no_watch";
  return toReading(withNotOffered(extraction), reason);
}

/** `reason` is why the message has no listing, if it has none. */
export function toReading(extraction: ReadExtraction, reason: string): MessageReading {
  if (extraction.listings.some(isOffered)) return { kind: "listings", extraction };
  return { kind: "none", reason, ...(extraction.listings.length === 0 ? {} : { extraction }) };
}

export function isOffered({ leftOutReason }: ReadListing): boolean {
  return leftOutReason === undefined;
}

/** All listings that a reading has, also those that are left out; undefined if there are none. */
export function extractionOf(reading: Reading | undefined): ReadExtraction | undefined {
  return reading === undefined || reading.kind === "failed" ? undefined : reading.extraction;
}

/**
 * Puts what was read as talk among the listings, in the order of the text. So each has the place that it has if it is taken for
 * an offer, and with it its id.
 */
function withNotOffered({ notOffered, ...extraction }: Extraction): ReadExtraction {
  if (notOffered.length === 0) return extraction;
  const listings = [
    ...extraction.listings,
    ...notOffered.map((listing) => ({ ...listing, leftOutReason: "not_an_offer" as const })),
  ].sort(
    ({ position: left }, { position: right }) =>
      left.firstLine - right.firstLine || left.ordinal - right.ordinal,
  );
  return { ...extraction, listings };
}

/** What extraction gets for a text of the message's sender. */
export function inputOf(message: SourceMessage, text: string, sentAtMs: number): ExtractionInput {
  const sentOn = new Date(sentAtMs);
  const senderCountry = senderCountryOf(message);
  return {
    text,
    messageDate: { year: sentOn.getUTCFullYear(), month: sentOn.getUTCMonth() + 1 },
    ...(senderCountry === undefined ? {} : { senderCountry }),
    ...(message.default_currency === null ? {} : { defaultCurrency: message.default_currency }),
  };
}

/** The calling code of the sender's number, if the number is known. */
export function senderCountryOf({ phone_number }: SourceMessage): string | undefined {
  return phone_number === null ? undefined : countryPrefixOf(phone_number);
}

/** `failed` if extraction threw an error. */
export type Reading = MessageReading | { readonly kind: "failed" };

/** By message id. */
export type Readings = ReadonlyMap<string, Reading>;

/** The messages that one transaction of the step handles. */
export interface MessageBatch {
  readonly queued: readonly QueuedMessage[];
  /** Those of the queued messages that exist. */
  readonly messages: readonly SourceMessage[];
  /** For a queued message that a merge of contacts deleted: the id of the message that replaced it. */
  readonly movedTo: ReadonlyMap<string, string>;
}

export interface ReadBatch extends MessageBatch {
  readonly readings: Readings;
}

/** How many bytes of search text are in memory at once. A usual batch has a tenth of it, so it is one part. */
const PART_BYTES_MAX = 8 * 1024 * 1024;

/**
 * Splits a batch into parts that are saved one after another. What counts is the search text that is read for the comparison,
 * `storedBytes` by message, and the search text that is made. A message that exceeds the bound by itself is a part of its own:
 * earlier releases stored the whole text with every listing.
 *
 * Example: the listings of three messages have 4 MB of search text each in the store. The first two are one part.
 */
export function splitBatch(
  batch: ReadBatch,
  stored: ReadonlyMap<string, { readonly bytes: number }>,
): readonly ReadBatch[] {
  const messages = new Map(batch.messages.map((message) => [message.id, message]));
  const parts: string[][] = [];
  let leftBytes = 0;
  for (const { canonical_message_id: id } of batch.queued) {
    const ownBytes = madeBytes(messages.get(id), batch.readings.get(id));
    const bytes = (stored.get(id)?.bytes ?? 0) + ownBytes;
    if (bytes > leftBytes || parts.length === 0) {
      parts.push([]);
      leftBytes = PART_BYTES_MAX;
    }
    parts.at(-1)?.push(id);
    leftBytes -= bytes;
  }
  return parts.length <= 1 ? [batch] : parts.map((ids) => pickPart(batch, new Set(ids)));
}

function madeBytes(message: SourceMessage | undefined, reading: Reading | undefined): number {
  const count = extractionOf(reading)?.listings.length ?? 0;
  return estimateSearchBytes(message?.text ?? "", count);
}

function pickPart(batch: ReadBatch, ids: ReadonlySet<string>): ReadBatch {
  return {
    queued: batch.queued.filter((row) => ids.has(row.canonical_message_id)),
    messages: batch.messages.filter(({ id }) => ids.has(id)),
    movedTo: new Map([...batch.movedTo].filter(([id]) => ids.has(id))),
    readings: new Map([...batch.readings].filter(([id]) => ids.has(id))),
  };
}
