/**
 * What became of an ask: whether it is still on offer, and whether the dealer asked more before. A dealer who asks another
 * price for the same watch in a later message has replaced the earlier ask, until he says it again, in the same words or in
 * others. Two asks in one message are two watches, so a message replaces none of the asks that it has. All listings of one ask
 * are replaced or none is: the duplicates of an ask and the one that stands for them never disagree.
 *
 * Example: a dealer asks 10,000 on Monday, 9,800 on Tuesday, and "10,000, still available" on Wednesday. Until Tuesday the
 * first ask stands, then the second; since Wednesday the first stands again, and the second is `replaced`. The second ask is a
 * price drop of 200 bps since Tuesday, whatever is posted later: what counts is when an ask was said first.
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
function isOfSameWatch(ask: string, other: string): Sql {
  return sql`${isOfOneWatch(ask, other)} and ${isVisible(other)}`;
}

function isVisible(listing: string): Sql {
  const row = rawSql(listing);
  return sql`not ${row}.is_hidden and not ${row}.is_revoked`;
}

function isOfOneWatch(ask: string, other: string): Sql {
  const [left, right] = [rawSql(ask), rawSql(other)];
  return sql`
    ${isLikeWatch(ask, other)} and ${right}.canonical_message_id <> ${left}.canonical_message_id`;
}

/** True if they read as one watch of one dealer, also in one message. */
function isLikeWatch(ask: string, other: string): Sql {
  const [left, right] = [rawSql(ask), rawSql(other)];
  return sql`
    ${right}.ask_key = ${left}.ask_key
    and ${right}.side = ${left}.side
    and ${right}.variant_folded is not distinct from ${left}.variant_folded`;
}

/** True if the rows called so are the same ask in two messages, whether visible or not. The times are not compared. */
export function isSameAsk(ask: string, other: string): Sql {
  const [left, right] = [rawSql(ask), rawSql(other)];
  return sql`
    ${isOfOneWatch(ask, other)}
    and coalesce(${right}.price_amount_minor, -1) = coalesce(${left}.price_amount_minor, -1)
    and ${right}.price_currency is not distinct from ${left}.price_currency`;
}

/** When the ask of the row called so was last said: posted, or changed by a reply. */
export function saidAtMs(ask: string): Sql {
  const row = rawSql(ask);
  return sql`greatest(${row}.last_seen_at_ms, coalesce((${row}.asks -> -1 ->> 'asked_at_ms')::bigint, 0))`;
}

/**
 * The visible listings that read as the watch of the row called `ask`, priced in its currency, itself included. `is_same` is
 * true for those at its price, `is_beside` for all listings of a message that has one at its price.
 */
function asksLike(ask: string): Sql {
  const row = rawSql(ask);
  return sql`
    (select said.id, said.canonical_message_id, said.asks, ${saidAtMs("said")} as said_at_ms,
            said.price_amount_minor = ${row}.price_amount_minor as is_same,
            bool_or(said.price_amount_minor = ${row}.price_amount_minor)
              over (partition by said.canonical_message_id) as is_beside
       from listing as said
      where ${isLikeWatch(ask, "said")} and ${isVisible("said")}
        and said.price_currency = ${row}.price_currency)`;
}

/** Whether the ask of the row called so was replaced. Of two at the same time neither replaces the other. */
export function isReplaced(ask: string): Sql {
  return sql`
    coalesce((select max(said_at_ms) filter (where not is_beside) > max(said_at_ms) filter (where is_same)
                from ${asksLike(ask)} as said), false)`;
}

/** A time in which an ask was replaced: from another price until the ask was said again. */
export interface Replacement {
  readonly fromMs: number;
  /** Infinite if it was not said again. */
  readonly untilMs: number;
}

/**
 * By listing: when its ask was replaced, in order. The last one has no end if and only if the ask is replaced now. All posts
 * of the listing count as posts of its ask, also those before a reply that changed it. A listing that was never replaced is
 * left out.
 */
