import type { CorrectedPrice } from "../corrections/correction.ts";
import type { CorrectedText, ListingFields } from "../corrections/listing-fields-store.ts";
import { countryPrefixOf } from "../listing.ts";
import {
  LABEL_CONDITIONS,
  LABEL_SETS,
  LABEL_SIDES,
  type LabelledMessage,
  type LabelPrice,
} from "./label.ts";

/**
 * A message as it is read and corrected now, as a label. A value that a person removed is null. What a label cannot express
 * is left out: the variant, a second price that is not one, and a watch with only its box.
 */
export function toLabelledMessage(message: CorrectedText): LabelledMessage {
  const listings = message.listings.filter(({ is_listing }) => is_listing === null);
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
      side: side === undefined ? "none" : side === LABEL_SIDES["wanted"] ? "wanted" : "for_sale",
      listings: listings.map(toListingLabel),
    },
  };
}

function toListingLabel(listing: ListingFields): object {
  const members = {
    brand: listing.brand,
    model: listing.model,
    reference: listing.reference,
    year: listing.year,
    card_month: listing.card_month,
    condition: wordFor(LABEL_CONDITIONS, listing.condition),
    full_set: wordFor(LABEL_SETS, listing.full_set_status.join(",")),
    dial: listing.dial_type,
    price: toLabelPrice(listing.price),
    alt_price: toLabelPrice(listing.alternative_price),
  };
  return Object.fromEntries(
    Object.entries(members).filter(
      ([name, value]) => value !== null || isRemoved(listing, SOURCE_NAMES[name] ?? name),
    ),
  );
}

/** Where a label calls a field by another name than the API. */
const SOURCE_NAMES: Readonly<Record<string, keyof ListingFields>> = {
  full_set: "full_set_status",
  dial: "dial_type",
  alt_price: "alternative_price",
};

/** True if a person said that there is no such value. */
function isRemoved(listing: ListingFields, field: string): boolean {
  if (listing.sources[field] !== "corrected") return false;
  const value = listing[field as keyof ListingFields];
  return value === null || (Array.isArray(value) && value.length === 0);
}

function wordFor(words: Readonly<Record<string, string>>, value: string | null): string | null {
  return Object.keys(words).find((word) => words[word] === value) ?? null;
}

function toLabelPrice(price: CorrectedPrice | null): LabelPrice | null {
  return price === null ? null : { amount: price.amount_minor / 100, currency: price.currency };
}
