/**
 * A correction is what a person says about one field of one listing. It belongs to a place in a text, not to a message:
 * text identity, line, ordinal, and the reference that extraction reads there. So it survives replays, re-extractions and
 * merges, and it holds for every post of the text, also by another dealer.
 *
 * Invariant: corrections are only added. To undo one is to add a newer one that is marked as undone, and the newest by
 * (time, id) counts. So the result depends on the set of corrections, not on the order in which they were stored.
 *
 * Example: price = 8,950 EUR at 10:00, price = 8,900 EUR at 11:00, undone at 12:00: the price is the one in the text.
 */
import { isDeepStrictEqual } from "node:util";
import { toStableId } from "../../base/ids.ts";
import { isStorableText, normalizeReference } from "../../base/text.ts";
import type { FieldSource, ListingField } from "../../extraction/extraction.ts";
import { WORD_FILES } from "../../extraction/words/words.ts";
import type { LeftOutReason } from "../listing.ts";
import type { RepliedListing } from "../replies/reply.ts";

/** The fields that can be corrected, by their names in the API. */
export const CORRECTION_FIELDS = [
  "side",
  "brand",
  "model",
  "reference",
  "dial_type",
  "variant",
  "year",
  "card_month",
  "condition",
  "full_set_status",
  "price",
  "alternative_price",
  "status",
  "is_listing",
] as const;
export type CorrectionField = (typeof CORRECTION_FIELDS)[number];

export interface CorrectedPrice {
  readonly amount_minor: number;
  readonly currency: string;
}

/** Null: the listing has no such value. `is_listing` is true or false. */
export type CorrectionValue = string | number | boolean | readonly string[] | CorrectedPrice | null;

/** What extraction knows about a message besides its text; it decides the currency of a price. */
interface PriceInputs {
  readonly default_currency: string | null;
  /** The calling code; null if the sender's number is not known. */
  readonly sender_country: string | null;
}

/** Where a correction holds. Corrections with the same scope replace each other. */
export interface CorrectionScope extends PriceInputs {
  /** In hex. */
  readonly identity_sha256: string;
  readonly line: number;
  readonly ordinal: number;
  /** As read; empty if extraction reads none. */
  readonly reference_normalized: string;
  readonly field: CorrectionField;
}

export interface Correction extends CorrectionScope {
  readonly id: string;
  readonly value: CorrectionValue;
  readonly is_undone: boolean;
  readonly corrected_at_ms: number;
}

/** Why a correction does not hold for a message. */
export type SetAsideReason = "other_reference" | "other_currency_or_country" | "no_listing";

/** The place of a listing as extraction reads it now. */
export interface ReadPlace extends PriceInputs {
  readonly reference_normalized: string;
  /** Other default currencies under which the prices here are read the same: the text has its own currency, or no price. */
  readonly equal_currencies: readonly (string | null)[];
}

interface ChosenCorrections {
  readonly values: ReadonlyMap<CorrectionField, CorrectionValue>;
  /** By the id of the correction. */
  readonly setAside: ReadonlyMap<string, SetAsideReason>;
}

/**
 * Chooses what holds among the corrections of one place. Without `read`, extraction finds no listing there. A correction
 * is set aside only if nothing else was said about its field under the present reading, and of several the newest one is.
 */
export function chooseCorrections(
  corrections: readonly Correction[],
  read: ReadPlace | undefined,
): ChosenCorrections {
  const values = new Map<CorrectionField, CorrectionValue>();
  const setAside = new Map<string, SetAsideReason>();
  const latest = latestOfScopes(corrections);
  for (const field of new Set(latest.map((correction) => correction.field))) {
    const ofField = latest.filter((correction) => correction.field === field);
    const newest = ofField.find((correction) => read !== undefined && fits(correction, read));
    if (newest !== undefined) {
      if (!newest.is_undone) values.set(field, newest.value);
      continue;
    }
    const unused = ofField.find(({ is_undone }) => !is_undone);
    // A reader that finds no listing agrees with a person who says that there is none.
    if (read === undefined && unused?.value === false) continue;
    if (unused !== undefined) setAside.set(unused.id, reasonOf(unused, read));
  }
  return { values, setAside };
}

/** The newest correction of each scope, undone ones included; the newest first. */
export function latestOfScopes(corrections: readonly Correction[]): readonly Correction[] {
  const latest = new Map<string, Correction>();
  for (const correction of corrections.toSorted(compareNewestFirst)) {
    const scope = JSON.stringify(scopeKeyOf(correction));
    if (!latest.has(scope)) latest.set(scope, correction);
  }
  return [...latest.values()];
}

/** A price that was corrected while the sender's country was not known holds when it becomes known. */
export function fits(correction: Correction, read: ReadPlace): boolean {
  if (correction.reference_normalized !== read.reference_normalized) return false;
  if (!isPriceField(correction.field)) return true;
  const { default_currency, sender_country } = correction;
  return (
    (default_currency === read.default_currency ||
      read.equal_currencies.includes(default_currency)) &&
    // To undo a price of an unknown country undoes nothing that was corrected for a known one.
    ((sender_country === null && !correction.is_undone) || sender_country === read.sender_country)
  );
}

