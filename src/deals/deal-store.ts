/** What is read of deals: one, a page, those that cover listings, and what they made. */
import { assert } from "../base/errors.ts";
import { isUuid } from "../base/ids.ts";
import type { Database } from "../db/database.ts";
import { parseCursor, toCursor, toQueryDigest } from "../db/page.ts";
import { dropNulls } from "../db/row.ts";
import { joinSql, rawSql, type Sql, sql } from "../db/sql.ts";
import { REPEAT_MS } from "../listings/listing-write-store.ts";
import { saidAtMs } from "../listings/offers.ts";
import { isBlockedContact } from "../messages/contacts/contact-note-store.ts";
import { knownContactIds } from "../messages/contacts/contact-store.ts";
import {
  type Amount,
  type DatedAmount,
  DEAL_STATES,
  type Deal,
  type DealState,
  type DetachedReason,
  type PassReason,
  RETURN_BPS,
  RETURNING_REASONS,
} from "./deal.ts";

interface DealRow {
  readonly listing_id: string;
  readonly state: DealState;
  readonly reason: PassReason | null;
  readonly note: string | null;
  readonly offer: Amount | null;
  readonly assignee: string | null;
  readonly assignee_name: string | null;
  readonly paid: DatedAmount | null;
  readonly sold: DatedAmount | null;
  readonly cost_eur_minor: number | null;
  readonly version: number;
  readonly detached_reason: DetachedReason | null;
  readonly price: Deal["price"] | null;
  readonly predicted_profit_eur_minor: number | null;
  readonly asked: Amount | null;
  readonly posted_at_ms: number;
  readonly watch: Deal["watch"];
  readonly created_by: string | null;
  readonly created_at_ms: number;
  readonly updated_by: string | null;
  readonly updated_by_token_id: string | null;
  readonly updated_at_ms: number;
}

/** An object of these columns, null if the first one is. */
function objectOf(columns: Readonly<Record<string, string>>): Sql {
  const [first = ""] = Object.values(columns);
  const pairs = Object.entries(columns).map(([member, column]) => `'${member}', deal.${column}`);
  return rawSql(
    `case when deal.${first} is not null then jsonb_build_object(${pairs.join(", ")}) end`,
  );
}

/** The columns of `DealRow`, of the table called `deal`. */
const DEAL_COLUMNS = sql`
  deal.listing_id, deal.state, deal.reason, deal.note, deal.assignee_token_id as assignee, deal.assignee_name,
  ${objectOf({ amount_minor: "offer_amount_minor", currency: "offer_currency" })} as offer,
  ${objectOf({ amount_minor: "paid_amount_minor", currency: "paid_currency", at_ms: "paid_at_ms" })} as paid,
  ${objectOf({ amount_minor: "sold_amount_minor", currency: "sold_currency", at_ms: "sold_at_ms" })} as sold,
  deal.cost_eur_minor, deal.version, deal.detached_reason,
  ${objectOf({
    configuration_id: "configuration_id",
    average_eur_minor: "average_eur_minor",
    landed_eur_minor: "landed_eur_minor",
    profit_eur_minor: "profit_eur_minor",
  })} as price,
  deal.predicted_profit_eur_minor,
  ${objectOf({ amount_minor: "asked_amount_minor", currency: "asked_currency" })} as asked,
  deal.posted_at_ms, deal.watch, deal.created_by, deal.created_at_ms, deal.updated_by, deal.updated_by_token_id,
  deal.updated_at_ms`;

/** Also by an id from before contacts merged. */
export async function findDeal(db: Database, listingId: string): Promise<Deal | undefined> {
  const [row] = await db.query<DealRow>(sql`
    select ${DEAL_COLUMNS}
      from deal
     where deal.listing_id in (${listingId}, (select listing_id from listing_alias where old_id = ${listingId}))
     order by deal.listing_id = ${listingId} desc
     limit 1`);
  return row && dropNulls(row);
}

/** The deals of these listings, by id. */
export async function findDealsAt(
  db: Database,
  listingIds: readonly string[],
): Promise<readonly Deal[]> {
  if (listingIds.length === 0) return [];
  const rows = await db.query<DealRow>(sql`
    select ${DEAL_COLUMNS} from deal where deal.listing_id = any(${listingIds}::uuid[]) order by deal.listing_id`);
  return rows.map(dropNulls);
}

