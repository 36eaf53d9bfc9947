/** The result of reading a message. The names are those of the API. */

export type Side = "for_sale" | "want_to_buy";
export type MessageType = "selling" | "buying" | "personal" | "unknown";
export type Condition = "NEW" | "LIKE_NEW" | "USED";
export type FullSetStatus = "FULL_SET" | "WATCH_AND_CARD" | "WATCH_AND_BOX" | "WATCH";
export type ListingStatus = "sold" | "on_hold";

/**
 * Where a value came from: the watch's own text, a header or other text for several watches, a setting, a reply to the
 * message, or a person.
 */
export type FieldSource = "explicit" | "section" | "default" | "reply" | "corrected";

export type ListingField =
  | "side"
  | "brand"
  | "model"
  | "reference"
  | "dialType"
  | "variant"
  | "year"
  | "cardMonth"
  | "condition"
  | "fullSetStatus"
  | "price"
  | "currency"
  | "alternativePrice"
  | "retailPrice"
  | "status";

/** Integer minor units, 1/100 for every currency. */
export interface Price {
  readonly amountMinor: number;
  readonly currency: string;
}

/** Characters `start` up to but not including `end` of a normalised line. `text/text-spans.ts` finds them in the text. */
export interface LineSpan {
  /** Zero-based line number in the message. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** Normalised words of the message and where they are. Several pieces are in the order of the text. */
export interface Quote {
  readonly words: string;
  readonly lineSpans: readonly LineSpan[];
}

/** The words that a value came from. They answer why a listing has this value. A default has no words. */
export interface Evidence extends Quote {
  readonly field: ListingField;
  readonly source: FieldSource;
}

/** A value that was found but not used, because it would have been a guess. */
export interface LeftOut extends Quote {
  readonly field: ListingField;
  readonly reason:
    | "malformed_number"
    | "unit_contradicts_size"
    | "unit_unknown"
    | "currency_unknown"
    | "currency_implausible"
    | "several_prices"
    | "date_in_future"
    | "date_before_launch";
}

export interface ExtractedListing {
  readonly side: Side;
  readonly brand?: string;
  readonly model?: string;
  /** As the dealer wrote it. */
  readonly reference?: string;
  readonly referenceNormalized?: string;
  readonly dialType?: string;
  readonly variant?: string;
  readonly year?: number;
  readonly cardMonth?: number;
  readonly condition?: Condition;
  readonly fullSetStatus?: readonly FullSetStatus[];
  readonly price?: Price;
  readonly alternativePrice?: Price;
  readonly retailPrice?: Price;
  readonly status?: ListingStatus;
  /** Zero-based line and position in the line. Together they identify the listing in its message. */
  readonly position: { readonly firstLine: number; readonly ordinal: number };
  /** Zero-based numbers of the lines that describe this watch. */
  readonly sourceLines: readonly number[];
  /** Those of the lines above it, or below the last watch, that apply to it and to other watches. At most 16. */
  readonly headerLines: readonly number[];
  /** Of its lines that describe other watches too, the parts that are about this one. Absent if there are none. */
  readonly ownSpans?: readonly LineSpan[];
  readonly sources: Readonly<Partial<Record<ListingField, FieldSource>>>;
  readonly evidence: readonly Evidence[];
  /** 0 to 1, see `listing/listing-draft.ts`. */
  readonly confidence: number;
  /** What lowered the confidence. */
  readonly doubts: readonly string[];
  readonly leftOut: readonly LeftOut[];
}

export interface Rejection {
  readonly reason:
    | "empty"
    | "no_watch"
    | "not_an_offer"
    | "part_or_accessory"
    | "wanted_without_watch"
    | "text_cut"
    | "too_many_listings";
}

export interface ExtractionInput {
  readonly text: string;
  /** The sender's calling code, digits only: `852`. */
  readonly senderCountry?: string;
  readonly messageDate?: MessageDate;
  readonly defaultCurrency?: string;
}

/** The rules need only the month, and the day of a message is not always known. */
export interface MessageDate {
  readonly year: number;
  readonly month: number;
}

export interface Extraction {
  readonly version: number;
  readonly side?: Side;
  readonly messageType: MessageType;
  readonly listings: readonly ExtractedListing[];
  /**
   * Watches with a reference of the catalogue and an ask that are no listings, because their lines were read as talk. None
   * has the position of a listing, and each has the position that it would have as one.
   */
  readonly notOffered: readonly ExtractedListing[];
  /** Zero-based numbers of the lines that belong to no watch: greetings, terms, places. Empty lines are left out. */
  readonly sharedLines: readonly number[];
  readonly rejections: readonly Rejection[];
}
