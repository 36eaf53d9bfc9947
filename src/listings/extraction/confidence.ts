import type { ExtractedListing, FieldSource, ListingField } from "./extraction.ts";

/**
 * How much of a watch is told rather than inferred, 0 to 1. The weights are those that a public dealer tool uses to admit
 * asks to its statistics (reference 35, condition 20, price 20, year 15, currency 10, admitted from 85 on); what a header
 * or a setting said counts for less than the watch's own words.
 */
export function toConfidence(listing: {
  readonly isKnown: boolean;
  readonly fields: Partial<ExtractedListing>;
  readonly sources: Readonly<Partial<Record<ListingField, FieldSource>>>;
}): number {
  const { fields, sources } = listing;
  let points = 0;
  if (fields.reference !== undefined) points += listing.isKnown ? 35 : 25;
  else points += 15;
  if (fields.condition !== undefined) points += sources.condition === "explicit" ? 20 : 12;
  if (fields.year !== undefined) points += sources.year === "explicit" ? 15 : 9;
  if (fields.price !== undefined) {
    points += 20;
    points += sources.currency === "explicit" ? 10 : sources.currency === "section" ? 7 : 5;
  }
  return points / 100;
}
