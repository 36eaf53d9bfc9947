import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { beginMatches } from "./match-write-store.ts";

/** Deletes the matches of deleted messages and listings, with their deliveries: also those that are waiting to be sent. */
export async function eraseMatches(
  tx: Database,
  messageIds: readonly string[],
  listingIds: readonly string[],
): Promise<void> {
  await beginMatches(tx);
  const ids = [...messageIds];
  const matches = await tx.query<{ resource_id: string }>(sql`
    delete from alert_match where canonical_message_id = any(${ids}::uuid[]) returning resource_id`);
  const matchedIds = matches.map(({ resource_id }) => resource_id);
  await removeDeliveries(tx, [...ids, ...listingIds, ...matchedIds]);
}

/** Who sent something, as matches and deliveries name him. */
interface Sender {
  readonly phones: readonly string[];
  readonly contactIds: readonly string[];
}

/**
 * Deletes the matches and deliveries of a person that no message leads to: while a replay is under way, those of the resources
 * whose anchors are his, and after the message has left, by what a stored body says.
 */
export async function eraseMatchesOf(
  tx: Database,
  person: Sender,
  anchoredIds: readonly string[],
): Promise<void> {
  await beginMatches(tx);
  const words = [
    ...person.phones.map((phone) => `%"phone\\_number":"${phone}"%`),
    ...person.contactIds.map((id) => `%"contact\\_id":"${id}"%`),
  ];
  const bodies = await tx.query<{ resource_id: string }>(sql`
    select distinct resource_id from webhook_delivery where body like any(${words}::text[]) order by resource_id`);
  await eraseMatchesAt(tx, [...anchoredIds, ...bodies.map(({ resource_id }) => resource_id)]);
}

/** Deletes the matches and deliveries of these listings and messages. */
export async function eraseMatchesAt(tx: Database, resourceIds: readonly string[]): Promise<void> {
  if (resourceIds.length === 0) return;
  await beginMatches(tx);
  await tx.execute(sql`delete from alert_match where resource_id = any(${resourceIds}::uuid[])`);
  await removeDeliveries(tx, resourceIds);
}

async function removeDeliveries(tx: Database, resourceIds: readonly string[]): Promise<void> {
  const ids = [...new Set(resourceIds)];
  await tx.execute(sql`delete from webhook_delivery where resource_id = any(${ids}::uuid[])`);
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