export async function findReplacements(
  db: Database,
  listingIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Replacement[]>> {
  const rows = await db.query<{
    readonly id: string;
    readonly said_at_ms: readonly number[];
    readonly is_same: readonly boolean[];
  }>(sql`
    select listing.id, array_agg(said.at_ms order by said.at_ms, own.is_same desc) as said_at_ms,
           array_agg(own.is_same order by said.at_ms, own.is_same desc) as is_same
      from unnest(${listingIds}::uuid[]) as asked (id)
      join listing on listing.id = asked.id
     cross join lateral (
           select *, bool_or(not is_beside) over () as has_other from ${asksLike("listing")} as one) as own
     cross join lateral (select (own.asks -> -1 ->> 'asked_at_ms')::bigint as at_ms) as reply
     cross join lateral (
           select occurrence.sent_at_ms as at_ms
             from occurrence
            where occurrence.canonical_message_id = own.canonical_message_id and not occurrence.is_revoked
              and (own.id = listing.id or occurrence.sent_at_ms > coalesce(reply.at_ms, 0))
            union all
           select reply.at_ms where reply.at_ms is not null) as said
     where own.has_other and (own.is_same or not own.is_beside)
     group by listing.id`);
  return new Map(
    rows.flatMap(({ id, said_at_ms, is_same }) => {
      const replacements = toReplacements(said_at_ms, is_same);
      return replacements.length === 0 ? [] : [[id, replacements]];
    }),
  );
}

/** At each time the ask itself stands first, so another price of the same time is not yet after it. */
function toReplacements(
  saidAtMs: readonly number[],
  isSame: readonly boolean[],
): readonly Replacement[] {
  const found: Replacement[] = [];
  let sameAtMs: number | undefined;
  let fromMs: number | undefined;
  for (const [at, atMs] of saidAtMs.entries()) {
    if (isSame[at] === true) {
      if (fromMs !== undefined) found.push({ fromMs, untilMs: atMs });
      [sameAtMs, fromMs] = [atMs, undefined];
    } else if (sameAtMs !== undefined && atMs > sameAtMs) fromMs ??= atMs;
  }
  return fromMs === undefined ? found : [...found, { fromMs, untilMs: Number.POSITIVE_INFINITY }];
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

/** An ask is compared with the one before it, if that is at most so many days older. */
export const DROP_MS = 60 * DAY_MS;

/** A larger fall is most likely misread. */
export const DROP_BPS_MAX = 5_000;

/** When the ask of the row called so was said first: posted, or given by a reply. */
export function askedAtMs(ask: string): Sql {
  const row = rawSql(ask);
  return sql`coalesce((${row}.asks -> -1 ->> 'asked_at_ms')::bigint, ${row}.message_timestamp_ms)`;
}

/**
 * The price drop of the row called `ask`, as a source called `price_drop` with `from_minor` and `bps`; without a row if there
 * is none. The ask is compared with the latest earlier one of the same watch in its currency. All asks count at the time at
 * which they were said first: those of other messages, those of replies, and those that a reply changed. Of two at one time
 * the lower counts. There is no drop if that ask is no higher, or more than twice as high, or if its message or that of the
 * row has a second watch with the same key: then nobody knows which of the two it was. The statement has a source `replied`:
 * the listings of the key with `asks`, which are few.
 */
export function priceDropOf(ask: string): Sql {
  const row = rawSql(ask);
  return sql`
    (select latest.amount_minor as from_minor, fall.bps::integer as bps
       from (select earlier.listing_id, earlier.message_id, earlier.message_at_ms, earlier.amount_minor
               from (select ${askedAtMs(ask)} as at_ms) as present
              cross join lateral (${earlierAsks(ask)}) as earlier
              order by earlier.at_ms desc, earlier.amount_minor, earlier.listing_id
              limit 1) as latest
      cross join lateral (
            select trunc((latest.amount_minor - ${row}.price_amount_minor)::numeric * 10000
                         / nullif(latest.amount_minor, 0)) as bps) as fall
      where fall.bps between 1 and ${DROP_BPS_MAX}::integer
        and not ${row}.is_hidden and not ${row}.is_revoked
        and not exists (
            select
              from (values (${row}.id, ${row}.canonical_message_id, ${row}.message_timestamp_ms),
                           (latest.listing_id, latest.message_id, latest.message_at_ms))
                   as compared (listing_id, message_id, message_at_ms)
              -- All listings of a message have its time, which the index needs.
              join listing as twin on twin.ask_key = ${row}.ask_key
                   and twin.message_timestamp_ms = compared.message_at_ms
                   and twin.canonical_message_id = compared.message_id and twin.id <> compared.listing_id
             where twin.is_found and twin.left_out_reason is null)) as price_drop`;
}

/** The asks of the same watch before `present.at_ms`. Of asks that no reply changed, only the latest one. */
function earlierAsks(ask: string): Sql {
  const row = rawSql(ask);
  const isInTime = (at: Sql) =>
    sql`${at} < present.at_ms and ${at} >= present.at_ms - ${DROP_MS}::bigint`;
  return sql`
    (select posted.id as listing_id, posted.canonical_message_id as message_id,
            posted.message_timestamp_ms as message_at_ms, posted.message_timestamp_ms as at_ms,
            posted.price_amount_minor as amount_minor
       from listing as posted
      where ${isOfSameWatch(ask, "posted")} and posted.asks is null
        and posted.price_currency = ${row}.price_currency and ${isInTime(sql`posted.message_timestamp_ms`)}
      order by posted.message_timestamp_ms desc, posted.price_amount_minor, posted.id
      limit 1)
    union all
    select replied.id, replied.canonical_message_id, replied.message_timestamp_ms, said.asked_at_ms, said.amount_minor
      from replied
     cross join lateral jsonb_to_recordset(replied.asks) as said (asked_at_ms bigint, amount_minor bigint, currency text)
     where ${isOfSameWatch(ask, "replied")}
       and said.currency = ${row}.price_currency and ${isInTime(sql`said.asked_at_ms`)}
    union all
    select ${row}.id, ${row}.canonical_message_id, ${row}.message_timestamp_ms, said.asked_at_ms, said.amount_minor
      from jsonb_to_recordset(${row}.asks) as said (asked_at_ms bigint, amount_minor bigint, currency text)
     where said.currency = ${row}.price_currency and ${isInTime(sql`said.asked_at_ms`)}`;
}
