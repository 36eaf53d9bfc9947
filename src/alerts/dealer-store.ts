/**
 * Dealers: the contacts that offer watches, with what they offer, how often that was a buy, and what a desk did with them. The
 * figures are counted when they are asked for, so they need no upkeep; a page reads what its dealers posted in 90 days. What takes
 * long to count is kept for half a minute: the figures of a dealer with many posts, and an order of many dealers.
 */
import { type Clock, DAY_MS, SECOND_MS } from "../base/clock.ts";
import { isUuid } from "../base/ids.ts";
import type { Database } from "../db/database.ts";
import { createKept } from "../db/kept.ts";
import { parseCursor, toCursor, toQueryDigest } from "../db/page.ts";
import { dropNulls, type Present } from "../db/row.ts";
import { joinSql, type Sql, sql } from "../db/sql.ts";
import { findContactNotes, isBlockedContact } from "../messages/contacts/contact-note-store.ts";
import { isContactCalled, knownContactIds } from "../messages/contacts/contact-store.ts";

export const DEALER_SORTS = ["last_seen", "on_offer", "buys"] as const;
type DealerSort = (typeof DEALER_SORTS)[number];

export interface DealerFigures {
  /** Watches that are for sale and were seen in the last 30 days; several posts of one count once. */
  readonly on_offer_count: number;
  /** Watches that were a buy, by matches of price alerts. */
  readonly buy_count_90d: number;
  /** Posts of an ask that was posted before. */
  readonly repost_count_90d: number;
  readonly price_drop_count_90d: number;
  readonly deal_count: number;
  readonly note?: string;
  readonly is_blocked: boolean;
}

interface DealerRow {
  readonly id: string;
  readonly display_name: string | null;
  readonly phone_number: string | null;
  readonly first_seen_at_ms: number | null;
  readonly last_seen_at_ms: number | null;
}

export type Dealer = Present<DealerRow> & DealerFigures;

export interface DealerQuery {
  readonly q?: string | undefined;
  readonly isBlocked?: boolean | undefined;
  readonly sort: DealerSort;
  readonly nowMs: number;
}

type PostFigures = Pick<
  DealerFigures,
  "on_offer_count" | "repost_count_90d" | "price_drop_count_90d" | "buy_count_90d"
>;

/** What is kept between reads. */
export interface KeptDealers {
  readonly figures: ReturnType<typeof createKept<PostFigures>>;
  readonly orders: ReturnType<typeof createKept<readonly Place[]>>;
}

export function createKeptDealers(clock: Clock): KeptDealers {
  const age = { clock, maxMs: KEPT_MS };
  return {
    figures: createKept({ age, sizeMax: KEPT_FIGURES_MAX }),
    orders: createKept({ age, sizeMax: DEALER_SORTS.length }),
  };
}

const KEPT_MS = 30 * SECOND_MS;
const KEPT_FIGURES_MAX = 5_000;
/** Fewer posts are counted, and fewer dealers are sorted, at once. */
const KEPT_POSTS_MIN = 50;
const KEPT_DEALERS_MIN = 1_000;
const ON_OFFER_MS = 30 * DAY_MS;
const COUNTED_MS = 90 * DAY_MS;
/** A dealer with a hundred posts a day for half a year; further ones are not counted. */
const COUNTED_MAX = 20_000;
/** Of so many listings in a row, most are of different dealers. */
const WALKED_PER_DEALER = 20;
/** Of more contacts with such a name, the latest seen are shown. */
const SELECTED_MAX = 2_000;

