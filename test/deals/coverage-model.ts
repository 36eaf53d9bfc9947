/** Which deal a listing has, in the words of the design, one listing and one deal at a time. */
import { DAY_MS } from "../../src/base/clock.ts";

export interface ModelListing {
  readonly id: string;
  readonly canonical_message_id: string;
  readonly ask_key: string | null;
  readonly side: string;
  readonly variant_folded: string | null;
  readonly price_amount_minor: number | null;
  readonly price_currency: string | null;
  readonly message_timestamp_ms: number;
}

export interface ModelDeal extends Omit<ModelListing, "id" | "message_timestamp_ms" | "side"> {
  readonly listing_id: string;
  readonly side: string | null;
  readonly posted_at_ms: number;
  readonly state: string;
  readonly reason: string | null;
  readonly detached_reason: string | null;
  readonly updated_at_ms: number;
  readonly asked_amount_minor: number | null;
  readonly asked_currency: string | null;
}

export function dealOfListing(
  listing: ModelListing,
  listings: readonly ModelListing[],
  deals: readonly ModelDeal[],
): { readonly deal: ModelDeal; readonly isLeftOut: boolean } | undefined {
  const own = deals.find((deal) => deal.listing_id === listing.id && deal.detached_reason === null);
  const newest = deals.toSorted(
    (left, right) =>
      right.updated_at_ms - left.updated_at_ms || (left.listing_id < right.listing_id ? -1 : 1),
  );
  const deal = own ?? newest.find((one) => covers(one, listing, listings));
  if (deal === undefined) return undefined;
  return { deal, isLeftOut: deal.state === "passed" && !isBack(deal, listing) };
}

function covers(
  deal: ModelDeal,
  listing: ModelListing,
  listings: readonly ModelListing[],
): boolean {
  if (deal.ask_key === null || !isSameWatch(deal, listing)) return false;
  const laterDays = (listing.message_timestamp_ms - deal.posted_at_ms) / DAY_MS;
  if (Math.abs(laterDays) > 30) return false;
  const isSamePrice =
    deal.price_amount_minor === listing.price_amount_minor &&
    deal.price_currency === listing.price_currency;
  const isDuplicate = isSamePrice && deal.canonical_message_id !== listing.canonical_message_id;
  if (isDuplicate) return true;
  if (deal.state === "bought") return false;
  if (isSamePrice) return true;
  if (laterDays < 0) return false;
  const twins = listings.filter(
    (other) =>
      other.id !== listing.id &&
      other.canonical_message_id === listing.canonical_message_id &&
      isSameWatch(other, listing),
  );
  return twins.length === 0;
}

function isSameWatch(
  left: Pick<ModelDeal, "ask_key" | "side" | "variant_folded">,
  right: Pick<ModelDeal, "ask_key" | "side" | "variant_folded">,
): boolean {
  return (
    left.ask_key === right.ask_key &&
    left.side === right.side &&
    left.variant_folded === right.variant_folded
  );
}

function isBack(deal: ModelDeal, listing: ModelListing): boolean {
  if (deal.reason !== "too_dear" && deal.reason !== "other") return false;
  if (deal.asked_amount_minor === null || listing.price_amount_minor === null) return false;
  if (deal.asked_currency !== listing.price_currency) return false;
  return listing.price_amount_minor * 100 <= deal.asked_amount_minor * 97;
}
