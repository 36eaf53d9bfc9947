import type { Quote } from "../extraction.ts";
import type { Amount } from "./amounts.ts";

/** Why a number counts as money: what is next to it, from strong to weak. */
export type PriceStrength = "currency" | "dollar" | "unit" | "grouped" | "bare";

export const STRENGTH_RANK: Readonly<Record<PriceStrength, number>> = {
  currency: 4,
  dollar: 3,
  unit: 2,
  grouped: 1,
  bare: 0,
};

/** An amount of money in a line: tokens `from` up to but not including `to`, currency words included. */
export interface PriceMention {
  readonly from: number;
  readonly to: number;
  readonly amount: Amount;
  readonly strength: PriceStrength;
  /** The currency next to the amount. Undefined after a bare `$`, which could be any dollar. */
  readonly currency: string | undefined;
  readonly isRetail: boolean;
  /** The new price after a reduction: after an arrow, "now" or "reduced to". */
  readonly isLowered: boolean;
  /** 37 if "-37 %" follows the list price. */
  readonly discountPercent: number | undefined;
  readonly quote: Quote;
}

/** Returns the number as written, with its unit. */
export function amountValue(price: PriceMention): number {
  return price.amount.kind === "malformed" ? 0 : price.amount.value;
}

/** No dealer offers a watch for less, in any currency. */
const SMALL_SUM_MAX = 200;

/** "Shipping $95": too little for a watch. "$95k" and "9.5" are not small. */
export function isSmallSum({ amount }: PriceMention): boolean {
  return amount.kind === "whole" && !amount.hasUnit && amount.value < SMALL_SUM_MAX;
}
