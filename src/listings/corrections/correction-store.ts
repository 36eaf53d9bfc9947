import type { Database } from "../../db/database.ts";
import { type Sql, sql } from "../../db/sql.ts";
import { currentListingId } from "../listing-store.ts";
import type { CorrectedPrice, Correction, SetAsideReason } from "./correction.ts";

const COLUMNS = sql`
  id, encode(identity_sha256, 'hex') as identity_sha256, line, ordinal, reference_normalized, field, value, is_undone,
  default_currency, sender_country, corrected_at_ms`;

/** Most stores have none, and then the step need not compute the identity of any text. */
export async function hasCorrections(db: Database): Promise<boolean> {
  return (await db.query(sql`select from correction limit 1`)).length > 0;
}

/** All corrections of these texts, also those that are undone or replaced. */
export async function findCorrections(
  db: Database,
  identities: readonly string[],
): Promise<readonly Correction[]> {
  return db.query<Correction>(sql`
    select ${COLUMNS}
      from correction
     where identity_sha256 in (select decode(sha256, 'hex') from unnest(${identities}::text[]) as wanted (sha256))
     order by corrected_at_ms desc, id desc`);
}

export async function findCorrectionsById(
  db: Database,
  ids: readonly string[],
): Promise<readonly Correction[]> {
  return db.query<Correction>(sql`
    select ${COLUMNS} from correction where id = any(${ids}::uuid[]) order by id limit ${ids.length}`);
}

/** A stored listing, as far as a correction needs it. */
export interface StoredPlace {
  readonly id: string;
  readonly contact_id: string | null;
  readonly canonical_message_id: string;
  readonly line: number;
  readonly ordinal: number;
  readonly reference_normalized: string | null;
  readonly is_reference_corrected: boolean;
  readonly is_found: boolean;
}

/** Accepts ids from before contacts merged. */
export async function findCorrectedListing(
  db: Database,
  id: string,
): Promise<StoredPlace | undefined> {
  const [row] = await db.query<StoredPlace>(sql`
    select id, contact_id, canonical_message_id, line, ordinal, reference_normalized, is_found,
           coalesce(sources ->> 'reference', '') = 'corrected' as is_reference_corrected
      from listing
     where id = ${currentListingId(id)}`);
  return row;
}

/** True while the message of a listing waits to be read, or is being read. */
export async function isListingQueued(db: Database, id: string): Promise<boolean> {
  const rows = await db.query(sql`
    select from message_queue
     where canonical_message_id = (select canonical_message_id from listing where id = ${currentListingId(id)})`);
  return rows.length > 0;
}

/** The newest correction of each scope, unless it is undone. */
const PRESENT = sql`
  select latest.*
    from (select distinct on (identity_sha256, line, ordinal, reference_normalized, field, default_currency, sender_country)
                 *
            from correction
           order by identity_sha256, line, ordinal, reference_normalized, field, default_currency, sender_country,
                    corrected_at_ms desc, id desc) as latest
   where not latest.is_undone`;

/** A correction that was not undone, and one message whose text it is about. */
export interface ListedCorrection extends Omit<Correction, "identity_sha256" | "is_undone"> {
  /** Null if no message has the text now. If it is set aside somewhere, this is such a message. */
  readonly canonical_message_id: string | null;
  readonly set_aside: SetAsideReason | null;
}

/** The newest first. */
export async function listCorrections(
  db: Database,
  options: { readonly limit: number; readonly isSetAside: boolean },
): Promise<readonly ListedCorrection[]> {
  const isWanted = options.isSetAside ? sql`place.set_aside is not null` : sql`true`;
  return db.query<ListedCorrection>(sql`
    select present.id, present.line, present.ordinal, present.reference_normalized, present.field, present.value,
           present.default_currency, present.sender_country, present.corrected_at_ms,
           place.canonical_message_id, place.set_aside
      from (${PRESENT}) as present
      left join lateral (
        select canonical_message_id, set_aside ->> present.id::text as set_aside
          from corrected_message
         where corrected_message.identity_sha256 = present.identity_sha256
         order by set_aside ->> present.id::text nulls last, canonical_message_id
         limit 1
      ) as place on true
     where ${isWanted}
     order by present.corrected_at_ms desc, present.id desc
     limit ${options.limit}`);
}