/** One page of dealers, the highest value of the order first, then by id. */
export async function listDealers(
  db: Database,
  query: DealerQuery,
  page: {
    readonly limit: number;
    readonly cursor?: string | undefined;
    readonly kept?: KeptDealers;
  },
): Promise<{ readonly items: readonly Dealer[]; readonly next_cursor?: string }> {
  const { q, isBlocked, sort, nowMs } = query;
  const digest = toQueryDigest(["dealers", q ?? null, isBlocked ?? null, sort]);
  const after = page.cursor === undefined ? undefined : parseCursor(page.cursor, digest, toPlace);
  const places = await findPlaces(db, query, { after, count: page.limit + 1, kept: page.kept });
  const shown = places.slice(0, page.limit);
  const ids = shown.map(({ id }) => id);
  const rows = await db.query<DealerRow>(sql`
    select contact.id, contact.display_name, contact.phone_number,
           (select min(own.first_seen_at_ms) from contact_identifier as own where own.contact_id = contact.id)
             as first_seen_at_ms,
           (select last_seen_at_ms from listing where listing.contact_id = contact.id
             order by last_seen_at_ms desc limit 1) as last_seen_at_ms
      from contact
     where contact.id = any(${ids}::uuid[])`);
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  const figures = await findDealerFigures(db, ids, { nowMs, kept: page.kept });
  const items = ids.flatMap((id) => {
    const [row, own] = [rowOf.get(id), figures.get(id)];
    return row === undefined || own === undefined ? [] : [{ ...dropNulls(row), ...own }];
  });
  const last = shown.at(-1);
  if (places.length === shown.length || last === undefined) return { items };
  return { items, next_cursor: toCursor(digest, [last.value, last.id]) };
}

/** Where a dealer stands in an order. */
interface Place {
  readonly value: number;
  readonly id: string;
}

interface PlacesPage {
  readonly after: Place | undefined;
  readonly count: number;
  readonly kept?: KeptDealers | undefined;
}

/** Those with a value first; the others, such as blocked ones without a listing, follow by id. */
async function findPlaces(
  db: Database,
  query: DealerQuery,
  page: PlacesPage,
): Promise<readonly Place[]> {
  const { q, isBlocked } = query;
  const isAsked = joinSql(
    [
      sql`not contact.is_own`,
      ...(q === undefined ? [] : [isContactCalled(q)]),
      ...(isBlocked === undefined
        ? []
        : [sql`${isBlockedContact(sql`contact.id`)} = ${isBlocked}`]),
    ],
    " and ",
  );
  const isOfFew = q !== undefined || isBlocked === true;
  // Names are compared once, and not again in each part of the statements.
  const max = q === undefined ? Number.MAX_SAFE_INTEGER : SELECTED_MAX;
  const isSelected = isOfFew ? await toSelected(db, isAsked, max) : isAsked;
  if (query.sort === "last_seen" && !isOfFew) {
    const newest = await walkNewest(db, isSelected, page);
    if (newest.length === page.count) return newest;
  }
  const figures = figuresOf(query, isOfFew ? isSelected : undefined);
  const isKept = !isOfFew && isBlocked === undefined && query.sort !== "last_seen";
  const valued = await findValued(
    db,
    { isSelected, figures, keptAs: isKept ? query.sort : undefined },
    page,
  );
  if (valued.length === page.count) return valued;
  const afterId = page.after?.value === 0 ? page.after.id : undefined;
  const rest = await db.query<Place>(
    sql`
    with figure as materialized (${figures})
    select contact.id, 0 as value
      from contact
     where ${isSelected} ${afterId === undefined ? sql`` : sql`and contact.id > ${afterId}`}
       and contact.id not in (select contact_id from figure)
       and (${isBlockedContact(sql`contact.id`)}
            -- "offset 0" keeps the planner from reading all listings.
            or exists (select from listing where listing.contact_id = contact.id offset 0))
     order by contact.id
     limit ${page.count - valued.length}`,
    { isStatic: false },
  );
  return [...valued, ...rest];
}

/** The contacts themselves; if there are more than `max`, those that were seen last. */
async function toSelected(db: Database, isAsked: Sql, max: number): Promise<Sql> {
  const rows = await db.query<{ readonly id: string }>(
    sql`
    with asked as materialized (select contact.id from contact where ${isAsked})
    select asked.id
      from asked
      left join lateral (
           select last_seen_at_ms from listing where listing.contact_id = asked.id
              and (select count(*) from asked) > ${max}
            order by last_seen_at_ms desc limit 1) as latest on true
     order by latest.last_seen_at_ms desc nulls last, asked.id
     limit ${max}`,
    { isStatic: false },
  );
  return sql`contact.id = any(${rows.map(({ id }) => id)}::uuid[])`;
}

