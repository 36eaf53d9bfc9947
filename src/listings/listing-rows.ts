import { toStableId } from "../base/ids.ts";
import { textIdentity } from "../base/text.ts";
import { type Catalogue, findKnownReference } from "../extraction/catalogue/catalogue.ts";
import { EXTRACTION_VERSION } from "../extraction/extract.ts";
import type { Price } from "../extraction/extraction.ts";
import { type DatedRateOf, type EurPrice, toEurPrice } from "../rates/fx.ts";
import type { CorrectedListing } from "./corrections/correction.ts";
import { toFoldedColumns } from "./listing.ts";
import type { ReadExtraction, SourceMessage } from "./message-reading.ts";
import type { Ask } from "./replies/reply.ts";
import { toSearchTexts } from "./search-text.ts";

/** The columns of a listing that depend only on its message and the replies to it: not `is_duplicate`, and not the times of writing. */
export type ListingColumns = ReturnType<typeof toColumns>;

/** What was read in a message, with a person's corrections. */
export type CorrectedExtraction = Omit<ReadExtraction, "listings"> & {
  readonly listings: readonly CorrectedListing[];
};

/** Where a listing is in its message: the number of its first line, and its position in that line. */
export interface Place {
  readonly line: number;
  readonly ordinal: number;
}

/**
 * The rows of a message's listings, in the order of the text. A listing is identified by its place: message, line and
 * ordinal within the line. So the id stays the same when the price or the reader changes.
 *
 * Example: "Hello\n126610LN €12,500\n126710BLRO €17,500" has two listings, at line 1 and line 2, both with ordinal 0.
 */
export function toListingRows(
  message: SourceMessage,
  extraction: CorrectedExtraction,
  { rateOf, catalogue }: { readonly rateOf: DatedRateOf; readonly catalogue: Catalogue },
): readonly ListingColumns[] {
  const { listings, sharedLines } = extraction;
  const places = toPlaces(message, extraction);
  const searched = listings.map((listing) => ({
    lines: listing,
    words: { ...toWrittenWords(listing), nicknames: nicknamesOf(listing, catalogue) },
  }));
  const texts = toSearchTexts(message.text ?? "", searched, sharedLines);
  return listings.flatMap((listing, at) => {
    const place = places[at];
    const searchText = texts[at] ?? "";
    return place === undefined
      ? []
      : [toColumns({ message, extraction, listing, place, rateOf, searchText })];
  });
}

function nicknamesOf(
  { brand, reference, referenceNormalized = reference }: CorrectedListing,
  catalogue: Catalogue,
): readonly string[] {
  if (referenceNormalized === undefined) return [];
  return findKnownReference(catalogue, referenceNormalized, brand)?.nicknames ?? [];
}

/** The place of each listing, in the order of the listings. */
export function toPlaces(
  message: SourceMessage,
  extraction: CorrectedExtraction,
): readonly Place[] {
  const lineNumbers = toLineNumbers(message.text ?? "");
  const takenPlaces = new Set<string>();
  return extraction.listings.map(({ position }) => {
    const line = lineNumbers[position.firstLine] ?? 0;
    let { ordinal } = position;
    // A line of ornaments has the number of the next counted line. If a listing starts at each, the second moves on.
    while (takenPlaces.has(`${line} ${ordinal}`)) ordinal += 1;
    takenPlaces.add(`${line} ${ordinal}`);
    return { line, ordinal };
  });
}

export function listingIdOf(messageId: string, line: number, ordinal: number): string {
  return toStableId("listing", messageId, String(line), String(ordinal));
}

/**
 * The number of each line, without counting lines that `textIdentity` ignores, such as empty lines and ornaments. All
 * texts of one canonical message have the same counted lines, so a listing has the same place in each of them.
 */
function toLineNumbers(text: string): readonly number[] {
  let count = 0;
  return text.split(/\r\n|[\n\r\u0085\u2028\u2029]/).map((line) => {
    const number = count;
    if (/[a-z0-9]/i.test(line) || textIdentity(line) !== "") count += 1;
    return number;
  });
}

interface PlacedListing {
  readonly message: SourceMessage;
  readonly extraction: CorrectedExtraction;
  readonly listing: CorrectedListing;
  readonly place: Place;
  readonly rateOf: DatedRateOf;
  readonly searchText: string;
}

