/**
 * Whether an ask is still on offer. A dealer who asks another price for the same watch in a later message has replaced the
 * earlier ask; two asks in one message are two watches.
 *
 * Example: a dealer asks 10,000 on Monday, 9,800 on Tuesday, and posts the first message again on Wednesday. Until Tuesday the
 * first ask stands, then the second; since Wednesday the first stands again, and the second is `replaced`.
 */
import { DAY_MS } from "../base/clock.ts";
import type { Database } from "../db/database.ts";
import { rawSql, type Sql, sql } from "../db/sql.ts";

/** Seen within a day, within a week, or longer ago; replaced by a later ask; revoked, sold, on hold or corrected away. */
export const OFFER_STATES = ["today", "recent", "quiet", "replaced", "gone"] as const;
export type OfferState = (typeof OFFER_STATES)[number];

export interface Offer {
  readonly offer_state: OfferState;
  /** How often this watch was posted at this price, by this dealer. */
  readonly post_count: number;
}

/** What decides the state besides the time. */
export interface OfferFacts {
  readonly last_seen_at_ms: number;
  readonly is_gone: boolean;
  readonly is_replaced: boolean;
}

const RECENT_DAYS = 7;

export function offerStateOf(facts: OfferFacts, nowMs: number): OfferState {
  if (facts.is_gone) return "gone";
  if (facts.is_replaced) return "replaced";
  const ageMs = nowMs - facts.last_seen_at_ms;
  if (ageMs <= DAY_MS) return "today";
  return ageMs <= RECENT_DAYS * DAY_MS ? "recent" : "quiet";
}

/** Buys are on offer. */
export function isOnOffer(state: OfferState): boolean {
  return state !== "replaced" && state !== "gone";
}

/** True if the rows called so are asks of one dealer for one watch in two messages, and `other` is visible. */
export function isOfSameWatch(ask: string, other: string): Sql {
  const [left, right] = [rawSql(ask), rawSql(other)];
  return sql`
    ${right}.ask_key = ${left}.ask_key
    and ${right}.canonical_message_id <> ${left}.canonical_message_id
    and not ${right}.is_hidden and not ${right}.is_revoked
    and ${right}.side = ${left}.side
    and ${right}.variant_folded is not distinct from ${left}.variant_folded`;
}

/** When the ask of the row called so was last said: posted, or changed by a reply. */
function saidAtMs(ask: string): Sql {
  const row = rawSql(ask);
  return sql`greatest(${row}.last_seen_at_ms, coalesce((${row}.asks -> -1 ->> 'asked_at_ms')::bigint, 0))`;
}

/** True if they also have another price, in the same currency. */
function isOtherPrice(ask: string, other: string): Sql {
  const [left, right] = [rawSql(ask), rawSql(other)];
  return sql`
    ${isOfSameWatch(ask, other)}
    and ${right}.price_currency = ${left}.price_currency
    and ${right}.price_amount_minor <> ${left}.price_amount_minor`;
}

/** Whether the ask of the row called so was replaced. Of two at the same time neither replaces the other. */
export function isReplaced(ask: string): Sql {
  return sql`
    exists (select from listing as later
             where ${isOtherPrice(ask, "later")} and ${saidAtMs("later")} > ${saidAtMs(ask)})`;
}

/**
 * By listing: the times at which another price of the same watch was said, oldest first. At each of them the ask was replaced,
 * until it was said again. A listing without such a time is left out.
 */
export async function findReplacements(
  db: Database,
  listingIds: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const rows = await db.query<{ readonly id: string; readonly at_ms: readonly number[] }>(sql`
    select listing.id, array_agg(said.at_ms order by said.at_ms) as at_ms
      from unnest(${listingIds}::uuid[]) as own (id)
      join listing on listing.id = own.id
      join listing as later on ${isOtherPrice("listing", "later")}
     cross join lateral (select (later.asks -> -1 ->> 'asked_at_ms')::bigint as at_ms) as reply
     cross join lateral (
           select occurrence.sent_at_ms as at_ms
             from occurrence
            where occurrence.canonical_message_id = later.canonical_message_id and not occurrence.is_revoked
              and occurrence.sent_at_ms > coalesce(reply.at_ms, 0)
            union all
           select reply.at_ms where reply.at_ms is not null) as said
     where said.at_ms > listing.first_seen_at_ms
     group by listing.id`);
  return new Map(rows.map(({ id, at_ms }) => [id, at_ms]));
}

/** Of the listings, those whose ask was replaced. */
export async function findReplaced(
  db: Database,
  listingIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (listingIds.length === 0) return new Set();
  const rows = await db.query<{ readonly id: string }>(sql`
    select listing.id
      from unnest(${listingIds}::uuid[]) as own (id)
     cross join lateral (select * from listing where listing.id = own.id limit 1) as listing
     where ${isReplaced("listing")}`);
  return new Set(rows.map(({ id }) => id));
}

/** A dealer who posts a watch more often than this is not counted further. */
const POSTS_COUNTED_MAX = 500;

/** By requested id, which may be one from before contacts merged. An id without a listing is left out. */
export async function findOffers(
  db: Database,
  listingIds: readonly string[],
  nowMs: number,
): Promise<ReadonlyMap<string, Offer>> {
  if (listingIds.length === 0) return new Map();
  const rows = await db.query<
    OfferFacts & { readonly id: string; readonly post_count: number }
  >(sql`
    select own.id, listing.last_seen_at_ms, listing.is_hidden or listing.is_revoked as is_gone,
           ${isReplaced("listing")} as is_replaced, listing.occurrence_count + coalesce(other.post_count, 0) as post_count
      from unnest(${listingIds}::uuid[]) as own (id)
      left join listing as known on known.id = own.id
      left join listing_alias as alias on alias.old_id = own.id
      join listing on listing.id = coalesce(known.id, alias.listing_id)
     cross join lateral (
           select sum(same.occurrence_count)::bigint as post_count
             from (select other.occurrence_count
                     from listing as other
                    where ${isOfSameWatch("listing", "other")}
                      and other.price_amount_minor = listing.price_amount_minor
                      and other.price_currency = listing.price_currency
                    limit ${POSTS_COUNTED_MAX}) as same) as other`);
  return new Map(
    rows.map(({ id, post_count, ...facts }) => [
      id,
      { offer_state: offerStateOf(facts, nowMs), post_count },
    ]),
  );
}
