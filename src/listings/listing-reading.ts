/**
 * What the reader sees in the text of one listing: each value with the words that it came from, and the values that were
 * found but not used. It is computed from the message when it is asked for, so nothing of it is stored.
 *
 * Invariant: the text at the spans of a value normalises to the words that the reader used. A value that a person
 * corrected, or that a reply gave, has no spans; what was read in its place is left out with the reason `corrected` or
 * `reply`.
 *
 * Example: "126610LN 2024 €12,500" with the year corrected to 2021 has the fields `reference` at 0-8, `price` at 14-21
 * and `year` 2021 without a span, and it leaves out `year` at 9-13.
 */
import { inTurn } from "../base/shares/turns.ts";
import type { Database } from "../db/database.ts";
import type { Catalogue } from "../extraction/catalogue/catalogue.ts";
import { EXTRACTION_VERSION } from "../extraction/extract.ts";
import type {
  Evidence,
  ExtractedListing,
  FieldSource,
  LeftOut,
  ListingField,
  Price,
} from "../extraction/extraction.ts";
import { listLineSpans, makeSpanFinder, type TextSpan } from "../extraction/text/text-spans.ts";
import { identitySha256 } from "../messages/message.ts";
import { admitOffersOf, placeKey, readPlaces } from "./corrections/correct-readings.ts";
import {
  applyCorrections,
  CORRECTION_FIELDS,
  type CorrectedListing,
  type CorrectedPrice,
  type CorrectionField,
  type CorrectionValue,
  chooseCorrections,
} from "./corrections/correction.ts";
import { findCorrectedListing, findCorrections } from "./corrections/correction-store.ts";
import type { LeftOutReason } from "./listing.ts";
import { listingIdOf, type Place, toPlaces, toSnakeCase } from "./listing-rows.ts";
import { findListingIdsOf } from "./listing-store.ts";
import { findSourceMessages } from "./message-extraction-store.ts";
import { extractionOf, type ReadExtraction, readMessage } from "./message-reading.ts";
import {
  applyReplies,
  NO_EFFECTS,
  type ReadReply,
  type RepliedListing,
  readReplies,
} from "./replies/reply.ts";
import { listRepliesTo } from "./replies/reply-store.ts";

type ReadValue = string | number | boolean | string[] | CorrectedPrice;

interface ReadField {
  readonly field: string;
  /** Absent if a person said that the listing has no such value. */
  readonly value?: ReadValue;
  readonly source: FieldSource;
  /** Empty for a default, for a corrected value and for one that a reply gave. */
  readonly spans: TextSpan[];
}

interface LeftOutField {
  readonly field: string;
  readonly reason: LeftOut["reason"] | "reply" | "corrected";
  readonly spans: TextSpan[];
}

/** A reply to the message of a listing, and what became of it. */
interface ListedReply {
  readonly canonical_message_id: string;
  readonly text: string;
  readonly replied_at_ms: number;
  /** The fields of the listing that it gave. */
  readonly fields: string[];
  /** Why there are none. */
  readonly reason?: (typeof REPLY_REASONS)[number];
}

/** Why a reply gave nothing to a listing. */
export const REPLY_REASONS = [...NO_EFFECTS, "other_listing", "newer_reply", "corrected"] as const;

/** The corrections that hold for a listing. */
interface HeldCorrection {
  readonly values: Readonly<Partial<Record<CorrectionField, ReadValue>>>;
  /** Fields of which a person said that the listing has none. */
  readonly cleared: CorrectionField[];
}

/** A line of the message, and whose it is. */
interface ReadLine extends TextSpan {
  readonly role: LineRole;
  /** Of a line of another watch. Absent if that is no listing. */
  readonly listing_id?: string;
}

/** The watch's own, above several watches and this one, of no watch, or of other watches. */
export const LINE_ROLES = ["own", "header", "shared", "other"] as const;
type LineRole = (typeof LINE_ROLES)[number];

interface ListingReading {
  readonly fields: ReadField[];
  readonly left_out: LeftOutField[];
  readonly confidence: number;
  /** Why the listing is hidden, if it was read as talk or a person said that it is none. */
  readonly left_out_reason?: LeftOutReason;
  /** Absent if nothing is corrected. */
  readonly correction?: HeldCorrection;
}

type Corrections = ReadonlyMap<CorrectionField, CorrectionValue>;

interface FoundReading extends Omit<ListingReading, "confidence"> {
  readonly text: string;
  /** The version of the reader that gave this reading. The stored listing may be of an earlier one. */
  readonly version: number;
  /** Absent if this reader finds no listing there. */
  readonly confidence?: number;
  readonly lines: ReadLine[];
  /** The newest first. */
  readonly replies: ListedReply[];
}