export async function countCorrections(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*) as count from (${PRESENT}) as present`,
  );
  return row?.count ?? 0;
}

/** How many corrections do not hold for a message with their text, by reason. */
export async function countSetAsideCorrections(
  db: Database,
): Promise<readonly { readonly reason: SetAsideReason; readonly count: number }[]> {
  return db.query<{ reason: SetAsideReason; count: number }>(sql`
    select entry.reason, count(distinct entry.id) as count
      from corrected_message
     cross join lateral jsonb_each_text(set_aside) as entry (id, reason)
     where set_aside <> '{}'
     group by entry.reason
     order by entry.reason`);
}

/** The fields of a stored listing that can be corrected, as they are now. */
export interface ListingFields {
  readonly side: string;
  readonly brand: string | null;
  readonly model: string | null;
  readonly reference: string | null;
  readonly dial_type: string | null;
  readonly variant: string | null;
  readonly year: number | null;
  readonly card_month: number | null;
  readonly condition: string | null;
  readonly full_set_status: readonly string[];
  readonly price: CorrectedPrice | null;
  readonly alternative_price: CorrectedPrice | null;
  readonly status: string | null;
  /** False if it is left out; true if a person said that it is one. */
  readonly is_listing: boolean | null;
  readonly sources: Readonly<Record<string, string>>;
}

const FIELDS = sql`
  side, brand, model, reference, dial_type, variant, year, card_month, condition, full_set_status,
  ${toPrice(sql`price_amount_minor`, sql`price_currency`)} as price,
  ${toPrice(sql`alternative_price_amount_minor`, sql`alternative_price_currency`)} as alternative_price,
  status, case when left_out_reason is not null then false when sources ? 'is_listing' then true end as is_listing,
  sources`;

function toPrice(amount: Sql, currency: Sql): Sql {
  return sql`case when ${amount} is not null then json_build_object('amount_minor', ${amount}, 'currency', ${currency}) end`;
}

/** Accepts ids from before contacts merged. */
export async function findListingFields(
  db: Database,
  id: string,
): Promise<ListingFields | undefined> {
  const [row] = await db.query<ListingFields>(sql`
    select ${FIELDS} from listing where id = ${currentListingId(id)}`);
  return row;
}

/** A message with a correction that holds, with all that extraction knew of it and its listings as they are now. */
export interface CorrectedText {
  readonly canonical_message_id: string;
  readonly text: string;
  readonly phone_number: string | null;
  readonly default_currency: string | null;
  readonly first_seen_at_ms: number;
  /** In the order of the text. */
  readonly listings: readonly ListingFields[];
}

/** One page, in the order of the ids. Listings that the current reader does not find are left out. */
export async function listCorrectedTexts(
  db: Database,
  page: { readonly afterId: string | undefined; readonly limit: number },
): Promise<readonly CorrectedText[]> {
  const start =
    page.afterId === undefined ? sql`true` : sql`corrected.canonical_message_id > ${page.afterId}`;
  return db.query<CorrectedText>(sql`
    select message.id as canonical_message_id, message.text, contact.phone_number, market_group.default_currency,
           message.first_seen_at_ms, read.listings
      from corrected_message as corrected
      join canonical_message as message on message.id = corrected.canonical_message_id
      left join occurrence as source on source.id = message.source_occurrence_id
      left join contact on contact.id = message.contact_id
      left join market_group on market_group.id = source.group_id
     cross join lateral (
        select json_agg(to_json(fields) order by fields.line, fields.ordinal) as listings,
               bool_or(jsonb_path_exists(fields.sources, '$.* ? (@ == "corrected")')) as is_corrected
          from (select ${FIELDS}, line, ordinal
                  from listing
                 where listing.canonical_message_id = message.id and listing.is_found) as fields
      ) as read
     where ${start} and read.is_corrected and message.text is not null and message.first_seen_at_ms is not null
     order by corrected.canonical_message_id
     limit ${page.limit}`);
}
