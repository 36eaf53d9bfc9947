import { OperatorError } from "../base/errors.ts";
import type { CorrectedText, ListingFields } from "./corrections/correction-store.ts";
import { CONDITIONS, countryPrefixOf, FULL_SET_STATUSES, SIDES } from "./listing.ts";

/**
 * A labelled message: what goes into extraction, and what must come out, in the words of the API. One JSON object per line.
 * A label asserts only the members that it has; null asserts that there is no value.
 *
 * Example: {"input": {"text": "126610LN 2024 €12,500"}, "expected": {"side": "for_sale", "listings": [{"reference":
 * "126610LN", "year": 2024, "condition": null, "price": {"amount_minor": 1250000, "currency": "EUR"}}]}}
 */
interface LabelledMessage {
  readonly input: LabelInput;
  readonly expected: Label;
}

export interface LabelInput {
  readonly text: string;
  /** The calling code in digits. */
  readonly sender_country?: string;
  /** Such as 2026-04-02. */
  readonly message_date?: string;
  readonly default_currency?: string;
}

export interface Label {
  /** A side of the API, or `none`: the message has no listing. */
  readonly side?: string;
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
  readonly condition?: string | null;
  readonly full_set_status?: readonly string[] | null;
  readonly dial_type?: string | null;
  readonly price?: LabelPrice | null;
  /** An ask in a second currency, which is right too. */
  readonly alternative_price?: LabelPrice | null;
}

export interface LabelPrice {
  readonly amount_minor: number;
  /** If the label does not know it, the price is not compared. */
  readonly currency?: string | null;
}

/** Checks the expected part of a labelled message. Throws an error that says what is wrong with it. */
export function parseLabel(value: unknown): Label {
  const label = withNewNames(toObject(value, '"expected"'));
  const { side, listings, prices } = label;
  requireWord("side", side, [...SIDES, "none"]);
  if (prices !== undefined && prices !== "ambiguous") {
    if (!Array.isArray(prices)) throw new OperatorError('"prices" must be an array or "ambiguous"');
    for (const price of prices) requirePrice("prices", price);
  }
  if (listings !== undefined && !Array.isArray(listings))
    throw new OperatorError('"listings" must be an array');
  for (const listing of listings ?? []) requireListing(toObject(listing, "a listing"));
  return label as Label;
}

/** Names and words of labels that Assay 0.1.0 exported. */
const OLD_NAMES: Readonly<Record<string, string>> = {
  full_set: "full_set_status",
  dial: "dial_type",
  alt_price: "alternative_price",
};
const OLD_WORDS: Readonly<Record<string, unknown>> = {
  wanted: "want_to_buy",
  new: "NEW",
  like_new: "LIKE_NEW",
  used: "USED",
  full_set: ["FULL_SET"],
  box_papers: ["FULL_SET"],
  watch_card: ["WATCH_AND_CARD"],
  watch_only: ["WATCH"],
};

function withNewNames(label: Record<string, unknown>): Record<string, unknown> {
  const renamed = Object.entries(label).map(([name, value]) => {
    if (Array.isArray(value)) return [name, value.map(withNewItem)];
    return [name, typeof value === "string" ? (OLD_WORDS[value] ?? value) : value];
  });
  return Object.fromEntries(renamed);
}

function withNewItem(item: unknown): unknown {
  if (typeof item !== "object" || item === null) return item;
  if ("amount" in item) return withMinorAmount(item);
  const members = Object.entries(item).map(([name, value]) => {
    const isWord = name === "condition" || name === "full_set";
    const word = isWord && typeof value === "string" ? (OLD_WORDS[value] ?? value) : value;
    return [OLD_NAMES[name] ?? name, withMinorAmount(word)];
  });
  return Object.fromEntries(members);
}

function withMinorAmount(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("amount" in value)) return value;
  const { amount, ...price } = value;
  return typeof amount === "number"
    ? { amount_minor: Math.round(amount * 100), ...price }
    : { ...price, amount };
}

function requireListing(listing: Record<string, unknown>): void {
  requireWord("condition", listing["condition"], CONDITIONS);
  const sets = listing["full_set_status"] ?? [];
  for (const set of Array.isArray(sets) ? sets : [sets]) {
    requireWord("full_set_status", set, FULL_SET_STATUSES);
  }
  if (!Array.isArray(sets)) throw new OperatorError('"full_set_status" must be an array, or null');
  for (const name of ["brand", "model", "reference", "dial_type"])
    requireType(name, listing[name], "string");
  for (const name of ["year", "card_month"]) requireType(name, listing[name], "number");
  for (const name of ["price", "alternative_price"])
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
  const { amount_minor: amount, currency } = toObject(value, `"${name}"`);
  if (typeof amount !== "number" || (currency != null && typeof currency !== "string"))
    throw new OperatorError(`"${name}" must have an amount_minor and a currency`);
}

function toObject(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new OperatorError(`${name} must be an object`);
}

/**
 * A message as it is read and corrected now, as a label. A value that a person removed is null. What a label cannot express
 * is left out: the variant, the status, and a second price that is not one.
 */
export function toLabelledMessage(message: CorrectedText): LabelledMessage {
  const listings = message.listings.filter(({ is_listing }) => is_listing !== false);
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
      side: side ?? "none",
      listings: listings.map(toListingLabel),
    },
  };
}

const LABELLED = [
  "brand",
  "model",
  "reference",
  "year",
  "card_month",
  "condition",
  "full_set_status",
  "dial_type",
  "price",
  "alternative_price",
] as const satisfies readonly (keyof ListingLabel & keyof ListingFields)[];

function toListingLabel(listing: ListingFields): ListingLabel {
  // What a reply says is not in the text.
  const members = LABELLED.filter((name) => listing.sources[name] !== "reply").map((name) => {
    const value = listing[name];
    const isAbsent = value === null || (Array.isArray(value) && value.length === 0);
    return [name, isAbsent ? null : value] as const;
  });
  // A value is said to be absent only if a person said so.
  return Object.fromEntries(
    members.filter(([name, value]) => value !== null || listing.sources[name] === "corrected"),
  );
}