/**
 * Reads the message of a listing again, with all that the step knows of it. Returns undefined if there is no such listing.
 * A reading without fields means that this reader finds no listing there any more. Accepts ids from before contacts merged.
 */
export async function findListingReading(
  db: Database,
  id: string,
  catalogue: Catalogue,
): Promise<FoundReading | undefined> {
  const stored = await findCorrectedListing(db, id);
  const [message] =
    stored === undefined ? [] : await findSourceMessages(db, [stored.canonical_message_id]);
  if (stored === undefined || message === undefined) return undefined;
  const text = message.text ?? "";
  const identity = identitySha256(text);
  const corrections = identity === undefined ? [] : await findCorrections(db, [identity]);
  const plain = await inTurn(db.caller, () => readMessage(message, catalogue));
  const reading = admitOffersOf(message, plain, corrections);
  const extraction = extractionOf(reading);
  const places = extraction === undefined ? [] : toPlaces(message, extraction);
  const at = places.findIndex((place) => placeKey(place) === placeKey(stored));
  const listing = extraction?.listings[at];
  const ids = await findStoredIds(db, message.id, places);
  const lines = toLines(text, extraction ?? NOTHING_READ, at, ids);
  const read = { text, version: EXTRACTION_VERSION, lines };
  if (extraction === undefined || listing === undefined)
    return { ...read, fields: [], left_out: [], replies: [] };
  const ofPlace = corrections.filter((correction) => placeKey(correction) === placeKey(stored));
  const readPlace = readPlaces({ message, extraction, catalogue }, ofPlace).get(placeKey(stored));
  const { values } = chooseCorrections(ofPlace, readPlace);
  const quoted = { message, extraction };
  const replies = readReplies(quoted, await listRepliesTo(db, message.id), catalogue);
  const replied = applyReplies(quoted, replies).listings[at];
  return {
    ...read,
    ...toListingReading(text, listing, values, replied),
    replies: listReplies(replies, at, values),
  };
}

const NOTHING_READ = { listings: [], sharedLines: [] };

/** The id of the listing at each place; undefined if it is not stored. */
async function findStoredIds(
  db: Database,
  messageId: string,
  places: readonly Place[],
): Promise<readonly (string | undefined)[]> {
  const found = (await findListingIdsOf(db, [messageId])).get(messageId);
  const stored = new Set([...(found?.ids ?? []), ...(found?.notOfferedIds ?? [])]);
  return places
    .map(({ line, ordinal }) => listingIdOf(messageId, line, ordinal))
    .map((id) => (stored.has(id) ? id : undefined));
}

/**
 * Whose each line is, seen from the listing at `at`; if there is none, no line is its own. `ids` has the id of each listing of
 * the message that is stored. Lines without words, and those behind the bounds of the reader, are left out. One that names a
 * watch which is no listing, or that repeats another line, counts as a line of another watch.
 */
function toLines(
  text: string,
  { listings, sharedLines }: Pick<ReadExtraction, "listings" | "sharedLines">,
  at: number,
  ids: readonly (string | undefined)[],
): ReadLine[] {
  const roles = new Map<number, Pick<ReadLine, "role" | "listing_id">>();
  for (const line of sharedLines) roles.set(line, { role: "shared" });
  for (const { headerLines } of listings)
    for (const line of headerLines) roles.set(line, { role: "other" });
  for (const [other, { sourceLines }] of listings.entries()) {
    const listing_id = ids[other];
    for (const line of sourceLines)
      if (roles.get(line)?.listing_id === undefined)
        roles.set(line, { role: "other", ...(listing_id === undefined ? {} : { listing_id }) });
  }
  for (const line of listings[at]?.headerLines ?? []) roles.set(line, { role: "header" });
  for (const line of listings[at]?.sourceLines ?? []) roles.set(line, { role: "own" });
  const rest = listings.length === 0 ? "shared" : "other";
  return listLineSpans(text)
    .map((span, line): ReadLine => ({ ...span, ...(roles.get(line) ?? { role: rest }) }))
    .filter(({ start, end }) => HAS_WORDS.test(text.slice(start, end)));
}

const HAS_WORDS = /[\p{Letter}\p{Number}]/u;

/** What became of replies, the newest first, for one listing of the message. */
function listReplies(
  replies: readonly ReadReply[],
  at: number,
  corrections: Corrections,
): ListedReply[] {
  const given = new Set<string>();
  return replies.map((read) => {
    const { reply_message_id: canonical_message_id, text, replied_at_ms } = read.reply;
    const base = { canonical_message_id, text, replied_at_ms };
    if (read.kind === "none") return { ...base, fields: [], reason: read.reason };
    if (read.update.at !== at) return { ...base, fields: [], reason: "other_listing" };
    const said = (["price", "status"] as const).filter((name) => read.update[name] !== undefined);
    const newest = said.filter((field) => !given.has(field));
    for (const field of newest) given.add(field);
    const fields = newest.filter((field) => !corrections.has(field));
    if (fields.length > 0) return { ...base, fields };
    return { ...base, fields, reason: newest.length === 0 ? "newer_reply" : "corrected" };
  });
}

