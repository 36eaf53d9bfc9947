/**
 * How deals are written: what people decide, and where their watches are. One transaction at a time writes them, so what it has
 * read of them holds until its commit.
 */
import type { Database } from "../db/database.ts";
import { takeLock } from "../db/locks.ts";
import { joinSql, rawSql, recordset, type Sql, sql } from "../db/sql.ts";
import { groupNamesOf } from "../messages/group-store.ts";
import type { Author } from "../people/activity.ts";
import { eraseActivityOf } from "../people/activity-store.ts";
import type { DealtPrice, Decision, RivalDeal } from "./deal.ts";

/**
 * Takes the lock of deals until the transaction ends. Take it before that of matches, after all others, and before rows of
 * listings: someone who decides holds it while he waits for his listing.
 */
export async function beginDeals(tx: Database): Promise<void> {
  await takeLock(tx, "deals");
}

/** Of the listings, those with a deal. */
export async function findRivals(
  tx: Database,
  listingIds: readonly string[],
): Promise<readonly RivalDeal[]> {
  return tx.query<RivalDeal>(sql`
    select listing_id, updated_at_ms
      from deal
     where listing_id = any(${listingIds}::uuid[])
     order by listing_id
     limit ${listingIds.length}`);
}

/** What a decision was made on. */
export interface DecidedOn {
  readonly listing_id: string;
  readonly asked_amount_minor: number | null;
  readonly asked_currency: string | null;
  readonly decided_reference: string | null;
}

/**
 * Returns the listing with this id, or the one that it is an alias of now, and keeps it as it is until the transaction ends: a
 * change of it waits, and finds the deal then.
 */
export async function lockListing(tx: Database, id: string): Promise<DecidedOn | undefined> {
  const find = (listingId: Sql) =>
    tx.query<DecidedOn>(sql`
      select id as listing_id, price_amount_minor as asked_amount_minor, price_currency as asked_currency,
             reference_normalized as decided_reference
        from listing
       where id = ${listingId}
         for share`);
  const [own] = await find(sql`${id}`);
  if (own !== undefined) return own;
  const [current] = await find(sql`(select listing_id from listing_alias where old_id = ${id})`);
  return current;
}

/** Of the ids under which this listing was known, those with a deal. */
export async function findFormerDeals(
  tx: Database,
  listingId: string,
): Promise<readonly { readonly from: string; readonly to: string }[]> {
  return tx.query(sql`
    select deal.listing_id as "from", alias.listing_id as "to"
      from listing_alias as alias
      join deal on deal.listing_id = alias.old_id
     where alias.listing_id = ${listingId}
     order by deal.listing_id`);
}

export interface NewDeal {
  readonly decision: Decision;
  readonly assigneeName: string | undefined;
  readonly author: Author;
  /** Without it the deal keeps what it was decided on: its listing is gone. */
  readonly on: DecidedOn | undefined;
  /** Without it the deal keeps the price of the last decision: a dealer often deletes a post that he has sold. */
  readonly price: DealtPrice | undefined;
  /** It was not bought until now: the profit that the headline promises is kept. */
  readonly isBoughtNow: boolean;
}

/** Saves what a person decided. */
export async function saveDeal(tx: Database, listingId: string, deal: NewDeal): Promise<void> {
  const { decision, author, on, price } = deal;
  const { offer, paid, sold, assignee } = decision;
  const row = {
    listing_id: listingId,
    state: decision.state,
    reason: decision.reason,
    note: decision.note,
    offer_amount_minor: offer?.amount_minor,
    offer_currency: offer?.currency,
    assignee_token_id: assignee,
    assignee_name: deal.assigneeName,
    paid_amount_minor: paid?.amount_minor,
    paid_currency: paid?.currency,
    paid_at_ms: paid?.at_ms,
    sold_amount_minor: sold?.amount_minor,
    sold_currency: sold?.currency,
    sold_at_ms: sold?.at_ms,
    cost_eur_minor: decision.cost_eur_minor,
  };
  const { name, nowMs } = author;
  const tokenId = author.tokenId ?? null;
  await tx.execute(sql`
    insert into deal as known
           (${DECISION}, created_by, created_by_token_id, created_at_ms, updated_by, updated_by_token_id, updated_at_ms,
            posted_at_ms, watch)
    select ${DECISION}, ${name}, ${tokenId}::uuid, ${nowMs}::bigint, ${name}, ${tokenId}::uuid,
           ${nowMs}::bigint, 0, '{}'
      from ${recordset([row])} as wanted (${rawSql(
        Object.entries(DECISION_TYPES)
          .map((column) => column.join(" "))
          .join(", "),
      )})
    on conflict (listing_id) do update set
      (${DECISION}) = (select ${rawSql(DECISION_NAMES.map((name) => `excluded.${name}`).join(", "))}),
      version = known.version + 1, updated_by = excluded.updated_by, updated_by_token_id = excluded.updated_by_token_id,
      -- Of two decisions the later one is newer, whatever the clocks say.
      updated_at_ms = greatest(excluded.updated_at_ms, known.updated_at_ms + 1),
      -- When the watch is bought, the profit of that moment follows below.
      predicted_profit_eur_minor =
        case when known.state = 'bought' and excluded.state = 'bought' then known.predicted_profit_eur_minor end`);
  if (on !== undefined) await saveDecidedOn(tx, on);
  if (price !== undefined) await saveDealtPrice(tx, listingId, price);
  if (!deal.isBoughtNow) return;
  await tx.execute(sql`
    update deal set predicted_profit_eur_minor = profit_eur_minor where listing_id = ${listingId}`);
}