function toColumns({ message, extraction, listing, place, ...shared }: PlacedListing) {
  const { reference_normalized, ...words } = toWrittenWords(listing);
  const folded = toFoldedColumns({ ...words, reference_normalized });
  const seenAtMs = message.first_seen_at_ms ?? 0;
  const price = toStorable(listing.price);
  const alternative = toStorable(listing.alternativePrice);
  const asks = listAsks(message, listing);
  const askedAtMs = asks.at(-1)?.askedAtMs ?? seenAtMs;
  const eur = price === undefined ? undefined : toStorableEur(price, askedAtMs, shared.rateOf);
  const details = {
    year: listing.year ?? null,
    condition: listing.condition ?? null,
    full_set_status: [...(listing.fullSetStatus ?? [])].sort(),
  };
  return {
    id: listingIdOf(message.id, place.line, place.ordinal),
    canonical_message_id: message.id,
    ...place,
    side: listing.side,
    message_type: extraction.messageType,
    ...words,
    ...folded,
    search_text: shared.searchText,
    ...details,
    card_month: listing.cardMonth ?? null,
    price_amount_minor: price?.amountMinor ?? null,
    price_currency: price?.currency ?? null,
    alternative_price_amount_minor: alternative?.amountMinor ?? null,
    alternative_price_currency: alternative?.currency ?? null,
    price_eur_minor: eur?.eurMinor ?? null,
    asks: hasRepliedAsk(listing) ? asks.flatMap((ask) => toAskRow(ask, shared.rateOf)) : null,
    status: listing.status ?? null,
    contact_id: message.contact_id,
    phone_number: message.phone_number,
    group_ids: message.group_ids,
    message_timestamp_ms: seenAtMs,
    first_seen_at_ms: seenAtMs,
    last_seen_at_ms: message.last_seen_at_ms ?? seenAtMs,
    occurrence_count: message.occurrence_count,
    has_media: message.has_media,
    is_hidden:
      listing.status !== undefined ||
      message.occurrence_count === 0 ||
      listing.leftOutReason !== undefined,
    left_out_reason: listing.leftOutReason ?? null,
    is_revoked: message.is_revoked,
    is_found: true,
    ask_key: askKeyOf(message.contact_id, { ...folded, ...details }),
    extraction_version: EXTRACTION_VERSION,
    confidence: listing.confidence,
    sources: toSources(listing, eur?.isApproximate ?? false),
  };
}

function toWrittenWords(listing: CorrectedListing) {
  return {
    brand: listing.brand ?? null,
    model: listing.model ?? null,
    reference: listing.reference ?? null,
    reference_normalized: listing.referenceNormalized ?? null,
    dial_type: listing.dialType ?? null,
    variant: listing.variant ?? null,
  };
}

/** An ask of a listing that a reply changed. */
interface AskRow {
  readonly asked_at_ms: number;
  readonly amount_minor: number;
  readonly currency: string;
  readonly eur_minor: number | null;
  readonly is_reply: boolean;
}

function toAskRow({ price, askedAtMs, isReply }: Ask, rateOf: DatedRateOf): readonly AskRow[] {
  if (toStorable(price) === undefined) return [];
  const { amountMinor: amount_minor, currency } = price;
  const eur_minor = toStorableEur(price, askedAtMs, rateOf)?.eurMinor ?? null;
  return [{ asked_at_ms: askedAtMs, amount_minor, currency, eur_minor, is_reply: isReply }];
}

/** False if a person corrected the price. */
function hasRepliedAsk({ sources }: CorrectedListing): boolean {
  return sources.price === "reply";
}

/** The asks of a listing, the present one last. Each has the rate of its day. */
export function listAsks(message: SourceMessage, listing: CorrectedListing): readonly Ask[] {
  if (hasRepliedAsk(listing)) return listing.asks ?? [];
  const { price } = listing;
  const askedAtMs = message.first_seen_at_ms ?? 0;
  return price === undefined ? [] : [{ price, askedAtMs, isReply: false }];
}

/** Drops negative amounts, and amounts above 2^53, which a double does not hold exactly. */
function toStorable(price: Price | undefined): Price | undefined {
  return price !== undefined && Number.isSafeInteger(price.amountMinor) && price.amountMinor >= 0
    ? price
    : undefined;
}

function toStorableEur(price: Price, atMs: number, rateOf: DatedRateOf): EurPrice | undefined {
  const eur = toEurPrice(price, atMs, rateOf);
  return eur !== undefined && Number.isSafeInteger(eur.eurMinor) ? eur : undefined;
}

/** Equal for asks of one contact for the same watch over time; null without a contact or a reference. */
function askKeyOf(
  contactId: string | null,
  watch: {
    readonly reference_normalized: string | null;
    readonly dial_type_folded: string | null;
    readonly year: number | null;
    readonly condition: string | null;
    readonly full_set_status: readonly string[];
  },
): string | null {
  if (contactId === null || watch.reference_normalized === null) return null;
  return toStableId(
    "ask",
    contactId,
    watch.reference_normalized,
    watch.dial_type_folded ?? "",
    String(watch.year ?? ""),
    watch.condition ?? "",
    watch.full_set_status.join(" "),
  );
}

function toSources(
  listing: CorrectedListing,
  isEurApproximate: boolean,
): Readonly<Record<string, string>> {
  const sources: Record<string, string> = {};
  for (const [field, from] of Object.entries(listing.sources)) sources[columnOf(field)] = from;
  if (isEurApproximate) sources["price_eur"] = "approximate";
  return sources;
}

/** The names of a few fields, asked for with every listing. */
const COLUMN_NAMES = new Map<string, string>();

function columnOf(field: string): string {
  const known = COLUMN_NAMES.get(field);
  if (known !== undefined) return known;
  const name = toSnakeCase(field);
  COLUMN_NAMES.set(field, name);
  return name;
}

/** `dialType` to `dial_type`: the field names of the API. */
export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
