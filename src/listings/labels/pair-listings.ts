import { normalizeReference } from "../../base/text.ts";
import type { ExtractedListing, Price } from "../../extraction/extraction.ts";
import type { LabelPrice, ListingLabel } from "./label.ts";

type Pair = readonly [ListingLabel, ExtractedListing | undefined];

/**
 * Finds the listing that each label is about. The surest pairs are made first: by reference and price, then by reference,
 * then by brand where the label has no reference, and at last the only label with the only listing.
 */
export function pairListings(
  labels: readonly ListingLabel[],
  listings: readonly ExtractedListing[],
): readonly Pair[] {
  const rest = new Set(listings);
  const found = new Map<ListingLabel, ExtractedListing>();
  for (const isPair of RULES) {
    for (const label of labels) {
      if (found.has(label)) continue;
      const listing = [...rest].find((candidate) => isPair(label, candidate));
      if (listing === undefined) continue;
      rest.delete(listing);
      found.set(label, listing);
    }
  }
  const [only] = listings;
  return labels.map((label) => {
    const isOnly = labels.length === 1 && listings.length === 1;
    return [label, found.get(label) ?? (isOnly ? only : undefined)];
  });
}

/** References are as written: a base number and one with a dealer's suffix are the same. */
export function sameReference(read: string, expected: string): boolean {
  const [left, right] = [normalizeReference(read), normalizeReference(expected)];
  const isStart = (start: string, whole: string) =>
    start.length >= BASE_LENGTH_MIN && whole.startsWith(start);
  return left === right || isStart(left, right) || isStart(right, left);
}

/** Shorter numbers are not unique enough to stand for a longer one. */
const BASE_LENGTH_MIN = 5;

export function samePrice(read: Price, expected: LabelPrice): boolean {
  return (
    read.amountMinor === Math.round(expected.amount * 100) && read.currency === expected.currency
  );
}

const hasReference = ({ reference }: ListingLabel, listing: ExtractedListing) =>
  reference != null &&
  listing.reference !== undefined &&
  sameReference(listing.reference, reference);

const hasPrice = ({ price }: ListingLabel, listing: ExtractedListing) =>
  price == null || (listing.price !== undefined && samePrice(listing.price, price));

const hasBrand = ({ reference, brand }: ListingLabel, listing: ExtractedListing) =>
  reference == null && normalizeReference(listing.brand ?? "") === normalizeReference(brand ?? "");

const RULES: readonly ((label: ListingLabel, listing: ExtractedListing) => boolean)[] = [
  (label, listing) => hasReference(label, listing) && hasPrice(label, listing),
  hasReference,
  (label, listing) => hasBrand(label, listing) && hasPrice(label, listing),
  hasBrand,
];
