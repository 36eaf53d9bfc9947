import { groupBy } from "../../base/group-by.ts";
import type { Database } from "../../db/database.ts";
import { type Sql, sql } from "../../db/sql.ts";
import type { Period, Post } from "./moments.ts";

/** A listing that may have matched within the period. */
export interface Candidate {
  readonly id: string;
  readonly canonical_message_id: string;
  readonly first_seen_at_ms: number;
  readonly last_seen_at_ms: number;
}

export interface Overlap {
  readonly alert_id: string;
  readonly name: string;
  readonly shared_count: number;
}

/** The listings that `where` selects among those that were posted within the period, last seen first. */
export async function listCandidates(
  db: Database,
  where: Sql,
  { period, limit }: { readonly period: Period; readonly limit: number },
): Promise<readonly Candidate[]> {
  const statement = sql`
    select id, canonical_message_id, first_seen_at_ms, last_seen_at_ms
      from listing
     where ${where} and ${isPosted(period)}
     order by last_seen_at_ms desc, id
     limit ${limit}`;
  return db.query<Candidate>(statement, { isStatic: false });
}

/** A condition on `listing`: it may have been posted within the period. */
export function isPosted({ fromMs, toMs }: Period): Sql {
  return sql`(last_seen_at_ms >= ${fromMs}::bigint and first_seen_at_ms <= ${toMs}::bigint)`;
}

/** By message: its posts until the end of the period, in the order of time. Revoked ones are left out. */
export async function findPosts(
  db: Database,
  messageIds: readonly string[],
  { period, limit }: { readonly period: Period; readonly limit: number },
): Promise<ReadonlyMap<string, readonly Post[]>> {
  if (messageIds.length === 0) return new Map();
  const rows = await db.query<Post & { readonly canonical_message_id: string }>(sql`
    select message.id as canonical_message_id, post.sent_at_ms, post.group_id, post.has_media
      from unnest(${messageIds}::uuid[]) as message (id)
     cross join lateral (
             -- "offset 0" keeps the index: for some hundred messages the planner would read the whole table.
             select occurrence.id, sent_at_ms, group_id, has_media
               from occurrence
              where canonical_message_id = message.id and not is_revoked and sent_at_ms <= ${period.toMs}
             offset 0) as post
     order by message.id, post.sent_at_ms, post.id
     limit ${limit}`);
  return groupBy(rows, (row) => row.canonical_message_id);
}

/** The alerts that matched some of these listings, those with the most first. */
export async function listOverlaps(
  db: Database,
  listingIds: readonly string[],
  limit: number,
): Promise<readonly Overlap[]> {
  if (listingIds.length === 0) return [];
  return db.query<Overlap>(sql`
    select match.alert_id, alert.name, match.shared_count
      from (select alert_id, count(*) as shared_count
              from unnest(${listingIds}::uuid[]) as listing (id)
              join alert_match on alert_match.resource_id = listing.id and alert_match.resource = 'watch_listing'
             group by alert_id) as match
      join alert on alert.id = match.alert_id
     order by match.shared_count desc, match.alert_id
     limit ${limit}`);
}
