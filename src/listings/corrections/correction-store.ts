import type { Database } from "../../db/database.ts";
import { recordset, sql } from "../../db/sql.ts";
import { currentListingId } from "../listing-store.ts";
import type { Correction, SetAsideReason } from "./correction.ts";

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
    select canonical_message_id, line, ordinal, reference_normalized, is_found,
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
