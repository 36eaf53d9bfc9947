import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import {
  type ExplainBounds,
  type ExplainedView,
  explainViews,
  type FilterMemo,
} from "../filters/explain-filters.ts";
import { currentListingId, findListingFacts } from "../listings/listing-store.ts";
import { findOffers } from "../listings/offers.ts";
import {
  type ExplainedConfiguration,
  findNearConfigurations,
} from "../pricing/near-configurations.ts";
import type { DatedRate } from "../rates/fx.ts";
import { findRatesAt } from "../rates/fx-store.ts";
import { type ExplainedAlert, findNearAlerts } from "./near-alerts.ts";

/** What a listing belongs to, and what it just misses: the answer of the API, which `assay explain` prints. */
export interface ListingExplanation {
  /** The rate of the price, for the terminal; undefined if the price needs none or there is none. */
  readonly rate: DatedRate | undefined;
  readonly views: ExplainedView[];
  readonly configurations: ExplainedConfiguration[];
  readonly alerts: ExplainedAlert[];
  /** False if some alerts were not evaluated. */
  readonly is_exact: boolean;
}

/** First the matches, then those that miss by the fewest clauses. Returns undefined if there is no such listing. */
export async function explainListing(
  db: Database,
  id: string,
  options: { readonly memo: FilterMemo; readonly bounds: ExplainBounds; readonly nowMs: number },
): Promise<ListingExplanation | undefined> {
  const [current] = await db.query<{ id: string; asked_at_ms: number }>(sql`
    select id, coalesce((asks -> -1 ->> 'asked_at_ms')::bigint, message_timestamp_ms) as asked_at_ms
      from listing
     where id = ${currentListingId(id)}`);
  const [listing] = current === undefined ? [] : await findListingFacts(db, [current.id]);
  if (current === undefined || listing === undefined) return undefined;
  // A filter converts a price with the rates of the day of the message, and the ask has the rate of its own day.
  const { price_currency: currency, message_timestamp_ms: atMs } = listing;
  const { asked_at_ms: askedAtMs } = current;
  const rateOf = await findRatesAt(db, atMs);
  const askRateOf = askedAtMs === atMs ? rateOf : await findRatesAt(db, askedAtMs);
  const context = { ...options, rateOf };
  const views = await explainViews(db, listing, context);
  const near = await findNearConfigurations(db, listing, context);
  const offer = (await findOffers(db, [current.id], options.nowMs)).get(current.id);
  const offerState = offer?.offer_state ?? "gone";
  const alerts = await findNearAlerts(db, listing, { ...context, near: { ...near, offerState } });
  return {
    rate: currency === null ? undefined : askRateOf(currency, askedAtMs),
    views,
    configurations: near.explained,
    alerts: alerts.explained,
    is_exact: alerts.isExact,
  };
}