/** The columns that a person decides, with their types. */
const DECISION_TYPES = {
  listing_id: "uuid",
  state: "text",
  reason: "text",
  note: "text",
  offer_amount_minor: "bigint",
  offer_currency: "text",
  assignee_token_id: "uuid",
  assignee_name: "text",
  paid_amount_minor: "bigint",
  paid_currency: "text",
  paid_at_ms: "bigint",
  sold_amount_minor: "bigint",
  sold_currency: "text",
  sold_at_ms: "bigint",
  cost_eur_minor: "bigint",
};
const DECISION_NAMES = Object.keys(DECISION_TYPES);
const DECISION = rawSql(DECISION_NAMES.join(", "));

async function saveDecidedOn(tx: Database, on: DecidedOn): Promise<void> {
  await tx.execute(sql`
    update deal
       set asked_amount_minor = ${on.asked_amount_minor}, asked_currency = ${on.asked_currency},
           decided_reference = ${on.decided_reference}
     where listing_id = ${on.listing_id}`);
}

async function saveDealtPrice(tx: Database, listingId: string, price: DealtPrice): Promise<void> {
  await tx.execute(sql`
    update deal
       set configuration_id = ${price.configuration_id}, average_eur_minor = ${price.average_eur_minor},
           landed_eur_minor = ${price.landed_eur_minor}, profit_eur_minor = ${price.profit_eur_minor}
     where listing_id = ${listingId}`);
}

export async function removeDeals(tx: Database, listingIds: readonly string[]): Promise<void> {
  if (listingIds.length === 0) return;
  await tx.execute(sql`delete from deal where listing_id = any(${listingIds}::uuid[])`);
}

export async function renameDeals(
  tx: Database,
  moves: readonly { readonly from: string; readonly to: string }[],
): Promise<void> {
  if (moves.length === 0) return;
  await tx.execute(sql`
    update deal set listing_id = moved."to"
      from ${recordset(moves)} as moved ("from" uuid, "to" uuid)
     where deal.listing_id = moved."from"`);
}

/** All deals, or those of these listings. */
export type Chosen = readonly string[] | "all";

function isChosen(chosen: Chosen): Sql {
  return chosen === "all" ? sql`true` : sql`deal.listing_id = any(${[...chosen]}::uuid[])`;
}

/** What a deal keeps of the row `listing`. */
const COPY = {
  canonical_message_id: sql`listing.canonical_message_id`,
  contact_id: sql`listing.contact_id`,
  sender_ids: sql`
    array(select own.identifier from contact_identifier as own where own.contact_id = listing.contact_id order by 1)`,
  ask_key: sql`listing.ask_key`,
  side: sql`listing.side`,
  variant_folded: sql`listing.variant_folded`,
  price_amount_minor: sql`listing.price_amount_minor`,
  price_currency: sql`listing.price_currency`,
  posted_at_ms: sql`listing.message_timestamp_ms`,
  watch: sql`
    jsonb_strip_nulls(jsonb_build_object(
      'side', listing.side, 'brand', listing.brand, 'model', listing.model, 'reference', listing.reference,
      'reference_normalized', listing.reference_normalized, 'year', listing.year, 'card_month', listing.card_month,
      'condition', listing.condition, 'full_set_status', listing.full_set_status, 'dial_type', listing.dial_type,
      'variant', listing.variant,
      'price', case when listing.price_currency is not null
                    then jsonb_build_object('amount_minor', listing.price_amount_minor, 'currency', listing.price_currency)
               end,
      'price_eur_minor', listing.price_eur_minor, 'contact_id', listing.contact_id,
      'phone_number', listing.phone_number,
      'display_name', (select display_name from contact where contact.id = listing.contact_id),
      'group_names', ${groupNamesOf(sql`listing.group_ids`)}))`,
};

