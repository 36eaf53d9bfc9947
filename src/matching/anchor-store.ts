/**
 * A replay rebuilds listings and messages with the same ids, unless their sender is another one now. An anchor says where
 * something that people know, such as a match or a deal, came from: the raw id, the text and the place in the text. With it the match finds its
 * listing again.
 */
import type { Database } from "../db/database.ts";
import { type Sql, sql } from "../db/sql.ts";
import type { Move } from "./resource-store.ts";

const NO_ID = "00000000-0000-0000-0000-000000000000";

/**
 * Saves the anchors of the resources that `resources` selects, as resource, resource_id and canonical_message_id. Anchors of a
 * replay that was cut off stay, because they are from before its first half.
 */
export async function saveAnchors(tx: Database, resources: Sql): Promise<void> {
  await tx.execute(sql`
    insert into match_anchor
           (resource, resource_id, group_id, raw_id, identity_sha256, sender_ids, line, ordinal)
    select distinct on (known.resource, known.resource_id)
           known.resource, known.resource_id, source.group_id, source.raw_id, version.identity_sha256,
           source.sender_ids, listing.line, listing.ordinal
      from (${resources}) as known
      -- Contacts may have merged since, and what is known of the old ids has not moved yet.
      left join message_alias as moved on moved.old_id = known.canonical_message_id
      left join listing_alias as gone on gone.old_id = known.resource_id
      join canonical_message as message on message.id = coalesce(moved.canonical_message_id, known.canonical_message_id)
      join occurrence as source on source.id = message.source_occurrence_id
      left join message_version as version
        on version.occurrence_id = source.id and version.canonical_message_id = message.id
      left join listing on known.resource = 'watch_listing' and listing.id = coalesce(gone.listing_id, known.resource_id)
     where known.resource = 'message' or listing.id is not null
     order by known.resource, known.resource_id, version.version_at_ms
    on conflict do nothing`);
  // Marks a replay without matches too. No message has this id.
  await tx.execute(sql`
    insert into match_anchor (resource, resource_id, group_id, raw_id, sender_ids)
    values ('message', ${NO_ID}, ${NO_ID}, '', '{}')
    on conflict do nothing`);
}

/** Returns true from the start of a replay until its end is reached. */
export async function hasAnchors(db: Database): Promise<boolean> {
  return (await db.query(sql`select from match_anchor limit 1`)).length > 0;
}

/**
 * Takes the anchors, and returns the moves of resources that have another id now. If two senders used the raw id for the same
 * text, the sender of the anchor comes first.
 */
export async function takeMoves(tx: Database): Promise<readonly Move[]> {
  const moves = await tx.query<Move>(sql`
    select anchor.resource, anchor.resource_id as "from", coalesce(listing.id, found.id) as "to",
           found.id as canonical_message_id
      from match_anchor as anchor
     cross join lateral (
        select version.canonical_message_id as id
          from occurrence
          join message_version as version on version.occurrence_id = occurrence.id
         where occurrence.group_id = anchor.group_id and occurrence.raw_id = anchor.raw_id
           and version.identity_sha256 is not distinct from anchor.identity_sha256
         order by occurrence.sender_ids && anchor.sender_ids desc, version.canonical_message_id
         limit 1
      ) as found
      left join listing
        on anchor.resource = 'watch_listing' and listing.canonical_message_id = found.id
       and listing.line = anchor.line and listing.ordinal = anchor.ordinal
     where (anchor.resource = 'message'
            and not exists (select from canonical_message where id = anchor.resource_id))
        or (listing.id is not null and not exists (select from listing where id = anchor.resource_id))
     order by anchor.resource, anchor.resource_id`);
  await tx.execute(sql`delete from match_anchor`);
  return moves;
}

/** A person, or a message whose sender is not known. */
export type Anchored =
  | { readonly identifiers: readonly string[] }
  | { readonly groupId: string; readonly rawId: string };

/** Deletes the anchors of what a person sent, or of a message, and returns the ids of the listings and messages. */
export async function eraseAnchors(tx: Database, of: Anchored): Promise<readonly string[]> {
  const isTheirs =
    "identifiers" in of
      ? sql`sender_ids && ${[...of.identifiers]}::text[]`
      : sql`group_id = ${of.groupId} and raw_id = ${of.rawId}`;
  const rows = await tx.query<{ resource_id: string }>(sql`
    delete from match_anchor where ${isTheirs} returning resource_id`);
  return rows.map(({ resource_id }) => resource_id);
}
