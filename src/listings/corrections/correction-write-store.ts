import type { Database } from "../../db/database.ts";
import { recordset, sql } from "../../db/sql.ts";
import { findMessagesOfText } from "../../messages/message-store.ts";
import type { Correction, SetAsideReason } from "./correction.ts";

/** A correction that is stored already stays as it is. */
export async function insertCorrections(
  tx: Database,
  corrections: readonly Correction[],
): Promise<void> {
  await tx.execute(sql`
    insert into correction (id, identity_sha256, line, ordinal, reference_normalized, field, value, is_undone,
                            default_currency, sender_country, corrected_at_ms)
    select id, decode(identity_sha256, 'hex'), line, ordinal, reference_normalized, field, nullif(value, 'null'),
           is_undone, default_currency, sender_country, corrected_at_ms
      from ${recordset(corrections)} as correction
           (id uuid, identity_sha256 text, line integer, ordinal integer, reference_normalized text, field text,
            value jsonb, is_undone boolean, default_currency text, sender_country text, corrected_at_ms bigint)
     order by id
    on conflict (id) do nothing`);
}

/** A message whose text has corrections, and those of them that do not hold for it. */
export interface CorrectedMessage {
  readonly canonical_message_id: string;
  readonly identity_sha256: string;
  readonly set_aside: Readonly<Record<string, SetAsideReason>>;
}

/** Replaces what is stored about the messages with these ids. */
export async function saveCorrectedMessages(
  tx: Database,
  messageIds: readonly string[],
  rows: readonly CorrectedMessage[],
): Promise<void> {
  const kept = rows.map((row) => row.canonical_message_id);
  await tx.execute(sql`
    delete from corrected_message
     where canonical_message_id = any(${messageIds}::uuid[]) and canonical_message_id <> all(${kept}::uuid[])`);
  if (rows.length === 0) return;
  await tx.execute(sql`
    insert into corrected_message as known (canonical_message_id, identity_sha256, set_aside)
    select canonical_message_id, decode(identity_sha256, 'hex'), set_aside
      from ${recordset(rows)} as row (canonical_message_id uuid, identity_sha256 text, set_aside jsonb)
     order by canonical_message_id
    on conflict (canonical_message_id) do update set set_aside = excluded.set_aside
     where known.set_aside <> excluded.set_aside`);
}

/**
 * Notes texts of erased persons that have a correction. Others may have posted them too, in events up to `lastRawEventId` that
 * are not read yet, as during a replay.
 */
export async function saveErasedTexts(
  tx: Database,
  identities: readonly string[],
  lastRawEventId: number,
): Promise<void> {
  if (identities.length === 0) return;
  await tx.execute(sql`
    insert into erased_text as known (identity_sha256, last_raw_event_id)
    select distinct identity_sha256, ${lastRawEventId}::bigint
      from correction
     where identity_sha256 in (select decode(wanted, 'hex') from unnest(${[...identities]}::text[]) as wanted)
     order by identity_sha256
    on conflict (identity_sha256) do update
       set last_raw_event_id = greatest(known.last_raw_event_id, excluded.last_raw_event_id)`);
}

/** The last event to be read before the noted texts can be judged; undefined if there are none. */
export async function findErasedTexts(db: Database): Promise<number | undefined> {
  const [row] = await db.query<{ last: number | null }>(sql`
    select max(last_raw_event_id) as last from erased_text`);
  return row?.last ?? undefined;
}

/** Deletes the corrections of those noted texts that no message has. All events must be read that may have them. */
export async function eraseCorrections(tx: Database): Promise<void> {
  const noted = await tx.query<{ identity: string }>(sql`
    delete from erased_text returning encode(identity_sha256, 'hex') as identity`);
  const identities = noted.map(({ identity }) => identity);
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