/** `listing` is as the reader reads it in `text`; `replied` is the same with what replies say. */
export function toListingReading(
  text: string,
  listing: ExtractedListing,
  corrections: Corrections,
  replied: RepliedListing = listing,
): ListingReading {
  const findSpans = makeSpanFinder(text);
  const place = <Item extends LeftOut | Evidence>({ field, lineSpans }: Item) => ({
    field: toSnakeCase(field),
    spans: [...findSpans(lineSpans)],
  });
  const corrected = listCorrected(corrections);
  const isReplied = isFromReply(replied, corrected);
  const present = applyCorrections(replied, corrections);
  const values = listValues(present);
  const fields: Omit<ReadField, "value">[] = [];
  const leftOut: LeftOutField[] = listing.leftOut.map((item) => ({
    ...place(item),
    reason: item.reason,
  }));
  for (const item of listing.evidence) {
    const read = place(item);
    const reason = corrected.has(read.field) ? "corrected" : "reply";
    if (reason === "reply" && !isReplied(read.field)) fields.push({ ...read, source: item.source });
    else if (read.spans.length > 0) leftOut.push({ ...read, reason });
  }
  for (const field of corrected) fields.push({ field, source: "corrected", spans: [] });
  for (const [name, source] of Object.entries(replied.sources)) {
    const field = toSnakeCase(name);
    if (source === "reply" && !corrected.has(field)) fields.push({ field, source, spans: [] });
  }
  return {
    fields: fields
      .toSorted((left, right) => ORDER.indexOf(left.field) - ORDER.indexOf(right.field))
      .map(({ field, source, spans }) => {
        const value = values.get(field);
        return { field, ...(value === undefined ? {} : { value }), source, spans };
      }),
    left_out: leftOut,
    confidence: present.confidence,
    ...(present.leftOutReason === undefined ? {} : { left_out_reason: present.leftOutReason }),
    ...(corrections.size === 0 ? {} : { correction: toHeldCorrection(corrections) }),
  };
}

const ORDER: readonly string[] = [...CORRECTION_FIELDS, "currency", "retail_price"];

/** A price of a reply replaces the second price of the text too. */
function isFromReply(replied: RepliedListing, corrected: ReadonlySet<string>) {
  const sources = new Map(Object.entries(replied.sources));
  const hasPrice = sources.get("price") === "reply";
  return (field: string): boolean =>
    !corrected.has(field) &&
    (field === "status" ? sources.get("status") === "reply" : hasPrice && PRICED.has(field));
}

const PRICED: ReadonlySet<string> = new Set(["price", "currency", "alternative_price"]);

/** A corrected price has a currency of its own. */
function listCorrected(corrections: Corrections): ReadonlySet<string> {
  return new Set([...corrections.keys(), ...(corrections.has("price") ? ["currency"] : [])]);
}

/** By the names of the API. */
function listValues(listing: CorrectedListing): ReadonlyMap<string, ReadValue> {
  const values = new Map<string, ReadValue>();
  if (listing.sources.isListing !== undefined)
    values.set("is_listing", listing.leftOutReason === undefined);
  if (listing.price !== undefined) values.set("currency", listing.price.currency);
  for (const field of READ_FIELDS) {
    const value: string | number | readonly string[] | Price | undefined = listing[field];
    if (value !== undefined) values.set(toSnakeCase(field), toReadValue(value));
  }
  return values;
}

const READ_FIELDS = [
  "side",
  "brand",
  "model",
  "reference",
  "dialType",
  "variant",
  "year",
  "cardMonth",
  "condition",
  "fullSetStatus",
  "price",
  "alternativePrice",
  "retailPrice",
  "status",
] as const satisfies readonly ListingField[];

function toReadValue(value: string | number | readonly string[] | Price): ReadValue {
  if (typeof value !== "object") return value;
  return "amountMinor" in value
    ? { amount_minor: value.amountMinor, currency: value.currency }
    : [...value];
}

function toHeldCorrection(corrections: Corrections): HeldCorrection {
  const set = [...corrections].filter(([, value]) => value !== null);
  const cleared = [...corrections].filter(([, value]) => value === null).map(([field]) => field);
  return { values: Object.fromEntries(set) as HeldCorrection["values"], cleared };
}
