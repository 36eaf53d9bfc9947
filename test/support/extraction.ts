import assert from "node:assert/strict";
import { normalizeReference } from "../../src/base/text.ts";
import { buildCatalogue, type Catalogue } from "../../src/extraction/catalogue/catalogue.ts";
import { extract } from "../../src/extraction/extract.ts";
import type {
  ExtractedListing,
  Extraction,
  ExtractionInput,
  Price,
} from "../../src/extraction/extraction.ts";

export const builtInCatalogue = buildCatalogue();

/** Reads a message of April 2026 in a group with the default currency EUR, unless `input` says otherwise. */
export function readMessage(text: string, input: Partial<ExtractionInput> = {}): Extraction {
  const defaults = { messageDate: { year: 2026, month: 4 }, defaultCurrency: "EUR" };
  return extract({ ...defaults, ...input, text }, builtInCatalogue);
}

/** Returns the only watch of a message. */
export function readWatch(text: string, input: Partial<ExtractionInput> = {}): ExtractedListing {
  const { listings } = readMessage(text, input);
  assert.equal(listings.length, 1, `${listings.length} listings in: ${text}`);
  return listings[0] as ExtractedListing;
}

/** Returns "12500 EUR", or "none". */
export function readPrice(text: string, input: Partial<ExtractionInput> = {}): string {
  return showPrice(readWatch(text, input).price) ?? "none";
}

function showPrice(price: Price | undefined): string | undefined {
  return price && `${price.amountMinor / 100} ${price.currency}`;
}

/** Returns what a catalogue knows about a reference of a brand. */
export function findKnown(catalogue: Catalogue, brand: string, reference: string) {
  const entries = catalogue.known.get(normalizeReference(reference));
  return entries?.find((entry) => entry.brand === brand);
}

type ShownField =
  | "side"
  | "brand"
  | "model"
  | "reference"
  | "referenceNormalized"
  | "dialType"
  | "variant"
  | "year"
  | "condition"
  | "fullSetStatus"
  | "price"
  | "status";

function showField(listing: ExtractedListing, field: ShownField): string {
  if (field === "price") return showPrice(listing.price) ?? "-";
  if (field === "fullSetStatus") return listing.fullSetStatus?.join("+") ?? "-";
  return `${listing[field] ?? "-"}`;
}

/**
 * Checks the watches of each message. A watch is shown as its fields with " | " between them, a missing field as "-":
 * "126334 | 2021 | 11000 EUR".
 */
export function assertWatches(
  fields: readonly ShownField[],
  cases: Readonly<Record<string, readonly string[]>>,
  input: Partial<ExtractionInput> = {},
): void {
  const readings = Object.keys(cases).map((text) => {
    const { listings } = readMessage(text, input);
    return [
      text,
      listings.map((listing) => fields.map((field) => showField(listing, field)).join(" | ")),
    ];
  });

  assert.deepEqual(Object.fromEntries(readings), cases);
}
