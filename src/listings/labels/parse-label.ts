import { OperatorError } from "../../base/errors.ts";
import { LABEL_CONDITIONS, LABEL_SETS, LABEL_SIDES, type Label } from "./label.ts";

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