export interface DealQuery {
  readonly state?: DealState | undefined;
  /** The id of a token. */
  readonly assignee?: string | undefined;
  /** The id of now. */
  readonly contactId?: string | undefined;
  /** By the day that the summary counts: that of `paid`, else of the last decision. */
  readonly fromMs?: number | undefined;
  /** Exclusive. */
  readonly toMs?: number | undefined;
}

/** One page of deals, the latest decision first. */
export async function listDeals(
  db: Database,
  query: DealQuery,
  page: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<{ readonly items: readonly Deal[]; readonly next_cursor?: string }> {
  const { state, assignee, contactId, fromMs, toMs } = query;
  const parts = [state, assignee, contactId, fromMs, toMs].map((value) => value ?? null);
  const digest = toQueryDigest(["deals", ...parts]);
  const after = page.cursor === undefined ? undefined : parseCursor(page.cursor, digest, toPlace);
  const conditions = [
    ...conditionsOf(query),
    ...(after === undefined
      ? []
      : [
          // The first condition is implied by the second one, but only the first one is looked up in the index.
          sql`deal.updated_at_ms <= ${after.atMs}`,
          sql`(deal.updated_at_ms < ${after.atMs} or deal.listing_id > ${after.id})`,
        ]),
  ];
  const rows = await db.query<DealRow>(
    sql`
    select ${DEAL_COLUMNS}
      from deal
     where ${joinSql(conditions, " and ")}
     order by deal.updated_at_ms desc, deal.listing_id
     limit ${page.limit + 1}`,
    { isStatic: false },
  );
  const items = rows.slice(0, page.limit).map(dropNulls);
  const last = items.at(-1);
  if (rows.length === items.length || last === undefined) return { items };
  return { items, next_cursor: toCursor(digest, [last.updated_at_ms, last.listing_id]) };
}

function conditionsOf({ state, assignee, contactId, fromMs, toMs }: DealQuery): readonly Sql[] {
  return [
    sql`true`,
    ...(state === undefined ? [] : [sql`deal.state = ${state}`]),
    ...(assignee === undefined ? [] : [sql`deal.assignee_token_id = ${assignee}`]),
    ...(contactId === undefined ? [] : [isOfContact(contactId)]),
    ...(fromMs === undefined ? [] : [sql`deal.day_ms >= ${fromMs}`]),
    ...(toMs === undefined ? [] : [sql`deal.day_ms < ${toMs}`]),
  ];
}

/** Also deals that know their dealer by an id from before contacts merged, because their listing has left. */
function isOfContact(contactId: string): Sql {
  const known = knownContactIds(sql`array[${contactId}::uuid]`);
  return sql`deal.contact_id = any(array(select known_id from ${known} as known))`;
}

function toPlace([atMs, id]: readonly unknown[]) {
  if (!Number.isSafeInteger(atMs) || typeof id !== "string" || !isUuid(id)) return undefined;
  return { atMs: atMs as number, id };
}

/**
 * The deal of the row called so, as a source with at most one row: its own, or else the latest one of the same watch (dealer,
 * reference, year, condition, set, dial, variant) that was posted in the 30 days before. A bought watch is gone, so its deal covers only posts at
 * the same price. If a message has several equal ones, those at another price are other watches.
 */
function dealOf(listing: string): Sql {
  const row = rawSql(listing);
  return sql`
    (select own.*, 1 as rank
       from deal as own
      where own.listing_id = ${row}.id and own.detached_reason is null
      union all
     (select other.*, 2
        from deal as other
       where other.ask_key = ${row}.ask_key and other.side = ${row}.side
         and other.variant_folded is not distinct from ${row}.variant_folded
         and other.posted_at_ms between ${row}.message_timestamp_ms - ${REPEAT_MS}::bigint
                                    and ${row}.message_timestamp_ms + ${REPEAT_MS}::bigint
         and case when other.price_amount_minor is not distinct from ${row}.price_amount_minor
                   and other.price_currency is not distinct from ${row}.price_currency
                  then other.canonical_message_id <> ${row}.canonical_message_id or other.state <> 'bought'
                  else other.state <> 'bought' and other.posted_at_ms <= ${row}.message_timestamp_ms
                       and not exists (select from listing as twin
                                        where twin.canonical_message_id = ${row}.canonical_message_id
                                          and twin.id <> ${row}.id and twin.ask_key = ${row}.ask_key
                                          and twin.side = ${row}.side
                                          and twin.variant_folded is not distinct from ${row}.variant_folded)
             end
       order by other.updated_at_ms desc, other.listing_id
       limit 1)
      order by rank
      limit 1)`;
}

const RETURNING = sql`deal.reason in (${joinSql(
  RETURNING_REASONS.map((reason) => sql`${reason}`),
  ", ",
)})`;

/** True if the ask of the row called so fell so far since the deal called `deal` that a passed watch is back. */
function isBack(listing: string): Sql {
  const row = rawSql(listing);
  return sql`
    coalesce(deal.state = 'passed' and ${RETURNING} and ${row}.price_currency = deal.asked_currency
               and ${row}.price_amount_minor * 10000.0 <= deal.asked_amount_minor * ${10_000 - RETURN_BPS}::numeric, false)`;
}

/**
 * True if the match called so is on a passed watch that is back, and is from before the decision: the desk has decided about it,
 * and no one knows yet that the ask fell.
 */
export function isBackSinceMatch(match: string, nowMs: number): Sql {
  const row = rawSql(match);
  return sql`
    exists (select from deal
              join listing on listing.id = deal.listing_id
             where deal.listing_id = ${row}.resource_id and deal.detached_reason is null and ${isBack("listing")}
               and ${row}.matched_at_ms <= deal.updated_at_ms and deal.updated_at_ms < ${nowMs}::bigint)`;
}

/** When the desk passed the watch of the row called so, if a later post or reply brought it back; null otherwise. */
export function backSinceMs(listing: string): Sql {
  const row = rawSql(listing);
  return sql`
    case when exists (select from deal as passed where passed.ask_key = ${row}.ask_key and passed.state = 'passed')
         then (select deal.updated_at_ms
                 from ${dealOf(listing)} as deal
                where ${isBack(listing)} and ${saidAtMs(listing)} > deal.updated_at_ms) end`;
}

/** True if the watch of the row called so was passed, and is not back. */
export function isPassed(listing: string): Sql {
  const row = rawSql(listing);
  // The first condition costs little, and is false for most watches.
  return sql`
    ((${row}.ask_key is null
      or exists (select from deal as passed where passed.ask_key = ${row}.ask_key and passed.state = 'passed'))
     and exists (select from ${dealOf(listing)} as deal where deal.state = 'passed' and not ${isBack(listing)}))`;
}

/** What a row about a listing says of its deal. */
interface DealMark
  extends Pick<
    Deal,
    | "listing_id"
    | "state"
    | "reason"
    | "note"
    | "offer"
    | "assignee"
    | "assignee_name"
    | "updated_by"
    | "updated_at_ms"
  > {
  /** The ask fell since the watch was passed, so it is back. */
  readonly price_drop?: {
    readonly from: Amount;
    readonly since_ms: number;
    readonly bps: number;
  };
}

export interface DealtListing {
  readonly deal?: DealMark;
  readonly is_blocked: boolean;
  /** Passed, or of a blocked dealer. */
  readonly is_left_out: boolean;
}

type DealtRow = Pick<
  DealRow,
  "state" | "reason" | "note" | "offer" | "assignee" | "assignee_name" | "updated_by"
> & {
  readonly id: string;
  readonly listing_id: string | null;
  readonly updated_at_ms: number | null;
  readonly asked: Amount | null;
  readonly price_amount_minor: number | null;
  readonly is_back: boolean;
  readonly is_blocked: boolean;
};

/** By requested id, which may be one from before contacts merged. An id without a listing is left out. */
export async function findDealtListings(
  db: Database,
  listingIds: readonly string[],
): Promise<ReadonlyMap<string, DealtListing>> {
  if (listingIds.length === 0) return new Map();
  const rows = await db.query<DealtRow>(sql`
    select wanted.id, deal.listing_id, deal.state, deal.reason, deal.note, deal.assignee_token_id as assignee,
           deal.assignee_name, deal.updated_by, deal.updated_at_ms,
           ${objectOf({ amount_minor: "offer_amount_minor", currency: "offer_currency" })} as offer,
           ${objectOf({ amount_minor: "asked_amount_minor", currency: "asked_currency" })} as asked,
           listing.price_amount_minor, ${isBack("listing")} as is_back,
           ${isBlockedContact(sql`listing.contact_id`)} as is_blocked
      from unnest(${listingIds}::uuid[]) as wanted (id)
      left join listing as known on known.id = wanted.id
      left join listing_alias as alias on alias.old_id = wanted.id
      join listing on listing.id = coalesce(known.id, alias.listing_id)
      left join lateral ${dealOf("listing")} as deal on true`);
  return new Map(rows.map((row) => [row.id, toDealt(row)]));
}

function toDealt({ id: _id, is_back, is_blocked, asked, price_amount_minor, ...row }: DealtRow) {
  if (row.listing_id === null) return { is_blocked, is_left_out: is_blocked };
  const { updated_at_ms } = row;
  const drop =
    is_back && asked !== null && price_amount_minor !== null && updated_at_ms !== null
      ? {
          from: asked,
          since_ms: updated_at_ms,
          bps: toDropBps(asked.amount_minor, price_amount_minor),
        }
      : undefined;
  const deal = { ...dropNulls(row), ...(drop === undefined ? {} : { price_drop: drop }) };
  return {
    deal: deal as DealMark,
    is_blocked,
    is_left_out: is_blocked || (row.state === "passed" && !is_back),
  };
}

function toDropBps(before: number, after: number): number {
  return before === 0 ? 0 : Math.floor(((before - after) * 10_000) / before);
}

/** The listings that this deal covers: what a person who decides has seen. At most `COVERED_MAX`, the latest. */
export async function listCovered(db: Database, listingId: string): Promise<readonly string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select listing.id
      from deal as wanted
      join listing
        on listing.ask_key = wanted.ask_key
       and listing.message_timestamp_ms between wanted.posted_at_ms - ${REPEAT_MS}::bigint
                                            and wanted.posted_at_ms + ${REPEAT_MS}::bigint
     cross join lateral ${dealOf("listing")} as deal
     where wanted.listing_id = ${listingId} and deal.listing_id = wanted.listing_id
     order by listing.message_timestamp_ms desc, listing.id
     limit ${COVERED_MAX}`);
  return [...new Set([listingId, ...rows.map(({ id }) => id)])];
}

const COVERED_MAX = 500;

export interface DealSummary {
  readonly by_state: Readonly<Record<DealState, number>>;
  readonly bought_count: number;
  readonly paid_eur_minor: number;
  readonly predicted_profit_eur_minor: number;
  readonly sold_count: number;
  readonly realised_profit_eur_minor: number;
  /** Of the sold watches, to compare with what was realised. */
  readonly sold_predicted_profit_eur_minor: number;
  /** Bought watches with an amount that has no rate on its day. They are in no sum of euros. */
  readonly without_rate_count: number;
  /** Bought watches without a price when they were bought. */
  readonly without_prediction_count: number;
}

/** Sold, and both amounts have a rate of their day. */
const IS_MADE = sql`sold_eur_minor is not null and paid_eur_minor is not null`;

/** What deals made between two times, by the day of `paid`; a deal without one counts at its decision. */
export async function summarizeDeals(
  db: Database,
  query: Omit<DealQuery, "state">,
): Promise<DealSummary> {
  const isCounted = joinSql(conditionsOf(query), " and ");
  const counts = await db.query<{ readonly state: DealState; readonly count: number }>(sql`
    select state, count(*) as count from deal where ${isCounted} group by state`);
  const [bought] = await db.query<Omit<DealSummary, "by_state" | "bought_count">>(sql`
    select count(sold_at_ms) as sold_count, coalesce(sum(paid_eur_minor), 0)::bigint as paid_eur_minor,
           coalesce(sum(predicted_profit_eur_minor), 0)::bigint as predicted_profit_eur_minor,
           coalesce(sum(predicted_profit_eur_minor) filter (where ${IS_MADE}), 0)::bigint as sold_predicted_profit_eur_minor,
           coalesce(sum(sold_eur_minor - paid_eur_minor - coalesce(cost_eur_minor, 0)) filter (where ${IS_MADE}), 0)::bigint
             as realised_profit_eur_minor,
           count(*) filter (where (paid_at_ms is not null and paid_eur_minor is null)
                               or (sold_at_ms is not null and sold_eur_minor is null)) as without_rate_count,
           count(*) filter (where predicted_profit_eur_minor is null) as without_prediction_count
      from deal
     where state = 'bought' and ${isCounted}`);
  assert(bought !== undefined, "a sum has a row");
  const countOf = new Map(counts.map(({ state, count }) => [state, count]));
  const by_state = Object.fromEntries(DEAL_STATES.map((state) => [state, countOf.get(state) ?? 0]));
  return {
    by_state: by_state as DealSummary["by_state"],
    bought_count: countOf.get("bought") ?? 0,
    ...bought,
  };
}
