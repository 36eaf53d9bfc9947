/**
 * Dealers: the contacts that offer watches, with what they offer, how often that was a buy, and what a desk did with them. The
 * figures are counted when they are asked for, so they need no upkeep; a page reads what its dealers posted in 90 days.
 */
import { DAY_MS } from "../base/clock.ts";
import { isUuid } from "../base/ids.ts";
import { toDigits } from "../base/text.ts";
import type { Database } from "../db/database.ts";
import { parseCursor, toCursor, toQueryDigest } from "../db/page.ts";
import { dropNulls, type Present } from "../db/row.ts";
import { joinSql, type Sql, sql } from "../db/sql.ts";
import { findContactNotes, isBlockedContact } from "../messages/contacts/contact-note-store.ts";

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

const ON_OFFER_MS = 30 * DAY_MS;
const COUNTED_MS = 90 * DAY_MS;
/** A dealer with a hundred posts a day for half a year; further ones are not counted. */
const COUNTED_MAX = 20_000;
/** Fewer digits are in nearly every number. */
const DIGITS_MIN = 3;

/** One page of dealers, the highest value of the order first, then by id. */
export async function listDealers(
  db: Database,
  { q, isBlocked, sort, nowMs }: DealerQuery,
  page: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<{ readonly items: readonly Dealer[]; readonly next_cursor?: string }> {
  const digest = toQueryDigest(["dealers", q ?? null, isBlocked ?? null, sort]);
  const after = page.cursor === undefined ? undefined : parseCursor(page.cursor, digest, toPlace);
  const conditions = [
    ...(q === undefined ? [] : [isNamedLike(q)]),
    ...(isBlocked === undefined ? [] : [sql`${isBlockedContact(sql`contact.id`)} = ${isBlocked}`]),
    ...(after === undefined
      ? []
      : [
          sql`(coalesce(figure.value, 0) < ${after.value}
               or (coalesce(figure.value, 0) = ${after.value} and contact.id > ${after.id}))`,
        ]),
  ];
  const rows = await db.query<DealerRow & { readonly value: number }>(
    sql`
    with figure as materialized (${figuresOf(sort, nowMs)})
    select contact.id, contact.display_name, contact.phone_number, coalesce(figure.value, 0) as value,
           (select min(own.first_seen_at_ms) from contact_identifier as own where own.contact_id = contact.id)
             as first_seen_at_ms,
           (select last_seen_at_ms from listing where listing.contact_id = contact.id
             order by last_seen_at_ms desc limit 1) as last_seen_at_ms
      from contact
      left join figure on figure.contact_id = contact.id
     where not contact.is_own
       and (figure.contact_id is not null or ${isBlockedContact(sql`contact.id`)}
            -- "offset 0" keeps the planner from reading all listings.
            or exists (select from listing where listing.contact_id = contact.id offset 0))
       and ${joinSql([sql`true`, ...conditions], " and ")}
     order by coalesce(figure.value, 0) desc, contact.id
     limit ${page.limit + 1}`,
    { isStatic: false },
  );
  const shown = rows.slice(0, page.limit);
  const figures = await findDealerFigures(
    db,
    shown.map(({ id }) => id),
    nowMs,
  );
  const items = shown.flatMap(({ value: _, ...row }) => {
    const own = figures.get(row.id);
    return own === undefined ? [] : [{ ...dropNulls(row), ...own }];
  });
  const last = shown.at(-1);
  if (rows.length === shown.length || last === undefined) return { items };
  return { items, next_cursor: toCursor(digest, [last.value, last.id]) };
}

function toPlace([value, id]: readonly unknown[]) {
  if (!Number.isSafeInteger(value) || typeof id !== "string" || !isUuid(id)) return undefined;
  return { value: value as number, id };
}

/** By a part of a name, or by at least three digits of a number. */
function isNamedLike(q: string): Sql {
  const pattern = `%${q.replace(/[\\%_]/g, "\\$&")}%`;
  const digits = /^[\d\s+()./-]+$/.test(q) ? toDigits(q) : "";
  const isNumber =
    digits.length < DIGITS_MIN ? sql`false` : sql`own.identifier like ${`phone:%${digits}%`}`;
  return sql`
    (contact.display_name ilike ${pattern}
     or exists (select from contact_identifier as own
                 where own.contact_id = contact.id and (own.name ilike ${pattern} or ${isNumber})))`;
}

/** The dealers with a value in this order. */
function figuresOf(sort: DealerSort, nowMs: number): Sql {
  if (sort === "last_seen") {
    return sql`
      select contact.id as contact_id, latest.last_seen_at_ms as value
        from contact
       cross join lateral (select last_seen_at_ms from listing where listing.contact_id = contact.id
                            order by last_seen_at_ms desc limit 1) as latest`;
  }
  if (sort === "on_offer") {
    return sql`
      select contact_id, count(distinct ${WATCH}) as value
        from listing
       where last_seen_at_ms >= ${nowMs - ON_OFFER_MS} and contact_id is not null and ${IS_OFFERED}
       group by contact_id`;
  }
  return sql`
    select listing.contact_id, count(distinct ${WATCH}) as value
      from alert_match as match
      join listing on listing.id = match.listing_id
     where match.is_outward in (true, false) and match.strategy = 'price_engine'
       and match.matched_at_ms >= ${nowMs - COUNTED_MS} and listing.contact_id is not null
     group by listing.contact_id`;
}

/** The posts of a watch count once. */
const WATCH = sql`coalesce(listing.ask_key, listing.id)`;
const IS_OFFERED = sql`listing.side = 'for_sale' and not listing.is_hidden and not listing.is_revoked`;

/** By contact. */
export async function findDealerFigures(
  db: Database,
  contactIds: readonly string[],
  nowMs: number,
): Promise<ReadonlyMap<string, DealerFigures>> {
  if (contactIds.length === 0) return new Map();
  const rows = await db.query<
    Omit<DealerFigures, "note" | "is_blocked"> & { readonly contact_id: string }
  >(
    sql`
    select wanted.id as contact_id, posted.*, coalesce(bought.count, 0) as buy_count_90d,
           (select count(*) from deal where deal.contact_id = wanted.id) as deal_count
      from unnest(${contactIds}::uuid[]) as wanted (id)
     cross join lateral (
           select count(distinct ask.watch) filter (where ask.last_seen_at_ms >= ${nowMs - ON_OFFER_MS}) as on_offer_count,
                  coalesce(sum(ask.post_count), 0)::bigint - count(*) as repost_count_90d,
                  coalesce(sum(ask.drop_count), 0)::bigint as price_drop_count_90d
             -- Grouped first: distinct values of several columns would be sorted, which takes longer.
             from (select ${WATCH} as watch, max(listing.last_seen_at_ms) as last_seen_at_ms,
                          sum(listing.occurrence_count) as post_count, count(listing.price_drop_bps) as drop_count
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
  const notes = await findContactNotes(db, contactIds);
  return new Map(
    rows.map(({ contact_id, ...figures }) => [
      contact_id,
      { ...figures, is_blocked: false, ...notes.get(contact_id) },
    ]),
  );
}
