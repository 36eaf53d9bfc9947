import type { Database } from "../db/database.ts";
import { takeListingLock } from "../db/pipeline-lock.ts";
import { toEurPrice } from "./fx.ts";
import { findRates } from "./fx-store.ts";
import { listPricesIn, queueMatches, saveEurPrices } from "./listing-write-store.ts";

const PAGE_MAX = 2_000;

export interface Repricing {
  readonly currency: string;
  /** The times of the messages whose prices the changed rates may have given, both inclusive. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly nowMs: number;
}

/**
 * Works out anew what prices in a currency are in euros, and queues the listings that changed; gives how many. To be
 * called in the transaction that changed the rates: then nobody ever prices by the old ones afterwards.
 */
export async function repriceListings(tx: Database, repricing: Repricing): Promise<number> {
  await takeListingLock(tx);
  const { currency, nowMs } = repricing;
  let changedCount = 0;
  let afterId: string | undefined;
  do {
    const page = await listPricesIn(tx, { ...repricing, afterId, limit: PAGE_MAX });
    const atMs = page.map((row) => ({ currency, atMs: row.message_timestamp_ms }));
    const rateOf = await findRates(tx, atMs);
    const changed = page.flatMap((row) => {
      const price = { amountMinor: row.price_amount_minor, currency };
      const eur = toEurPrice(price, row.message_timestamp_ms, rateOf);
      const isPriced = eur !== undefined && Number.isSafeInteger(eur.eurMinor);
      const price_eur_minor = isPriced ? eur.eurMinor : null;
      const isApproximate = isPriced && eur.isApproximate;
      const isSame =
        price_eur_minor === row.price_eur_minor && isApproximate === row.is_approximate;
      return isSame ? [] : [{ id: row.id, price_eur_minor, is_approximate: isApproximate }];
    });
    if (changed.length > 0) {
      await saveEurPrices(tx, changed, nowMs);
      const news = changed.map(({ id }) => ({ resource_id: id, alert_ms: null }));
      await queueMatches(
        tx,
        news.map((row) => ({ ...row, resource: "watch_listing" as const })),
      );
    }
    changedCount += changed.length;
    afterId = page.length < PAGE_MAX ? undefined : page.at(-1)?.id;
  } while (afterId !== undefined);
  return changedCount;
}
