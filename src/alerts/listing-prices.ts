/**
 * All that extension responses, events and notifications say about the price of a listing: the headline, what it means for a
 * dealer, the other rules, whether the ask is still on offer, and why there is no price or no buy. Every page shows these
 * figures, so a watch has the same price everywhere.
 */
import type { Database } from "../db/database.ts";
import { type DealtListing, findDealtListings } from "../deals/deal-store.ts";
import { findOffers, isOnOffer, type Offer } from "../listings/offers.ts";
import { isSuspect } from "../pricing/cells/statistics.ts";
import {
  findModelCells,
  type ModelCellKey,
  type ModelCellRow,
} from "../pricing/configurations/model-cell-store.ts";
import {
  type Evidence,
  findNoBuyReason,
  findOfferUpTo,
  type NoBuyReason,
  type OfferUpTo,
  toEvidence,
} from "../pricing/listing-price.ts";
import { findNoPriceReasons, type NoPriceReason } from "../pricing/no-price.ts";
import type { DatedRateOf } from "../rates/fx.ts";
import { findRates } from "../rates/fx-store.ts";
import {
  findListingModels,
  headlineOf,
  type ListingMatch,
  type ListingModels,
  orderModels,
  type PricedModel,
  toListingMatch,
} from "./listing-matches.ts";

/** What one rule says about an ask. */
export interface ListingPrice {
  readonly configuration_id: string;
  readonly is_headline: boolean;
  readonly is_buy: boolean;
  /** The ask with the mark-up of its market: what the watch costs landed. */
  readonly landed_eur_minor: number;
  readonly offer_up_to?: OfferUpTo;
  readonly evidence?: Evidence;
}

/** The prices of one listing, and what a desk decided about it. `prices` are in the order of `items`. */
export interface ListingPrices extends Partial<Offer>, Partial<DealtListing> {
  readonly items: readonly ListingMatch[];
  readonly prices: readonly ListingPrice[];
  readonly headline?: ListingMatch;
  readonly price?: ListingPrice;
  readonly other_prices?: readonly ListingPrice[];
  readonly reason?: NoPriceReason;
  readonly no_buy_reason?: NoBuyReason | NoPriceReason;
}

/** The cells of these keys; those without one are left out. */
export type FindCells = (keys: readonly ModelCellKey[]) => Promise<readonly ModelCellRow[]>;

/** By listing: its rules, the headline first. */
export async function priceModels(
  models: ListingModels,
  findCells: FindCells,
  nowMs: number,
): Promise<ReadonlyMap<string, readonly PricedModel[]>> {
  const keys = new Map([...models.values()].flat().map((model) => [toCellKey(model), model]));
  const cells = keys.size === 0 ? [] : await findCells([...keys.values()]);
  const cellOf = new Map(cells.map((cell) => [toCellKey(cell), cell]));
  return new Map(
    Array.from(models, ([id, own]) => {
      const priced = own.flatMap((model) => {
        const cell = cellOf.get(toCellKey(model));
        return cell === undefined
          ? []
          : [{ model, cell, item: toListingMatch(model, cell, nowMs) }];
      });
      return [id, orderModels(priced)];
    }),
  );
}

export function toCellKey({ configuration_id, year, condition_bucket }: ModelCellKey): string {
  return `${configuration_id} ${year} ${condition_bucket}`;
}

/** By requested id. An id without a listing has no entry. */
export async function findListingPrices(
  db: Database,
  listingIds: readonly string[],
  { nowMs, findCells }: { readonly nowMs: number; readonly findCells?: FindCells },
): Promise<ReadonlyMap<string, ListingPrices>> {
  if (listingIds.length === 0) return new Map();
  const models = await findListingModels(db, listingIds);
  const priced = await priceModels(
    models,
    findCells ?? ((keys) => findModelCells(db, keys)),
    nowMs,
  );
  const offers = await findOffers(db, listingIds, nowMs);
  const dealt = await findDealtListings(db, listingIds);
  const rateOf = await findRatesOf(db, priced, nowMs);
  const unpriced = listingIds.filter((id) => headlineOf(priced.get(id) ?? []) === undefined);
  const reasons = await findNoPriceReasons(db, unpriced);
  return new Map(
    Array.from(offers, ([id, offer]) => {
      const reason = reasons.get(id);
      const own = {
        models: priced.get(id) ?? [],
        offer,
        ...(reason === undefined ? {} : { reason }),
      };
      return [id, { ...describePrices(own, { rateOf, nowMs }), ...dealt.get(id) }];
    }),
  );
}

