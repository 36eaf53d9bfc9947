import {
  CARD_MONTHS,
  CORRECTION_FIELDS,
  type CorrectionField,
  type CorrectionValue,
  isCorrectionText,
  WORDS_MAX,
  YEARS,
} from "../listings/corrections/correction.ts";
import { CONDITIONS, FULL_SET_STATUSES, SIDES, STATUSES } from "../listings/listing.ts";
import { parseAmount } from "./amount-words.ts";
import { UsageError } from "./command.ts";

/** The fields that are written as `field=value`. */
const NAMED_FIELDS = CORRECTION_FIELDS.filter((field) => field !== "is_listing");

/** Parses `year=2021`. An empty value means that the listing has none. */
export function parseAssignment(word: string): readonly [CorrectionField, CorrectionValue] {
  const at = word.indexOf("=");
  if (at < 0) throw new UsageError(`expected field=value, not "${word}"`);
  const field = parseField(word.slice(0, at));
  if (field === "is_listing") throw new UsageError("write --is-a-listing or --not-a-listing");
  const text = word.slice(at + 1).trim();
  if (text === "" && field === "side")
    throw new UsageError(`side must be one of: ${SIDES.join(", ")}`);
  return [field, text === "" ? null : parseValue(field, text)];
}

export function parseField(name: string): CorrectionField {
  const field = CORRECTION_FIELDS.find((known) => known === name.trim().toLowerCase());
  if (field !== undefined) return field;
  throw new UsageError(`there is no field "${name}"; fields: ${NAMED_FIELDS.join(", ")}`);
}

/** A value in words, for the terminal. */
export function describeValue(value: CorrectionValue): string {
  if (value === null) return "none";
  if (typeof value !== "object") return String(value);
  if (!("amount_minor" in value)) return value.length === 0 ? "none" : value.join(", ");
  const amount = (value.amount_minor / 100).toLocaleString("en-US", { minimumFractionDigits: 2 });
  return `${amount} ${value.currency}`;
}

/** The field `is_listing` in words. */
export function describeListing(value: CorrectionValue): string {
  return value === false ? "no" : "yes";
}

function parseValue(field: Exclude<CorrectionField, "is_listing">, text: string): CorrectionValue {
  switch (field) {
    case "side":
      return parseWord(field, text, SIDES);
    case "condition":
      return parseWord(field, text, CONDITIONS);
    case "status":
      return parseWord(field, text, STATUSES);
    case "full_set_status":
      return [
        ...new Set(text.split(",").map((word) => parseWord(field, word, FULL_SET_STATUSES))),
      ].sort();
    case "year":
      return parseNumber(field, text, YEARS);
    case "card_month":
      return parseNumber(field, text, CARD_MONTHS);
    case "price":
    case "alternative_price":
      return parseAmount(text, { name: field, kind: "watch" });
    default:
      return parseText(field, text);
  }
}

function parseWord(field: CorrectionField, text: string, words: readonly string[]): string {
  const wanted = text
    .trim()
    .replace(/[\s-]+/g, "_")
    .toLowerCase();
  const found = words.find((word) => word.toLowerCase() === wanted);
  if (found !== undefined) return found;
  throw new UsageError(`${field} must be one of: ${words.join(", ")}; not "${text}"`);
}

function parseNumber(
  field: CorrectionField,
  text: string,
  { min, max }: { readonly min: number; readonly max: number },
): number {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(`${field} must be a number from ${min} to ${max}, not "${text}"`);
}

function parseText(field: CorrectionField, text: string): string {
  if (!isCorrectionText(text))
    throw new UsageError(`${field} must be words, at most ${WORDS_MAX} characters`);
  return text;
}
