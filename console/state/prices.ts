/** How asks stand against the market now, and the rates by which those in other currencies are compared. */
import type { FxRate, Listing, PricedListing } from "../../client/assay-client.ts";
import { api, toFailure } from "../api.ts";

/** By listing. */
export type Prices = ReadonlyMap<string, PricedListing>;

/** A call for prices takes as many ids. */
export const PRICES_MAX = 100;
/** No market has more currencies than this. */
const CURRENCIES_MAX = 200;

/** One call for a page of a list. Rows are useful without prices, so a failure here only leaves the column empty. */
export async function readPrices(listings: readonly Listing[]): Promise<Prices> {
  const listing_ids = listings
    .filter(({ side }) => side === "for_sale")
    .map(({ id }) => id)
    .slice(0, PRICES_MAX);
  if (listing_ids.length === 0) return new Map();
  try {
    const { items } = await api.listPriceEngineMatches({ listing_ids });
    return new Map(items.map((item) => [item.listing_id, item]));
  } catch (error) {
    if (toFailure(error).kind === "broken") reportError(error);
    return new Map();
  }
}

/** The rate by which asks of each currency are compared now, by currency. */
export async function readRates(signal: AbortSignal): Promise<readonly FxRate[]> {
  const { items } = await api.listFxRates({ is_latest: true, limit: CURRENCIES_MAX }, { signal });
  return items.toSorted((left, right) => left.currency.localeCompare(right.currency));
}

/** The one that is the longest out of date. A pegged rate does not age. */
export function findOldestRate(rates: readonly FxRate[]): FxRate | undefined {
  return rates
    .filter(({ kind }) => kind === "declared" || kind === "ecb")
    .toSorted((left, right) => right.age_days - left.age_days)[0];
}
