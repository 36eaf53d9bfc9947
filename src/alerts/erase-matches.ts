import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { beginMatches } from "./match-store.ts";

/** Deletes the matches of deleted messages, with their deliveries: also those that are waiting to be sent. */
export async function eraseMatches(tx: Database, messageIds: readonly string[]): Promise<void> {
  await beginMatches(tx);
  const ids = [...messageIds];
  const matches = await tx.query<{ resource_id: string }>(sql`
    delete from alert_match where canonical_message_id = any(${ids}::uuid[]) returning resource_id`);
  const resourceIds = [...new Set([...ids, ...matches.map(({ resource_id }) => resource_id)])];
  await tx.execute(
    sql`delete from webhook_delivery where resource_id = any(${resourceIds}::uuid[])`,
  );
}

/** Where a match came from names its sender, while a replay is under way. */
export async function eraseAnchors(tx: Database, identifiers: readonly string[]): Promise<void> {
  await tx.execute(sql`delete from match_anchor where sender_ids && ${[...identifiers]}::text[]`);
}

export async function countMatchesOf(
  db: Database,
  messageIds: readonly string[],
): Promise<{ readonly matchCount: number; readonly deliveryCount: number }> {
  const [row] = await db.query<{ matchCount: number; deliveryCount: number }>(sql`
    with match as materialized (
      select resource_id from alert_match where canonical_message_id = any(${[...messageIds]}::uuid[])
    )
    select (select count(*) from match) as "matchCount",
           (select count(*) from webhook_delivery
             where resource_id in (select resource_id from match)) as "deliveryCount"`);
  return row ?? { matchCount: 0, deliveryCount: 0 };
}