const COPIED = Object.keys(COPY);
const columnsOf = (table: string) => rawSql(COPIED.map((name) => `${table}.${name}`).join(", "));

const IS_OTHER_REFERENCE = sql`listing.reference_normalized <> deal.decided_reference`;

/**
 * Copies the listings of deals as they are. A deal is detached if another reference is read at its place, and attached again when
 * the first one is back; without a reference before or after, it is the same watch.
 */
export async function copyListings(tx: Database, chosen: Chosen): Promise<void> {
  const copy = Object.entries(COPY).map(([name, value]) => sql`${value} as ${rawSql(name)}`);
  await tx.execute(sql`
    with current as materialized (
      select listing.id, ${joinSql(copy, ", ")}
        from deal
        join listing on listing.id = deal.listing_id
       where ${isChosen(chosen)} and (${IS_OTHER_REFERENCE}) is not true
    )
    update deal
       set (${rawSql(COPIED.join(", "))}, detached_reason) = row(${columnsOf("current")}, null)
      from current
     where deal.listing_id = current.id
       and (deal.detached_reason is not null
            or (${columnsOf("deal")}) is distinct from (${columnsOf("current")}))`);
  await tx.execute(sql`
    update deal
       set detached_reason = 'other_reference', ask_key = null
      from listing
     where listing.id = deal.listing_id and ${isChosen(chosen)} and ${IS_OTHER_REFERENCE}
       and deal.detached_reason is distinct from 'other_reference'`);
}

/** Detaches the deals whose listing was removed. They keep what they know of it. */
export async function detachRemoved(tx: Database, chosen: Chosen): Promise<void> {
  await tx.execute(sql`
    update deal
       set detached_reason = 'removed'
     where ${isChosen(chosen)} and coalesce(detached_reason, '') not in ('removed', 'erased')
       and not exists (select from listing where listing.id = deal.listing_id)`);
}

/** The moves of deals whose listing has another id since contacts merged. */
export async function listAliasMoves(
  tx: Database,
): Promise<readonly { readonly from: string; readonly to: string }[]> {
  return tx.query(sql`
    select deal.listing_id as "from", listing.id as "to"
      from deal
      join listing_alias as alias on alias.old_id = deal.listing_id
      join listing on listing.id = alias.listing_id
     where not exists (select from listing as own where own.id = deal.listing_id)
     order by deal.listing_id`);
}

/** The listings with a deal, as `saveAnchors` takes them. */
export function dealtResources(): Sql {
  return sql`
    select 'watch_listing' as resource, listing_id as resource_id, canonical_message_id
      from deal
     where detached_reason is distinct from 'erased'`;
}

/** Whose deals, or which. */
export interface ErasedDeals {
  readonly identifiers?: readonly string[];
  readonly contactIds?: readonly string[];
  readonly messageIds?: readonly string[];
  readonly listingIds?: readonly string[];
}

/** Keeps amounts and dates of these deals, and nothing else: not even an id that leads to the message, nor what was written. */
export async function eraseDeals(tx: Database, of: ErasedDeals): Promise<void> {
  await beginDeals(tx);
  const erased = await tx.query<{ listing_id: string }>(sql`
    select listing_id
      from deal
     where sender_ids && ${[...(of.identifiers ?? [])]}::text[]
        or contact_id = any(${[...(of.contactIds ?? [])]}::uuid[])
        or canonical_message_id = any(${[...(of.messageIds ?? [])]}::uuid[])
        or listing_id = any(${[...(of.listingIds ?? [])]}::uuid[])`);
  const ids = erased.map(({ listing_id }) => listing_id);
  if (ids.length === 0) return;
  await eraseActivityOf(tx, "deal", ids);
  await tx.execute(sql`
    update deal
       set listing_id = gen_random_uuid(), detached_reason = 'erased', reason = null, note = null,
           assignee_token_id = null, assignee_name = null, created_by = null, created_by_token_id = null,
           updated_by = null, updated_by_token_id = null, decided_reference = null, configuration_id = null,
           canonical_message_id = null, contact_id = null, sender_ids = '{}', ask_key = null, side = null,
           variant_folded = null, watch = '{}'
     where listing_id = any(${ids}::uuid[])`);
}
