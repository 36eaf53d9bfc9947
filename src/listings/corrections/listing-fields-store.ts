import type { Database } from "../../db/database.ts";
import { type Sql, sql } from "../../db/sql.ts";
import { currentListingId } from "../listing-store.ts";
import type { CorrectedPrice } from "./correction.ts";

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
  /** False if a person said so. */
  readonly is_listing: false | null;
  readonly sources: Readonly<Record<string, string>>;
}

const FIELDS = sql`
  side, brand, model, reference, dial_type, variant, year, card_month, condition, full_set_status,
  ${toPrice(sql`price_amount_minor`, sql`price_currency`)} as price,
  ${toPrice(sql`alternative_price_amount_minor`, sql`alternative_price_currency`)} as alternative_price,
  status, case when sources -> 'is_listing' is not null then false end as is_listing, sources`;

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
