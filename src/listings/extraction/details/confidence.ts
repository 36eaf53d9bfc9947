import type { ExtractedListing, FieldSource, ListingField } from "../extraction.ts";

/**
 * Returns how much of a listing is written in the message rather than inferred, from 0 to 1. The weights come from a
 * public dealer tool, which uses them to accept asks for its statistics (reference 35, condition 20, price 20, year 15,
 * currency 10; accepted from 85 on). A value from a header or a setting counts less than one from the watch's own text.
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