async function findRatesOf(
  db: Database,
  priced: ReadonlyMap<string, readonly PricedModel[]>,
  nowMs: number,
): Promise<DatedRateOf> {
  const needed = [...priced.values()].flat().flatMap(({ model }) =>
    model.price_currency === "EUR"
      ? []
      : [
          { currency: model.price_currency, atMs: model.asked_at_ms },
          { currency: model.price_currency, atMs: nowMs },
        ],
  );
  return needed.length === 0 ? () => undefined : findRates(db, needed);
}

interface Described {
  readonly models: readonly PricedModel[];
  readonly offer: Offer;
  readonly reason?: NoPriceReason;
}

function describePrices(
  { models, offer, reason }: Described,
  context: { readonly rateOf: DatedRateOf; readonly nowMs: number },
): ListingPrices {
  const headline = headlineOf(models);
  const judged = models.map((model) => ({
    noBuyReason: whyNoBuy(model, offer),
    price: toListingPrice(model, { isHeadline: model === headline, offer }, context),
  }));
  const [first, ...others] = judged;
  const own = headline === undefined ? undefined : first;
  const rest = own === undefined ? judged : others;
  const unpriced = headline !== undefined && isDoubtful(headline) ? "suspect" : reason;
  const noBuyReason =
    own === undefined ? (offer.offer_state === "gone" ? "gone" : reason) : own.noBuyReason;
  return {
    items: models.map(({ item }) => item),
    prices: judged.map(({ price }) => price),
    ...(headline === undefined ? {} : { headline: headline.item }),
    ...(own === undefined ? {} : { price: own.price }),
    ...(rest.length === 0 ? {} : { other_prices: rest.map(({ price }) => price) }),
    ...offer,
    ...(unpriced === undefined ? {} : { reason: unpriced }),
    ...(noBuyReason === undefined ? {} : { no_buy_reason: noBuyReason }),
  };
}

function isDoubtful({ cell, item }: PricedModel): boolean {
  return isSuspect(item.comparable_ask_eur_minor, cell);
}

/** Undefined if the rule makes it a buy. */
function whyNoBuy(
  { model, cell, item }: PricedModel,
  offer: Offer,
): NoBuyReason | "too_few_asks" | undefined {
  if (cell.cell_status !== "available") return "too_few_asks";
  const rule = {
    cell,
    market: model.source_market,
    sendsBuys: cell.buy_signals_enabled,
    isStale: item.is_stale,
  };
  return findNoBuyReason(model.original_ask_eur_minor, rule, offer.offer_state);
}

function toListingPrice(
  priced: PricedModel,
  { isHeadline, offer }: { readonly isHeadline: boolean; readonly offer: Offer },
  context: { readonly rateOf: DatedRateOf; readonly nowMs: number },
): ListingPrice {
  const { model, cell, item } = priced;
  const ask = {
    amountMinor: model.price_amount_minor,
    currency: model.price_currency,
    askedAtMs: model.asked_at_ms,
  };
  const offerUpTo =
    isOnOffer(offer.offer_state) && cell.cell_status === "available"
      ? findOfferUpTo(ask, { cell, market: model.source_market }, context)
      : undefined;
  const evidence = toEvidence(cell);
  return {
    configuration_id: item.configuration_id,
    is_headline: isHeadline,
    is_buy: whyNoBuy(priced, offer) === undefined,
    landed_eur_minor: item.comparable_ask_eur_minor,
    ...(offerUpTo === undefined ? {} : { offer_up_to: offerUpTo }),
    ...(evidence === undefined ? {} : { evidence }),
  };
}
