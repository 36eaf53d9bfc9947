import { foldWord, normalizeReference } from "../base/text.ts";

export const SIDES = ["for_sale", "want_to_buy"] as const;
export const MESSAGE_TYPES = ["selling", "buying", "personal", "unknown"] as const;
export const CONDITIONS = ["NEW", "LIKE_NEW", "USED"] as const;
export const STATUSES = ["sold", "on_hold"] as const;
export const FULL_SET_STATUSES = ["FULL_SET", "WATCH_AND_CARD", "WATCH_AND_BOX", "WATCH"] as const;

/** Why a listing is kept but left out of the market: it was read as talk, or a person said that it is none. */
export const LEFT_OUT_REASONS = ["not_an_offer", "corrected"] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

/** All that a filter reads of a listing, normalised; null if the listing has no such value. */
export interface ListingFacts {
  readonly id: string;
  readonly side: (typeof SIDES)[number];
  readonly message_type: (typeof MESSAGE_TYPES)[number];
  readonly brand_folded: string | null;
  readonly model_folded: string | null;
  readonly reference_normalized: string | null;
  readonly dial_type_folded: string | null;
  readonly variant_folded: string | null;
  /** From 1 to 9999. */
  readonly year: number | null;
  readonly condition: (typeof CONDITIONS)[number] | null;
  readonly full_set_status: readonly string[];
  readonly price_amount_minor: number | null;
  readonly price_currency: string | null;
  readonly price_eur_minor: number | null;
  /** How far the ask is below the dealer's last one, from 1 to 5,000. */
  readonly price_drop_bps: number | null;
  readonly phone_number: string | null;
  readonly group_ids: readonly string[];
  /** Groups without a name are left out. */
  readonly group_names_folded: readonly string[];
  /** The contact's id and its aliases; empty if there is no contact. */
  readonly contact_ids: readonly string[];
  /** The message's id and its aliases. */
  readonly canonical_message_ids: readonly string[];
  readonly message_timestamp_ms: number;
  readonly last_seen_at_ms: number;
  readonly has_media: boolean;
  readonly is_duplicate: boolean;
  readonly is_hidden: boolean;
  readonly is_revoked: boolean;
  /** Hidden, because it was read as talk. */
  readonly is_not_offered: boolean;
  readonly search_text: string;
}

/** Of a listing that says nothing. */
export const EMPTY_FACTS: ListingFacts = {
  id: "",
  side: "for_sale",
  message_type: "unknown",
  brand_folded: null,
  model_folded: null,
  reference_normalized: null,
  dial_type_folded: null,
  variant_folded: null,
  year: null,
  condition: null,
  full_set_status: [],
  price_amount_minor: null,
  price_currency: null,
  price_eur_minor: null,
  price_drop_bps: null,
  phone_number: null,
  group_ids: [],
  group_names_folded: [],
  contact_ids: [],
  canonical_message_ids: [],
  message_timestamp_ms: 0,
  last_seen_at_ms: 0,
  has_media: false,
  is_duplicate: false,
  is_hidden: false,
  is_revoked: false,
  is_not_offered: false,
  search_text: "",
};

/** The words of a listing as the dealer wrote them. */
export interface ListingWords {
  readonly brand: string | null;
  readonly model: string | null;
  readonly reference: string | null;
  /** Only if extraction corrected a typing error; otherwise it follows from `reference`. */
  readonly reference_normalized?: string | null;
  readonly dial_type: string | null;
  readonly variant: string | null;
}

/** The columns of a listing that are computed from its words alone. */
export function toFoldedColumns(words: ListingWords) {
  return {
    brand_folded: fold(words.brand),
    model_folded: fold(words.model),
    reference_normalized:
      (words.reference_normalized ?? normalizeReference(words.reference ?? "")) || null,
    dial_type_folded: fold(words.dial_type),
    variant_folded: fold(words.variant),
  };
}

// A word of punctuation only folds to an empty string, which counts as no value.
function fold(text: string | null): string | null {
  return foldWord(text ?? "") || null;
}

/** The country calling code of a number: one, two or three digits, as the ITU assigns them. */
export function countryPrefixOf(phoneNumber: string): string {
  if (/^[17]/.test(phoneNumber)) return phoneNumber.slice(0, 1);
  return phoneNumber.slice(0, TWO_DIGIT_CODES.test(phoneNumber) ? 2 : 3);
}

/** Also read by PostgreSQL. */
export const TWO_DIGIT_CODES = /^(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;
