import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { Resource } from "../listings/match-queue-store.ts";

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
