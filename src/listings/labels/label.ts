/**
 * A labelled message: what goes into extraction, and what must come out. One JSON object per line. A label asserts only the
 * members that it has; null asserts that there is no value.
 *
 * Example: {"input": {"text": "126610LN 2024 €12,500"}, "expected": {"side": "for_sale", "listings": [{"reference":
 * "126610LN", "year": 2024, "condition": null, "price": {"amount": 12500, "currency": "EUR"}}]}}
 */
export interface LabelledMessage {
  readonly input: LabelInput;
  readonly expected: Label;
}

interface LabelInput {
  readonly text: string;
  /** The calling code in digits. */
  readonly sender_country?: string;
  /** Such as 2026-04-02. */
  readonly message_date?: string;
  readonly default_currency?: string;
}

export interface Label {
  /** `none`: the message has no listing. */
  readonly side?: "for_sale" | "wanted" | "none";
  readonly listings?: readonly ListingLabel[];
  /** Only the prices are labelled: exactly these, or none because they are ambiguous. */
  readonly prices?: readonly LabelPrice[] | "ambiguous";
}

export interface ListingLabel {
  readonly brand?: string | null;
  readonly model?: string | null;
  readonly reference?: string | null;
  readonly year?: number | null;
  readonly card_month?: number | null;
  readonly condition?: "new" | "like_new" | "used" | null;
  readonly full_set?: "full_set" | "box_papers" | "watch_card" | "watch_only" | null;
  readonly dial?: string | null;
  readonly price?: LabelPrice | null;
  /** An ask in a second currency, which is right too. */
  readonly alt_price?: LabelPrice | null;
}

export interface LabelPrice {
  readonly amount: number;
  /** If the label does not know it, the price is not compared. */
  readonly currency?: string | null;
}

/** From the words of a label to those of the API. */
export const LABEL_CONDITIONS: Readonly<Record<string, string>> = {
  new: "NEW",
  like_new: "LIKE_NEW",
  used: "USED",
};
export const LABEL_SETS: Readonly<Record<string, string>> = {
  full_set: "FULL_SET",
  box_papers: "FULL_SET",
  watch_card: "WATCH_AND_CARD",
  watch_only: "WATCH",
};
export const LABEL_SIDES: Readonly<Record<string, string>> = {
  for_sale: "for_sale",
  wanted: "want_to_buy",
};
