/**
 * Amounts that are far from what their watch is asked for or worth: a thousand times too low is a point that was meant for
 * thousands. Such an amount is kept as it is, and whoever writes it is told.
 *
 * Example: the ask is 143,000 HKD. An offer of 138,000 is 350 bps below it; one of 138 is far from it.
 */
import { showAmount } from "../base/text.ts";
import { type DatedRateOf, toEurPrice } from "../rates/fx.ts";
import type { Amount, Deal } from "./deal.ts";

/** What an amount is compared with. */
export interface AmountTerms {
  readonly asked?: Amount | undefined;
  readonly askedEurMinor?: number | undefined;
  readonly averageEurMinor?: number | undefined;
}

/** How far an amount is from another one; below it the share is negative. */
interface Distance {
  readonly bps: number;
  readonly is_far: boolean;
}

export interface Compared {
  readonly ask?: Distance;
  readonly market?: Distance;
}

/** Costs are a part of a watch, all other amounts are about the whole of it. */
type AmountPart = "watch" | "other";

interface ComparedAt {
  readonly part: AmountPart;
  readonly rateOf: DatedRateOf;
  readonly nowMs: number;
}

/** Without a rate an amount is compared only with one in its own currency. */
export function compareAmount(
  amount: Amount,
  { asked, askedEurMinor, averageEurMinor }: AmountTerms,
  { part, rateOf, nowMs }: ComparedAt,
): Compared {
  const { amount_minor: amountMinor, currency } = amount;
  const eurMinor = toEurPrice({ amountMinor, currency }, nowMs, rateOf)?.eurMinor;
  const isOfAsk = asked?.currency === currency;
  const ask = isOfAsk
    ? distanceOf(amountMinor, asked.amount_minor, part)
    : distanceOf(eurMinor, askedEurMinor, part);
  const market = distanceOf(eurMinor, averageEurMinor, part);
  return { ...(ask === undefined ? {} : { ask }), ...(market === undefined ? {} : { market }) };
}

/** Nobody offers less than half of an ask or pays more than its double. Costs are less than half of the watch. */
const FAR_FACTOR = 2;

function distanceOf(
  minor: number | undefined,
  baseMinor: number | undefined,
  part: AmountPart,
): Distance | undefined {
  if (minor === undefined || baseMinor === undefined || baseMinor <= 0) return undefined;
  const isFar =
    part === "other"
      ? minor * FAR_FACTOR > baseMinor
      : minor * FAR_FACTOR < baseMinor || minor > baseMinor * FAR_FACTOR;
  return { bps: Math.round(((minor - baseMinor) * 10_000) / baseMinor), is_far: isFar };
}

export function termsOf({ asked, watch, price }: Deal): AmountTerms {
  return {
    asked,
    askedEurMinor: watch.price_eur_minor,
    averageEurMinor: price?.average_eur_minor,
  };
}

/** In words: each amount of the deal that is far from the ask, from the market, or from both. */
export function listFarAmounts(deal: Deal, at: Omit<ComparedAt, "part">): readonly string[] {
  const terms = termsOf(deal);
  const { offer, paid, sold, cost_eur_minor: costMinor } = deal;
  const costs = costMinor === undefined ? undefined : { amount_minor: costMinor, currency: "EUR" };
  return Object.entries({ offer, paid, sold, cost_eur_minor: costs }).flatMap(
    ([member, amount]) => {
      if (amount === undefined) return [];
      const part = member === "cost_eur_minor" ? "other" : "watch";
      const { ask, market } = compareAmount(amount, terms, { ...at, part });
      const shown = `${showAmount(amount.amount_minor)} ${amount.currency}`;
      return Object.entries({ ask, market }).flatMap(([name, distance]) =>
        distance?.is_far === true
          ? [`${member}: ${shown} is ${farWords(distance, part)} the ${name}`]
          : [],
      );
    },
  );
}

function farWords({ bps }: Distance, part: AmountPart): string {
  if (part === "other") return "more than half of";
  return bps < 0 ? "less than half of" : "more than double";
}
