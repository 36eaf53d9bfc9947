import type { Condition, FullSetStatus, ListingStatus, Side } from "../extraction.ts";

/** Words that a rule looks for, but that are not a value of the listing. `ignored` hides the shorter phrases inside it. */
export type Cue =
  | "retail"
  | "or"
  | "without"
  | "box"
  | "without_box"
  | "without_card"
  | "card"
  | "box_and_card"
  | "unit_of_measure"
  | "count_before"
  | "year_word"
  | "metal"
  | "limit"
  | "other_amount"
  | "label"
  | "ignored";

/** What a word or phrase means in dealer messages. */
export type Meaning =
  | {
      readonly kind: "brand";
      readonly brand: string;
      /** The catalogue lacks the house: this is what is written. */
      readonly isWritten?: boolean;
    }
  | {
      readonly kind: "model";
      readonly brand: string;
      readonly model?: string;
      readonly nickname?: string;
      /** The dial that the nickname means. */
      readonly dial?: string;
    }
  | { readonly kind: "dial"; readonly dial: string; readonly nickname?: string }
  | { readonly kind: "bracelet"; readonly bracelet: string }
  | { readonly kind: "condition"; readonly condition: Condition }
  | {
      readonly kind: "set";
      readonly set: FullSetStatus;
      /** What is said to be missing: "no box". */
      readonly missing?: "box" | "card" | "both";
    }
  | {
      readonly kind: "side";
      readonly side: Side;
      readonly isWeak: boolean;
      /** Says by itself that the watch is for sale or wanted, either anywhere or as the first word of its line. */
      readonly explicit?: "anywhere" | "first_word";
    }
  | { readonly kind: "status"; readonly status: ListingStatus }
  | { readonly kind: "currency"; readonly currency: string }
  | { readonly kind: "place"; readonly currency: string }
  | { readonly kind: "month"; readonly month: number }
  | { readonly kind: "cue"; readonly cue: Cue; readonly bound?: LimitBound };

/** Which side a limit bounds: "under", "at least", "around". */
export type LimitBound = "at_most" | "at_least" | "about";

/** A word of a phrase: the meaning of the phrase that ends here, and the words that can follow. */
export interface PhraseNode {
  meaning?: Meaning;
  readonly next: Map<string, PhraseNode>;
}
