/**
 * The verdict about an ask in one sentence, and the asks that prove it.
 *
 * A sentence is a list of pieces, because presenter mode hides its amounts and nothing else:
 * ["€1,310", " below the average of 27 asks", "; offer up to ", "HK$135,600"].
 */
import type { Listing, PopulationAsk, PricedListing } from "../../../client/assay-client.ts";
import { countryOf } from "../../words/countries.ts";
import { toWhole } from "../../words/formats.ts";
import { watchWords } from "../../words/watch.ts";

/** What rows of matches, of the live feed, of a search and of the price engine say alike. */
export type Priced = Pick<
  PricedListing,
  "headline" | "price" | "offer_state" | "reason" | "no_buy_reason"
>;

/** A watch in a list: of Buys, of the market, of a reference. A match of a message has no listing. */
export type WatchRow = Priced &
  Pick<PricedListing, "deal" | "is_blocked" | "media" | "other_prices"> & {
    readonly listing?: Listing;
  };

/** Every amount of it is a profit or a threshold. */
export type VerdictPiece = string | { readonly minor: number; readonly currency: string };

type Judged = Pick<Listing, "side" | "price" | "sender">;

export const NEAREST_MAX = 5;

export function describeVerdict(listing: Judged, priced: Priced): readonly VerdictPiece[] {
  const { headline, reason, no_buy_reason } = priced;
  const profitMinor = headline?.profit_opportunity_eur_minor;
  if (listing.side === "want_to_buy") return [watchWords.wanted];
  if (listing.price === undefined) return [watchWords.noAsk];
  if (headline === undefined || profitMinor === undefined) {
    const prefix = listing.sender.country_prefix;
    if (reason === "not_a_source_market") {
      return [watchWords.notPriced(prefix === undefined ? undefined : countryOf(prefix))];
    }
    if (no_buy_reason === "gone" || no_buy_reason === "replaced") {
      return [watchWords.noPrice(no_buy_reason)];
    }
    return [watchWords.noPrice(reason)];
  }
  const isShort = profitMinor <= 0 && no_buy_reason === "above_maximum";
  return [
    ...describeDistance(profitMinor, countAsks(priced)),
    ...(no_buy_reason === undefined || isShort ? [] : [watchWords.noBuy(no_buy_reason)]),
    ...describeOffer(priced),
  ];
}

/** The five asks of other dealers that are still on offer and nearest to this one, the cheapest first. One ask of a dealer counts. */
export function findNearest(
  asks: readonly PopulationAsk[],
  own: { readonly listingId: string; readonly landedMinor: number },
): readonly PopulationAsk[] {
  const distanceOf = (ask: PopulationAsk): number =>
    Math.abs(ask.comparable_ask_eur_minor - own.landedMinor);
  const dealerId = asks.find(({ listing_id }) => listing_id === own.listingId)?.contact_id;
  return asks
    .filter(
      ({ listing_id, contact_id, role, offer_state }) =>
        listing_id !== own.listingId &&
        (dealerId === undefined || contact_id !== dealerId) &&
        (role === "counted" || role === "outlier") &&
        offer_state !== "replaced" &&
        offer_state !== "gone",
    )
    .toSorted((left, right) => distanceOf(left) - distanceOf(right) || compareIds(left, right))
    .slice(0, NEAREST_MAX)
    .toSorted(
      (left, right) =>
        left.comparable_ask_eur_minor - right.comparable_ask_eur_minor || compareIds(left, right),
    );
}

function describeDistance(profitMinor: number, asks: string): readonly VerdictPiece[] {
  const minor = Math.abs(toWhole(profitMinor));
  if (minor === 0) return [watchWords.even(asks)];
  return [
    { minor, currency: "EUR" },
    profitMinor > 0 ? watchWords.below(asks) : watchWords.above(asks),
  ];
}

function countAsks({ headline, price }: Priced): string {
  const { counted = headline?.listing_count ?? 0, is_thin = false } = price?.evidence ?? {};
  return watchWords.asks(counted, is_thin);
}

function describeOffer({ price }: Priced): readonly VerdictPiece[] {
  const offer = price?.offer_up_to;
  if (price === undefined || offer === undefined) return [];
  const { shown_minor: minor, currency, is_approximate } = offer;
  return [
    price.is_buy ? watchWords.offer : watchWords.buyUpTo,
    ...(is_approximate ? [watchWords.about] : []),
    { minor, currency },
  ];
}

function compareIds(left: PopulationAsk, right: PopulationAsk): number {
  return left.listing_id < right.listing_id ? -1 : 1;
}
