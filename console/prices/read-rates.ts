import type { FxRate } from "../../client/assay-client.ts";
import { api } from "../api.ts";

/** No market has more currencies than this. */
const CURRENCIES_MAX = 200;

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
