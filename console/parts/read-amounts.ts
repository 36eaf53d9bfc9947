/** What an amount that was typed means: how it is shown, how far it is from the ask, and whether that is asked about. */
import type { ParsedAmount } from "../../client/assay-client.ts";
import { formatAmount, formatPercent, formatShare, numbers } from "../words/formats.ts";
import { words } from "../words/words.ts";

/** An amount that was understood. */
export type ReadAmount = NonNullable<ParsedAmount["amount"]>;
type Distance = NonNullable<ParsedAmount["ask"]>;

/** From here on, how many times as much says more than per cent. */
const TIMES_BPS = 20_000;
const formatTimes = numbers({ maximumFractionDigits: 0 });

/** `HK$138,000`: exact, because it is what is saved. */
export function showRead({ amount_minor, currency }: ReadAmount): string {
  return formatAmount({ minor: amount_minor, currency, isExact: true });
}

/** Without its currency, where that stands beside the field: `138,000`. */
export function showBare({ amount_minor }: Pick<ReadAmount, "amount_minor">): string {
  return formatAmount({ minor: amount_minor, currency: "", isExact: true }).trim();
}

/** What an amount is compared with: the ask, or the market only. Costs are a share of the ask. */
export type ComparedWith = "ask" | "market" | "share";

/** `HK$138,000, 3.5% below the ask`. Of several distances a far one is said, else that from the ask. */
export function describeRead(found: ParsedAmount, comparedWith: ComparedWith): string {
  if (found.amount === undefined) return "";
  const shown = showRead(found.amount);
  const { ask, market } = distancesOf(found, comparedWith);
  const name = ask === undefined || (market?.is_far === true && !ask.is_far) ? "market" : "ask";
  const distance = name === "ask" ? ask : market;
  if (distance === undefined) return shown;
  if (comparedWith !== "share")
    return `${shown}, ${describeDistance(distance, words.amounts[name])}`;
  return distance.is_far
    ? `${shown}, ${words.amounts.shareOf(formatPercent(1 + distance.bps / 10_000), words.amounts[name])}`
    : shown;
}

/** True if it is asked about before it is saved. */
export function isFar(found: ParsedAmount, comparedWith: ComparedWith): boolean {
  const { ask, market } = distancesOf(found, comparedWith);
  return ask?.is_far === true || market?.is_far === true;
}

function distancesOf({ ask, market }: ParsedAmount, comparedWith: ComparedWith) {
  return {
    ask: comparedWith === "market" ? undefined : ask,
    market,
  };
}

function describeDistance({ bps }: Distance, base: string): string {
  const { same, times, below, above } = words.amounts;
  if (bps === 0) return same(base);
  if (bps >= TIMES_BPS) return times(formatTimes(1 + bps / 10_000), base);
  return (bps < 0 ? below : above)(formatShare(Math.abs(bps) / 10_000), base);
}
