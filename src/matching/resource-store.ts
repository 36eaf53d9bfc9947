// What matching reads of the listings and messages that were queued: where they moved when contacts merged, what a match
// shows of a listing, and what message alerts read of a message.

import { foldWord } from "../base/text.ts";
import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { EMPTY_FACTS, type ListingFacts } from "../listings/listing.ts";
import type { Resource } from "../listings/match-queue-store.ts";
import { toMessageText } from "../listings/search-text.ts";
import { groupNamesOf } from "../messages/group-store.ts";

/** A listing or message whose id changed, because contacts merged. */
export interface Move {
  readonly resource: Resource;
  readonly from: string;
  readonly to: string;
  /** Of the new resource. */
  readonly canonical_message_id: string;
}

export interface ListingMove extends Move {
  /** True if a calculation in progress may still fire an alert under the old id. */
  readonly may_fire: boolean;
}

/**
 * The moves of deleted listings, and the moves to present ones: the old listing may have been matched in an earlier batch
 * than the new one.
 */
export async function findListingMoves(
  tx: Database,
  ids: { readonly gone: readonly string[]; readonly present: readonly string[] },
): Promise<readonly ListingMove[]> {
  return tx.query<ListingMove>(sql`
    select 'watch_listing' as resource, alias.old_id as "from", listing.id as "to", listing.canonical_message_id,
           alias.old_id = any(${ids.gone}::uuid[])
             or exists (select from fresh_listing where listing_id = alias.old_id) as may_fire
      from (select old_id, listing_id from listing_alias where old_id = any(${ids.gone}::uuid[])
            union
            select old_id, listing_id from listing_alias where listing_id = any(${ids.present}::uuid[])) as alias
      join listing on listing.id = alias.listing_id
     order by alias.old_id`);
}

/** The moves of deleted messages. */
export async function findMessageMoves(
  tx: Database,
  goneIds: readonly string[],
): Promise<readonly Move[]> {
  if (goneIds.length === 0) return [];
  return tx.query<Move>(sql`
    select 'message' as resource, alias.old_id as "from", message.id as "to", message.id as canonical_message_id
      from message_alias as alias
      join canonical_message as message on message.id = alias.canonical_message_id
     where alias.old_id = any(${goneIds}::uuid[])
     order by alias.old_id
     limit ${goneIds.length}`);
}

/** What a match shows of its listing, besides what filters read. */
export interface ShownListing {
  readonly id: string;
  readonly canonical_message_id: string;
  readonly brand: string | null;
  readonly reference: string | null;
}

/** By id. Deleted listings are left out. */
export async function findShownListings(
  tx: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ShownListing>> {
  const rows = await tx.query<ShownListing>(sql`
    select id, canonical_message_id, brand, reference
      from listing
     where id = any(${ids}::uuid[])
     order by id
     limit ${ids.length}`);
  return new Map(rows.map((row) => [row.id, row]));
}

interface MessageRow {
  readonly id: string;
  readonly text: string | null;
  readonly contact_ids: readonly string[];
  readonly canonical_message_ids: readonly string[];
  readonly phone_number: string | null;
  readonly group_ids: readonly string[];
  readonly group_names: readonly string[];
  readonly first_seen_at_ms: number;
  readonly last_seen_at_ms: number;
  readonly occurrence_count: number;
  readonly has_media: boolean;
  readonly is_revoked: boolean;
}

/**
 * What message alerts read of these messages, without our own. A message is read as a listing without a watch. Filters
 * that ask for a watch are rejected when a message alert is saved.
 */
export async function findMessageFacts(
  db: Database,
  ids: readonly string[],
): Promise<readonly ListingFacts[]> {
  const rows = await db.query<MessageRow>(sql`
    select message.id, message.text, contact.phone_number, message.group_ids,
           message.first_seen_at_ms, message.last_seen_at_ms, message.occurrence_count, message.has_media,
           message.is_revoked,
           ${groupNamesOf(sql`message.group_ids`)} as group_names,
           array_remove(array[message.contact_id], null)
             || array(select old_id from contact_alias where contact_id = message.contact_id order by old_id)
             as contact_ids,
           array[message.id]
             || array(select old_id from message_alias where canonical_message_id = message.id order by old_id)
             as canonical_message_ids
      from canonical_message as message
      left join contact on contact.id = message.contact_id
     where message.id = any(${[...ids]}::uuid[]) and not message.is_own and message.first_seen_at_ms is not null
     order by message.id
     limit ${ids.length}`);
  return rows.map(toFacts);
}

function toFacts(row: MessageRow): ListingFacts {
  return {
    ...EMPTY_FACTS,
    id: row.id,
    phone_number: row.phone_number,
    group_ids: row.group_ids,
    group_names_folded: row.group_names.map(foldWord).filter((name) => name !== ""),
    contact_ids: row.contact_ids,
    canonical_message_ids: row.canonical_message_ids,
    message_timestamp_ms: row.first_seen_at_ms,
    last_seen_at_ms: row.last_seen_at_ms,
    has_media: row.has_media,
    // All of its occurrences were edited to another text.
    is_hidden: row.occurrence_count === 0,
    is_revoked: row.is_revoked,
    search_text: toMessageText(row.text ?? ""),
  };
}