export function isPriceField(field: CorrectionField): boolean {
  return field === "price" || field === "alternative_price";
}

export function isSameValue(left: CorrectionValue, right: CorrectionValue): boolean {
  return isDeepStrictEqual(left, right);
}

/** Adds the id, which follows from everything else. */
export function withId(correction: Omit<Correction, "id">): Correction {
  const { value, is_undone, corrected_at_ms } = correction;
  const key = [...scopeKeyOf(correction), corrected_at_ms, is_undone, value];
  return { id: toStableId("correction", JSON.stringify(key)), ...correction };
}

function scopeKeyOf(scope: CorrectionScope): readonly unknown[] {
  const { identity_sha256, line, ordinal, reference_normalized, field } = scope;
  const { default_currency, sender_country } = scope;
  return [
    identity_sha256,
    line,
    ordinal,
    reference_normalized,
    field,
    default_currency,
    sender_country,
  ];
}

function compareNewestFirst(left: Correction, right: Correction): number {
  return (
    right.corrected_at_ms - left.corrected_at_ms ||
    (left.id === right.id ? 0 : left.id < right.id ? 1 : -1)
  );
}

function reasonOf(correction: Correction, read: ReadPlace | undefined): SetAsideReason {
  if (read === undefined) return "no_listing";
  return correction.reference_normalized === read.reference_normalized
    ? "other_currency_or_country"
    : "other_reference";
}

/** A listing as its text, the replies to it and corrections say. */
export type CorrectedListing = Omit<RepliedListing, "sources"> & {
  /** `isListing` is there if a person said that this is a listing, or none. */
  readonly sources: Readonly<Partial<Record<ListingField | "isListing", FieldSource>>>;
};

/**
 * Puts the corrected values in place of those that were read. A person who corrects the reference, the price or the year, or
 * says that this is a listing, has checked it, so its confidence is 1.
 */
export function applyCorrections(
  listing: RepliedListing,
  values: ReadonlyMap<CorrectionField, CorrectionValue>,
): CorrectedListing {
  if (values.size === 0) return listing;
  const members = new Map<string, unknown>(Object.entries(listing));
  const sources = new Map<string, FieldSource>(Object.entries(listing.sources));
  for (const [field, value] of values) {
    const name = MEMBERS[field];
    sources.set(name, "corrected");
    if (field === "price" && value === null) sources.delete("currency");
    else if (field === "price") sources.set("currency", "corrected");
    // It follows from the reference, unless extraction repaired a typing error in it.
    if (field === "reference") members.delete("referenceNormalized");
    if (field === "is_listing") {
      if (value === false) members.set("leftOutReason", "corrected" satisfies LeftOutReason);
      else members.delete("leftOutReason");
    } else if (value === null) members.delete(name);
    else members.set(name, isPrice(value) ? toPrice(value) : value);
  }
  const isChecked = CHECKED.some((field) => values.has(field)) || values.get("is_listing") === true;
  if (isChecked) members.set("confidence", 1);
  members.set("sources", Object.fromEntries(sources));
  return Object.fromEntries(members) as unknown as CorrectedListing;
}

const CHECKED: readonly CorrectionField[] = ["reference", "price", "year"];

const MEMBERS: Readonly<Record<CorrectionField, ListingField | "isListing">> = {
  side: "side",
  brand: "brand",
  model: "model",
  reference: "reference",
  dial_type: "dialType",
  variant: "variant",
  year: "year",
  card_month: "cardMonth",
  condition: "condition",
  full_set_status: "fullSetStatus",
  price: "price",
  alternative_price: "alternativePrice",
  status: "status",
  is_listing: "isListing",
};

function isPrice(value: CorrectionValue): value is CorrectedPrice {
  return typeof value === "object" && value !== null && "amount_minor" in value;
}

function toPrice({ amount_minor, currency }: CorrectedPrice) {
  return { amountMinor: amount_minor, currency };
}

/** What a corrected value may be, wherever it is written: on the command line or in a request. */
export const YEARS = { min: 1800, max: 2100 };
export const CARD_MONTHS = { min: 1, max: 12 };
export const WORDS_MAX = 100;
/** Twelve digits before the point. */
export const AMOUNT_MINOR_MAX = 99_999_999_999_999;

/** `code` is in upper case. */
export function isCurrency(code: string): boolean {
  return (
    Object.hasOwn(WORD_FILES.currency, code) || Intl.supportedValuesOf("currency").includes(code)
  );
}

/** True for words in one line that say something. */
export function isCorrectionText(text: string): boolean {
  return (
    normalizeReference(text) !== "" &&
    text.length <= WORDS_MAX &&
    isStorableText(text) &&
    !/[\r\n]/.test(text)
  );
}
