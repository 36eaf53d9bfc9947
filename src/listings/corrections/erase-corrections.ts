import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { findMessagesOfText } from "../../messages/messages-of-text-store.ts";

/** Deletes the corrections of those texts that no message has any more. */
export async function eraseCorrections(tx: Database, identities: readonly string[]): Promise<void> {
  const lost = await findLostCorrections(tx, identities, new Set());
  if (lost.length > 0) {
    await tx.execute(sql`
      delete from correction
       where identity_sha256 in (select decode(lost, 'hex') from unnest(${lost}::text[]) as lost)`);
  }
}

/** How many corrections are of texts that only these messages have. */
export async function countCorrectionsOf(
  db: Database,
  messageIds: readonly string[],
): Promise<number> {
  const rows = await db.query<{ identity: string }>(sql`
    select distinct encode(identity_sha256, 'hex') as identity
      from corrected_message
     where canonical_message_id = any(${[...messageIds]}::uuid[])`);
  const identities = rows.map(({ identity }) => identity);
  const lost = await findLostCorrections(db, identities, new Set(messageIds));
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from correction
     where identity_sha256 in (select decode(lost, 'hex') from unnest(${lost}::text[]) as lost)`);
  return row?.count ?? 0;
}

/** Returns the corrected texts that only the messages in `leaving` have. */
async function findLostCorrections(
  db: Database,
  identities: readonly string[],
  leaving: ReadonlySet<string>,
): Promise<readonly string[]> {
  const rows = await db.query<{ identity: string }>(sql`
    select distinct encode(identity_sha256, 'hex') as identity
      from correction
     where identity_sha256 in (select decode(wanted, 'hex') from unnest(${[...identities]}::text[]) as wanted)
     order by identity`);
  const lost: string[] = [];
  for (const { identity } of rows) {
    const messageIds = await findMessagesOfText(db, identity);
    if (messageIds.every((id) => leaving.has(id))) lost.push(identity);
  }
  return lost;
}
