import assert from "node:assert/strict";
import { normalizeReference } from "../../src/base/text.ts";
import { buildCatalogue, type Catalogue } from "../../src/extraction/catalogue/catalogue.ts";
import { extract } from "../../src/extraction/extract.ts";
import type {
  ExtractedListing,
  Extraction,
  ExtractionInput,
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

/** Returns what a catalogue knows about a reference of a brand. */
export function findKnown(catalogue: Catalogue, brand: string, reference: string) {
  const entries = catalogue.known.get(normalizeReference(reference));
  return entries?.find((entry) => entry.brand === brand);
}
