import type { ExtractedListing, FieldSource, ListingField } from "../../extraction/extraction.ts";
import type { CorrectedPrice, CorrectionField, CorrectionValue } from "./correction.ts";

/** A listing as extraction and corrections together read it. */
export type CorrectedListing = Omit<ExtractedListing, "sources"> & {
  /** `isListing` is there if a person said that this is no listing. */
  readonly sources: Readonly<Partial<Record<ListingField | "isListing", FieldSource>>>;
};

/**
 * Puts the corrected values in place of those that were read. A person who corrects the reference, the price or the year
 * has checked the listing, so its confidence is 1.
 */
export function applyCorrections(
  listing: ExtractedListing,
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
    if (field === "is_listing") continue;
    if (value === null) members.delete(name);
    else members.set(name, isPrice(value) ? toPrice(value) : value);
  }
  if (CHECKED.some((field) => values.has(field))) members.set("confidence", 1);
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
