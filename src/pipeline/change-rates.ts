import { type Database, type DatabasePool, LONG_WORK } from "../db/database.ts";
import { listPriceCurrencies } from "../filters/saved-filter-store.ts";
import { queueConvertedListings, queuePricedMessages } from "../listings/price-store.ts";
import {
  areShippedRatesOld,
  type ChangedFxRate,
  lockRates,
  type NewFxRate,
  type QuoteKind,
  saveFxRates,
  saveShippedRates,
} from "../rates/fx-store.ts";

/**
 * A price in euros is stored with its listing, so a changed rate must also change listings.
 *
 * Invariant: after a rate is changed, all messages whose prices depend on it are queued to be read again, and all listings
 * that a saved filter reads in its currency are queued to be matched again. No step runs until the commit, so none can
 * commit a price made with the old rate afterwards.
 *
 * Example: USD has rates for 2 and 5 March. A new rate for 3 March counts on 3 and 4 March, until the next rate. So the
 * messages with USD prices of these two days are queued, and no others. With it come rates of AED and other currencies
 * that are pegged to the dollar.
 */

const CHUNK = 20_000;

/** Saves quoted rates and the pegged rates that follow from them. Returns those that are new or changed. */
export async function changeRates(
  tx: Database,
  rows: readonly NewFxRate[],
  kind: QuoteKind = "declared",
): Promise<readonly ChangedFxRate[]> {
  await lockRates(tx);
  const changed = await saveFxRates(tx, rows, kind);
  await queueDependents(tx, changed);
  return changed;
}

/** Saves the built-in rates and pegs of this release, unless the store already has those of this or a newer one. */
export async function changeShippedRates(pool: DatabasePool): Promise<void> {
  if (!(await areShippedRatesOld(pool))) return;
  await pool.transaction(async (tx) => {
    await lockRates(tx);
    await queueDependents(tx, await saveShippedRates(tx));
  }, LONG_WORK);
}

async function queueDependents(tx: Database, changed: readonly ChangedFxRate[]): Promise<void> {
  if (changed.length === 0) return;
  for (let at = 0; at < changed.length; at += CHUNK) {
    await queuePricedMessages(tx, changed.slice(at, at + CHUNK));
  }
  const filtered = new Set(
    await listPriceCurrencies(tx, [...new Set(changed.map(({ currency }) => currency))]),
  );
  const converted = changed.filter(({ currency }) => filtered.has(currency));
  if (converted.length > 0) await queueConvertedListings(tx, converted);
}