interface Valued {
  readonly isSelected: Sql;
  readonly figures: Sql;
  /** The order is read whole and kept under this name. */
  readonly keptAs: DealerSort | undefined;
}

async function findValued(
  db: Database,
  { isSelected, figures, keptAs }: Valued,
  { after, count, kept }: PlacesPage,
): Promise<readonly Place[]> {
  const read = (isAfter: Sql, limit: Sql) =>
    db.query<Place>(
      sql`
      with figure as materialized (${figures})
      select contact.id, figure.value
        from figure
        join contact on contact.id = figure.contact_id
       where ${isSelected} and ${isAfter}
       order by figure.value desc, contact.id
       ${limit}`,
      { isStatic: false },
    );
  if (kept !== undefined && keptAs !== undefined) {
    const order = kept.orders.find(keptAs) ?? (await read(sql`true`, sql``));
    if (order.length >= KEPT_DEALERS_MIN) await kept.orders.read(keptAs, async () => order);
    const from = after === undefined ? 0 : order.findIndex((place) => isBehind(place, after));
    return from < 0 ? [] : order.slice(from, from + count);
  }
  const isAfter =
    after === undefined
      ? sql`true`
      : sql`(figure.value < ${after.value} or (figure.value = ${after.value} and contact.id > ${after.id}))`;
  return read(isAfter, sql`limit ${count}`);
}

function isBehind(place: Place, other: Place): boolean {
  return place.value === other.value ? place.id > other.id : place.value < other.value;
}

/** Dealers by their newest listing, found among the newest listings; fewer than asked for if those are of too few dealers. */
async function walkNewest(
  db: Database,
  isSelected: Sql,
  { after, count }: PlacesPage,
): Promise<readonly Place[]> {
  const isAfter =
    after === undefined
      ? sql`true`
      : sql`
        (dealer.value < ${after.value} or contact.id > ${after.id})
        and not exists (select from listing
                         where listing.contact_id = contact.id and listing.last_seen_at_ms > ${after.value})`;
  return db.query<Place>(
    sql`
    with walked as materialized (
      select contact_id, last_seen_at_ms
        from listing
       where last_seen_at_ms <= ${after?.value ?? Number.MAX_SAFE_INTEGER}
       order by last_seen_at_ms desc, id
       limit ${count * WALKED_PER_DEALER}
    )
    select contact.id, dealer.value
      from (select contact_id, max(last_seen_at_ms) as value from walked group by contact_id) as dealer
      join contact on contact.id = dealer.contact_id
     -- Others of the time at which the walk ends may stand behind it.
     where dealer.value > (select min(last_seen_at_ms) from walked) and ${isSelected} and ${isAfter}
     order by dealer.value desc, contact.id
     limit ${count}`,
    { isStatic: false },
  );
}

function toPlace([value, id]: readonly unknown[]) {
  if (!Number.isSafeInteger(value) || typeof id !== "string" || !isUuid(id)) return undefined;
  return { value: value as number, id };
}

/** The dealers with a value in this order; only of selected contacts where those are few. */
function figuresOf({ sort, nowMs }: DealerQuery, isSelected: Sql | undefined): Sql {
  if (sort === "last_seen") {
    return sql`
      select contact.id as contact_id, latest.last_seen_at_ms as value
        from contact
       cross join lateral (select last_seen_at_ms from listing where listing.contact_id = contact.id
                            order by last_seen_at_ms desc limit 1) as latest
       where ${isSelected ?? sql`true`}`;
  }
  const isOfSelected =
    isSelected === undefined
      ? sql`listing.contact_id is not null`
      : sql`listing.contact_id = any(array(select contact.id from contact where ${isSelected}))`;
  const watches =
    sort === "on_offer"
      ? sql`
        from listing
       where last_seen_at_ms >= ${nowMs - ON_OFFER_MS} and ${IS_OFFERED} and ${isOfSelected}`
      : sql`
        from alert_match as match
        join listing on listing.id = match.listing_id
       where match.is_outward in (true, false) and match.strategy = 'price_engine'
         and match.matched_at_ms >= ${nowMs - COUNTED_MS} and ${isOfSelected}`;
  // Grouped twice: to count distinct values, PostgreSQL would sort all rows.
  return sql`
    select watch.contact_id, count(*) as value
      from (select listing.contact_id ${watches} group by listing.contact_id, ${WATCH}) as watch
     group by watch.contact_id`;
}

