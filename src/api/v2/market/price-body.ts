/** What responses say about the price of a listing: the schemas, and the reader that all routes share. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import {
  type FindCells,
  findListingPrices,
  type ListingPrices,
  toCellKey,
} from "../../../alerts/listing-prices.ts";
import type { Database } from "../../../db/database.ts";
import { DEAL_STATES, PASS_REASONS } from "../../../deals/deal.ts";
import { OFFER_STATES } from "../../../listings/offers.ts";
import { findListingMedia } from "../../../media/media-store.ts";
import { hasRole } from "../../../people/role.ts";
import type { ConditionBucket } from "../../../pricing/cells/cell.ts";
import {
  findModelCells,
  type ModelCellKey,
  type ModelCellRow,
} from "../../../pricing/configurations/model-cell-store.ts";
import { NO_BUY_REASONS } from "../../../pricing/listing-price.ts";
import { NO_PRICE_MEANINGS, NO_PRICE_REASONS } from "../../../pricing/no-price.ts";
import type { Minima } from "../../../pricing/ranking.ts";
import { createKeptRows } from "../../cache/kept-rows.ts";
import { MEDIA_MEMBER, Media, toMedia } from "../media/media-body.ts";
import {
  Count,
  EurMinor,
  Filters,
  Id,
  Ms,
  named,
  optional,
  type RouteContext,
} from "../schemas.ts";
import { Price } from "./listing-body.ts";

export interface PricedContext extends RouteContext {
  /** The cells that answers are priced with. Kept in memory until they change. */
  readonly findCells: FindCells;
  /** What responses say about the prices of these listings, by id. */
  readonly describePrices: (
    db: Database,
    listingIds: readonly string[],
  ) => Promise<ReadonlyMap<string, DescribedListing>>;
}

interface DescribedListing extends ListingPrices {
  readonly media?: Static<typeof Media>[];
}

const AlertState = Type.Object(
  {
    id: Id,
    name: Type.String(),
    enabled: Type.Boolean(),
    triggered: Type.Boolean(),
    matched_at_ms: optional(Ms),
    seen_at_ms: optional(Ms),
  },
  { $id: "AlertState", description: "The stored state of the configuration's own alert." },
);

/** Seed 2.4. */
export const MatchBody = Type.Object(
  {
    configuration_id: Id,
    brand: Type.String(),
    reference: Type.String(),
    market_reference_normalized: Type.String(),
    filters: Filters,
    filter_summary: Type.String(),
    exclude_outliers: Type.Boolean(),
    price_engine_status: Type.String({ description: "`shadow` or `live`." }),
    buy_signals_enabled: Type.Boolean(),
    is_stale: Type.Boolean(),
    year: Type.Integer(),
    condition_bucket: Type.String({ description: "`new`, `like_new` or `used`." }),
    source_market: Type.String({ description: "`EU` or `HK`." }),
    cell_status: Type.String({ description: "`available`, `insufficient` or `pending`." }),
    lookback_days: Type.Integer(),
    listing_count: Count,
    original_ask_eur_minor: EurMinor,
    comparable_ask_eur_minor: EurMinor,
    hk_markup_eur_minor: EurMinor,
    calculated_at_ms: Ms,
    calculation_version: Type.String(),
    configuration_key: Type.String(),
    configuration_label: Type.String(),
    market_average_eur_minor: optional(EurMinor),
    consumer_min_eur_minor: optional(EurMinor),
    consumer_max_eur_minor: optional(EurMinor),
    minimum_profit_eur_minor: EurMinor,
    maximum_eu_ask_eur_minor: optional(EurMinor),
    maximum_hk_ask_eur_minor: optional(EurMinor),
    profit_opportunity_eur_minor: optional(EurMinor),
    meets_buy_threshold: Type.Boolean(),
    alert: optional(named(AlertState)),
  },
  { $id: "ListingMatch" },
);

const OfferUpTo = Type.Object(
  {
    amount_minor: Type.Integer({ description: "Exact: one minor unit more is no buy." }),
    shown_minor: Type.Integer({
      description:
        "What to show: the lower of the amounts at the rate of that day and of today, rounded down to four digits.",
    }),
    currency: Type.String(),
    rate_day_ms: Ms,
    is_approximate: Type.Boolean({
      description: "The rate is built in, or a peg without a guarantee.",
    }),
  },
  { $id: "OfferUpTo", description: "The highest ask that is still a buy." },
);

const Evidence = Type.Object(
  {
    counted: Count,
    low_eur_minor: EurMinor,
    high_eur_minor: EurMinor,
    newest_at_ms: Ms,
    is_thin: Type.Boolean({ description: "Fewer than 5 asks." }),
  },
  { $id: "Evidence", description: "What stands behind a price: quartiles of the asks that count." },
);

export const ListingPrice = Type.Object(
  {
    configuration_id: Id,
    is_headline: Type.Boolean(),
    is_buy: Type.Boolean(),
    landed_eur_minor: Type.Integer({
      description: "The ask with the mark-up of its market, in minor units of EUR.",
    }),
    offer_up_to: optional(named(OfferUpTo)),
    evidence: optional(named(Evidence)),
  },
  { $id: "ListingPrice", description: "What one rule says about an ask." },
);

