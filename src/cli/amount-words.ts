import { buildCatalogue, type Catalogue } from "../extraction/catalogue/catalogue.ts";
import {
  AMOUNT_LENGTH_MAX,
  type AmountKind,
  type AmountProblem,
  readTypedAmount,
  type TypedAmount,
} from "../filters/typed/typed-amount.ts";
import { UsageError } from "./command.ts";

/** Parses `138k HKD`. Without `currency`, the text must name one. `name` says in the error what was typed. */
export function parseAmount(
  text: string,
  {
    name,
    kind,
    currency,
  }: { readonly name: string; readonly kind: AmountKind; readonly currency?: string },
): TypedAmount {
  catalogue ??= buildCatalogue();
  const amount =
    text.length > AMOUNT_LENGTH_MAX
      ? "unknown_words"
      : readTypedAmount(text, { catalogue, kind, currency });
  if (typeof amount === "object") return amount;
  throw new UsageError(
    `${name}: "${text}" ${WHY[amount]}; write an amount such as 11,500 EUR or 98k HKD`,
  );
}

/** It takes a quarter of a second, and the words of a dealer's own catalogue name no money. */
let catalogue: Catalogue | undefined;

const WHY: Readonly<Record<AmountProblem, string>> = {
  no_amount: "is no amount",
  malformed_number: "is no number",
  several_amounts: "has several amounts",
  unknown_words: "is more than an amount",
  unit_contradicts_size: "is more or less than any watch costs",
  currency_missing: "has no currency",
};
