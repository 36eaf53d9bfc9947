import { OperatorError } from "../base/errors.ts";
import type { CorrectedPrice } from "./corrections/correction.ts";
import type { CorrectedText, ListingFields } from "./corrections/correction-store.ts";
import { countryPrefixOf } from "./listing.ts";

/**
 * A labelled message: what goes into extraction, and what must come out. One JSON object per line. A label asserts only the
 * members that it has; null asserts that there is no value.
 *
 * Example: {"input": {"text": "126610LN 2024 €12,500"}, "expected": {"side": "for_sale", "listings": [{"reference":
 * "126610LN", "year": 2024, "condition": null, "price": {"amount": 12500, "currency": "EUR"}}]}}
 */
interface LabelledMessage {
  readonly input: LabelInput;
  readonly expected: Label;
}

interface LabelInput {
  readonly text: string;
  /** The calling code in digits. */
  readonly sender_country?: string;
  /** Such as 2026-04-02. */
  readonly message_date?: string;
  readonly default_currency?: string;
}

export interface Label {
  /** `none`: the message has no listing. */
  readonly side?: "for_sale" | "wanted" | "none";
  readonly listings?: readonly ListingLabel[];
  /** Only the prices are labelled: exactly these, or none because they are ambiguous. */
  readonly prices?: readonly LabelPrice[] | "ambiguous";
}

export interface ListingLabel {
  readonly brand?: string | null;
  readonly model?: string | null;
  readonly reference?: string | null;
  readonly year?: number | null;
  readonly card_month?: number | null;
  readonly condition?: "new" | "like_new" | "used" | null;
  readonly full_set?: "full_set" | "box_papers" | "watch_card" | "watch_only" | null;
  readonly dial?: string | null;
  readonly price?: LabelPrice | null;
  /** An ask in a second currency, which is right too. */
  readonly alt_price?: LabelPrice | null;
}

export interface LabelPrice {
  readonly amount: number;
  /** If the label does not know it, the price is not compared. */
  readonly currency?: string | null;
}

/** From the words of a label to those of the API. */
export const LABEL_CONDITIONS: Readonly<Record<string, string>> = {
  new: "NEW",
  like_new: "LIKE_NEW",
  used: "USED",
};
export const LABEL_SETS: Readonly<Record<string, string>> = {
  full_set: "FULL_SET",
  box_papers: "FULL_SET",
  watch_card: "WATCH_AND_CARD",
  watch_only: "WATCH",
};
export const LABEL_SIDES: Readonly<Record<string, string>> = {
  for_sale: "for_sale",
  wanted: "want_to_buy",
};

/** Checks the expected part of a labelled message. Throws an error that says what is wrong with it. */
export function parseLabel(value: unknown): Label {
  const label = toObject(value, '"expected"');
  const { side, listings, prices } = label;
  requireWord("side", side, [...Object.keys(LABEL_SIDES), "none"]);
  if (prices !== undefined && prices !== "ambiguous") {
    if (!Array.isArray(prices)) throw new OperatorError('"prices" must be an array or "ambiguous"');
    for (const price of prices) requirePrice("prices", price);
  }
  if (listings !== undefined && !Array.isArray(listings))
    throw new OperatorError('"listings" must be an array');
  for (const listing of listings ?? []) requireListing(toObject(listing, "a listing"));
  return label as Label;
}

function requireListing(listing: Record<string, unknown>): void {
  requireWord("condition", listing["condition"], Object.keys(LABEL_CONDITIONS));
  requireWord("full_set", listing["full_set"], Object.keys(LABEL_SETS));
  for (const name of ["brand", "model", "reference", "dial"])
    requireType(name, listing[name], "string");
  for (const name of ["year", "card_month"]) requireType(name, listing[name], "number");
  for (const name of ["price", "alt_price"])
    if (listing[name] != null) requirePrice(name, listing[name]);
}

function requireWord(name: string, value: unknown, words: readonly string[]): void {
  if (value == null || (typeof value === "string" && words.includes(value))) return;
  throw new OperatorError(`"${name}" must be one of: ${words.join(", ")}`);
}

function requireType(name: string, value: unknown, type: "string" | "number"): void {
  if (value != null && typeof value !== type)
    throw new OperatorError(`"${name}" must be a ${type}, or null`);
}

function requirePrice(name: string, value: unknown): void {
  const { amount, currency } = toObject(value, `"${name}"`);
  if (typeof amount !== "number" || (currency != null && typeof currency !== "string"))
    throw new OperatorError(`"${name}" must have an amount and a currency`);
}

function toObject(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new OperatorError(`${name} must be an object`);
}

/**
 * A message as it is read and corrected now, as a label. A value that a person removed is null. What a label cannot express
 * is left out: the variant, a second price that is not one, and a watch with only its box.
 */
export function toLabelledMessage(message: CorrectedText): LabelledMessage {
  const listings = message.listings.filter(({ is_listing }) => is_listing === null);
  const { phone_number, default_currency } = message;
  const side = listings[0]?.side;
  return {
    input: {
      text: message.text,
      ...(phone_number === null ? {} : { sender_country: countryPrefixOf(phone_number) }),
      message_date: new Date(message.first_seen_at_ms).toISOString().slice(0, 10),
      ...(default_currency === null ? {} : { default_currency }),
    },
    expected: {
      side: side === undefined ? "none" : side === LABEL_SIDES["wanted"] ? "wanted" : "for_sale",
      listings: listings.map(toListingLabel),
    },
  };
}

function toListingLabel(listing: ListingFields): object {
  const members = {
    brand: listing.brand,
    model: listing.model,
    reference: listing.reference,
    year: listing.year,
    card_month: listing.card_month,
    condition: wordFor(LABEL_CONDITIONS, listing.condition),
    full_set: wordFor(LABEL_SETS, listing.full_set_status.join(",")),
    dial: listing.dial_type,
    price: toLabelPrice(listing.price),
    alt_price: toLabelPrice(listing.alternative_price),
  };
  return Object.fromEntries(
    Object.entries(members).filter(
      ([name, value]) => value !== null || isRemoved(listing, SOURCE_NAMES[name] ?? name),
    ),
  );
}

/** Where a label calls a field by another name than the API. */
const SOURCE_NAMES: Readonly<Record<string, keyof ListingFields>> = {
  full_set: "full_set_status",
  dial: "dial_type",
  alt_price: "alternative_price",
};

/** True if a person said that there is no such value. */
function isRemoved(listing: ListingFields, field: string): boolean {
  if (listing.sources[field] !== "corrected") return false;
  const value = listing[field as keyof ListingFields];
  return value === null || (Array.isArray(value) && value.length === 0);
}

function wordFor(words: Readonly<Record<string, string>>, value: string | null): string | null {
  return Object.keys(words).find((word) => words[word] === value) ?? null;
}

function toLabelPrice(price: CorrectedPrice | null): LabelPrice | null {
  return price === null ? null : { amount: price.amount_minor / 100, currency: price.currency };
}