const DealMark = Type.Object(
  {
    listing_id: Type.String({
      format: "uuid",
      description: "Where it was decided: this listing, or an earlier post of the watch.",
    }),
    state: Type.Enum([...DEAL_STATES]),
    reason: optional(Type.Enum([...PASS_REASONS])),
    note: optional(Type.String()),
    offer: optional(Price),
    assignee: optional(Id),
    assignee_name: optional(Type.String()),
    updated_by: optional(Type.String()),
    updated_at_ms: Ms,
    price_drop: optional(
      Type.Object(
        { from: Price, since_ms: Ms, bps: Type.Integer() },
        { description: "A passed watch is back, because its ask fell since the decision." },
      ),
    ),
  },
  { $id: "DealMark", description: "What was decided about the watch of a row." },
);

/** The members that a row about a listing has for its price, for what was decided about it, and for its pictures. */
export const PRICE_MEMBERS = {
  headline: optional(named(MatchBody)),
  price: optional(named(ListingPrice)),
  other_prices: optional(Type.Array(named(ListingPrice))),
  offer_state: optional(
    Type.Enum([...OFFER_STATES], {
      description:
        "`today`: seen within 24 hours; `recent`: within 7 days; `quiet`: earlier; `replaced`: the dealer asked another price for " +
        "the same watch in a later message, and has not said this one again; `gone`: revoked, sold, on hold or corrected away.",
    }),
  ),
  post_count: optional(
    Type.Integer({
      minimum: 0,
      description: "How often the dealer posted the watch at this price.",
    }),
  ),
  reason: optional(
    Type.Enum([...NO_PRICE_REASONS], {
      description: `Why there is no price, the first that holds. ${NO_PRICE_MEANINGS}.`,
    }),
  ),
  no_buy_reason: optional(
    Type.Enum([...new Set([...NO_BUY_REASONS, ...NO_PRICE_REASONS])], {
      description:
        "Why it is no buy by its headline, or the `reason`; absent for a buy. `above_maximum`: too dear; `signals_off`: its rule " +
        "sends no buys; `stale`: its price is being calculated; `suspect`: most likely misread; `replaced`, `gone`: as `offer_state`.",
    }),
  ),
  deal: optional(named(DealMark)),
  is_blocked: optional(Type.Boolean({ description: "The dealer is blocked." })),
  media: MEDIA_MEMBER,
};

/** What a list of priced listings can be restricted by. */
export const MINIMA_MEMBERS = {
  minimum_profit_eur_minor: optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "The landed ask lies at least so far below the average of the headline.",
    }),
  ),
  minimum_discount_bps: optional(
    Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description: "Likewise, in ten-thousandths of the average.",
    }),
  ),
};

export function toMinima(given: {
  readonly minimum_profit_eur_minor?: number;
  readonly minimum_discount_bps?: number;
}): Minima {
  const { minimum_profit_eur_minor: profit, minimum_discount_bps: discount } = given;
  return {
    ...(profit === undefined ? {} : { minimumProfitEurMinor: profit }),
    ...(discount === undefined ? {} : { minimumDiscountBps: discount }),
  };
}

/** Call it once, before the routes whose responses have these schemas. */
export function addPriceSchemas(app: FastifyInstance): void {
  for (const schema of [AlertState, MatchBody, OfferUpTo, Evidence, ListingPrice, DealMark, Media])
    app.addSchema(schema);
}

/** Call it once for all routes, because it keeps cells. */
export function createPriceReader({
  forAll: { db },
  feed,
  clock,
}: RouteContext): Pick<PricedContext, "findCells" | "describePrices"> {
  const cells = createKeptRows<ModelCellRow>({
    feed,
    topic: "price_cells",
    load: async (keys) => {
      const rows = await findModelCells(db, keys.map(parseCellKey));
      return new Map(rows.map((row) => [toCellKey(row), row]));
    },
  });
  const findCells: FindCells = async (keys) => [
    ...(await cells.find(keys.map(toCellKey))).values(),
  ];
  return {
    findCells,
    describePrices: async (read, ids) => {
      const prices = await findListingPrices(read, ids, { nowMs: clock.nowMs(), findCells });
      const media = await findListingMedia(read, ids);
      return media.size === 0 ? prices : withMedia(prices, media);
    },
  };
}

function withMedia(
  prices: ReadonlyMap<string, ListingPrices>,
  media: Awaited<ReturnType<typeof findListingMedia>>,
): ReadonlyMap<string, DescribedListing> {
  return new Map(
    [...prices].map(([id, own]) => {
      const { pictures, isOfSeveral } = media.get(id) ?? {};
      const shown = toMedia(pictures, isOfSeveral);
      return [id, shown === undefined ? own : { ...own, media: shown }];
    }),
  );
}

/** Whether a request may read what a desk decided and noted. */
export function readsDeals({ apiToken }: Pick<FastifyRequest, "apiToken">): boolean {
  return apiToken !== null && hasRole(apiToken.role, "desk");
}

/** The members of a row for the price of its listing, and for its deal if the caller may read that. */
export function toPriceMembers(prices: DescribedListing | undefined, withDeals: boolean) {
  if (prices === undefined) return {};
  const { items: _items, prices: _prices, is_left_out: _, deal, other_prices, ...members } = prices;
  return {
    ...members,
    ...(withDeals && deal !== undefined ? { deal } : {}),
    ...(other_prices === undefined ? {} : { other_prices: [...other_prices] }),
  };
}

function parseCellKey(key: string): ModelCellKey {
  const [configuration_id = "", year, bucket] = key.split(" ");
  return { configuration_id, year: Number(year), condition_bucket: bucket as ConditionBucket };
}