/** The posts of a watch count once. */
const WATCH = sql`coalesce(listing.ask_key, listing.id)`;
const IS_OFFERED = sql`listing.side = 'for_sale' and not listing.is_hidden and not listing.is_revoked`;

/** By contact. */
export async function findDealerFigures(
  db: Database,
  contactIds: readonly string[],
  { nowMs, kept }: { readonly nowMs: number; readonly kept?: KeptDealers | undefined },
): Promise<ReadonlyMap<string, DealerFigures>> {
  if (contactIds.length === 0) return new Map();
  const known = new Map(
    contactIds.flatMap((id) => {
      const figures = kept?.figures.find(id);
      return figures === undefined ? [] : [[id, figures] as const];
    }),
  );
  const counted = await countPosts(
    db,
    contactIds.filter((id) => !known.has(id)),
    nowMs,
  );
  for (const { contact_id, listing_count, ...figures } of counted) {
    known.set(contact_id, figures);
    if (listing_count >= KEPT_POSTS_MIN) await kept?.figures.read(contact_id, async () => figures);
  }
  const deals = await db.query<{ readonly contact_id: string; readonly count: number }>(sql`
    select known.id as contact_id, count(*) as count
      from ${knownContactIds(sql`${contactIds}::uuid[]`)} as known
      join deal on deal.contact_id = known.known_id
     group by known.id`);
  const dealCounts = new Map(deals.map(({ contact_id, count }) => [contact_id, count]));
  const notes = await findContactNotes(db, contactIds);
  return new Map(
    [...known].map(([id, figures]) => [
      id,
      { ...figures, deal_count: dealCounts.get(id) ?? 0, is_blocked: false, ...notes.get(id) },
    ]),
  );
}

interface CountedPosts extends PostFigures {
  readonly contact_id: string;
  readonly listing_count: number;
}

async function countPosts(
  db: Database,
  contactIds: readonly string[],
  nowMs: number,
): Promise<readonly CountedPosts[]> {
  if (contactIds.length === 0) return [];
  return db.query<CountedPosts>(
    sql`
    select wanted.id as contact_id, posted.*, coalesce(bought.count, 0) as buy_count_90d
      from unnest(${contactIds}::uuid[]) as wanted (id)
     cross join lateral (
           select count(distinct ask.watch) filter (where ask.last_seen_at_ms >= ${nowMs - ON_OFFER_MS}) as on_offer_count,
                  coalesce(sum(ask.post_count), 0)::bigint - count(*) as repost_count_90d,
                  coalesce(sum(ask.drop_count), 0)::bigint as price_drop_count_90d,
                  coalesce(sum(ask.listing_count), 0)::bigint as listing_count
             -- Grouped first: distinct values of several columns would be sorted, which takes longer.
             from (select ${WATCH} as watch, max(listing.last_seen_at_ms) as last_seen_at_ms,
                          sum(listing.occurrence_count) as post_count, count(listing.price_drop_bps) as drop_count,
                          count(*) as listing_count
                     from (select listing.id, listing.ask_key, listing.last_seen_at_ms, listing.occurrence_count,
                                  listing.price_amount_minor, listing.price_currency, listing.price_drop_bps
                             from listing
                            where listing.contact_id = wanted.id and listing.last_seen_at_ms >= ${nowMs - COUNTED_MS}
                              and ${IS_OFFERED}
                            order by listing.last_seen_at_ms desc, listing.id
                            limit ${COUNTED_MAX}) as listing
                    group by ${WATCH}, listing.price_amount_minor, listing.price_currency) as ask
          ) as posted
      left join (
           select listing.contact_id, count(distinct ${WATCH}) as count
             from alert_match as match
             join listing on listing.id = match.listing_id
            where match.is_outward in (true, false) and match.strategy = 'price_engine'
              and match.matched_at_ms >= ${nowMs - COUNTED_MS} and listing.contact_id = any(${contactIds}::uuid[])
            group by listing.contact_id
          ) as bought on bought.contact_id = wanted.id`,
    { isStatic: false },
  );
}
