/** The orders that the service does not have, for rows that are all here. */
import type { WatchMatch } from "../../../client/assay-client.ts";
import type { BuySort } from "./buys-address.ts";

type Key = string | number | undefined;

/** The order of the service, if it has this one. */
export function toServiceSort({
  by,
  isReversed,
}: BuySort): "newest" | "profit" | "profit_bps" | undefined {
  if (isReversed) return undefined;
  if (by === "below") return "profit";
  if (by === "share") return "profit_bps";
  return by === "age" ? "newest" : undefined;
}

/** Best or smallest first; what has no value comes last, in either direction. Equal ones keep their order. */
export function sortRows(
  rows: readonly WatchMatch[],
  { by, isReversed }: BuySort,
): readonly WatchMatch[] {
  const sign = isReversed ? -1 : 1;
  return rows.toSorted((left, right) => {
    const one = KEYS[by](left);
    const other = KEYS[by](right);
    if (one === undefined || other === undefined) {
      return Number(one === undefined) - Number(other === undefined);
    }
    return sign * compare(one, other);
  });
}

/** What a column is ordered by. Figures of which more is better, and times, are negative. */
const KEYS: Readonly<Record<BuySort["by"], (row: WatchMatch) => Key>> = {
  watch: ({ listing }) => listing?.reference ?? listing?.model ?? listing?.brand,
  year: ({ listing }) => negative(listing?.year),
  condition: ({ listing }) => CONDITIONS[listing?.condition ?? ""],
  set: ({ listing }) => SETS[listing?.full_set_status[0] ?? ""],
  dial: ({ listing }) => listing?.dial_type,
  ask: ({ listing }) => listing?.price_eur_minor,
  landed: ({ price }) => price?.landed_eur_minor,
  market: ({ headline }) => negative(headline?.market_average_eur_minor),
  below: ({ headline }) => negative(headline?.profit_opportunity_eur_minor),
  share: ({ headline }) => negative(shareOf(headline)),
  offer: ({ price, listing }) => negative(offerInEuro(price, listing)),
  dealer: ({ listing }) => listing?.sender.display_name ?? listing?.sender.phone_number,
  age: ({ matched_at_ms }) => -matched_at_ms,
};

const CONDITIONS: Readonly<Record<string, number>> = { NEW: 0, LIKE_NEW: 1, USED: 2 };
const SETS: Readonly<Record<string, number>> = {
  FULL_SET: 0,
  WATCH_AND_CARD: 1,
  WATCH_AND_BOX: 2,
  WATCH: 3,
};

/** How much of the average the profit is. */
function shareOf(headline: WatchMatch["headline"]): number | undefined {
  const { profit_opportunity_eur_minor: profit, market_average_eur_minor: average = 0 } =
    headline ?? {};
  return profit === undefined || average <= 0 ? undefined : profit / average;
}

/** By the rate of the ask itself, only to compare. */
function offerInEuro(
  price: WatchMatch["price"],
  listing: WatchMatch["listing"],
): number | undefined {
  const offer = price?.offer_up_to;
  const { price_eur_minor: euros, price: ask } = listing ?? {};
  if (offer === undefined || euros === undefined || ask === undefined || ask.amount_minor <= 0)
    return undefined;
  return (offer.shown_minor * euros) / ask.amount_minor;
}

function negative(value: number | undefined): number | undefined {
  return value === undefined ? undefined : -value;
}

function compare(one: string | number, other: string | number): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one).localeCompare(String(other), "en", { numeric: true });
}
