import type { Catalogue } from "./catalogue/catalogue.ts";
import type { PhraseMatch } from "./lexicon.ts";
import type { Token } from "./tokens.ts";

/** A reference found in a line: characters `start` up to but without `end`. */
export interface ReferenceMatch {
  readonly start: number;
  readonly end: number;
  /** As written, without a dial code that the dealer glued to it. */
  readonly text: string;
  readonly brand: string;
  readonly model: string | undefined;
  readonly launchedYear: number | undefined;
  /** The dial that a glued code stands for. */
  readonly dial: string | undefined;
  /** The known reference that a misspelt one stands for. */
  readonly repaired: string | undefined;
  readonly isKnown: boolean;
  /** Only digits: a number of the same shape could be a price. */
  readonly isDigitsOnly: boolean;
}

export interface ReferenceContext {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly phrases: readonly PhraseMatch[];
  readonly catalogue: Catalogue;
  /** Houses named in this line, in the header above it, or earlier in the message. */
  readonly brands: ReadonlySet<string>;
  /** A line above has a reference that cannot be taken for an amount. */
  readonly isBelowReference: boolean;
}
