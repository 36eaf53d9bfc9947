/**
 * A subject is what an erasure remembers: an identifier of a person (see contact.ts), or something that leads to him though it does not
 * name him. Only keyed hashes of subjects are stored.
 *
 * - `message`: a raw id that he used. Edits, revocations and sightings of it that name no sender are his.
 * - `sighting`: the same text in the same second. A session that knows him by another identifier reports it so, and thereby links
 *   that identifier to him.
 * - `admin`: he was an admin of the group, so his revocations of messages of others still count.
 */
import { createHmac, randomBytes } from "node:crypto";
import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { identitySha256 } from "../message.ts";

export function messageSubject(groupId: string, rawId: string): string {
  return `message:${groupId}\t${rawId}`;
}

/** Returns the group and the raw id; undefined if the subject is not a message. */
export function parseMessageSubject(
  subject: string,
): { readonly groupId: string; readonly rawId: string } | undefined {
  if (!subject.startsWith("message:")) return undefined;
  const [groupId = "", rawId = ""] = subject.slice("message:".length).split("\t");
  return { groupId, rawId };
}

export function sightingSubject(sighting: {
  readonly groupId: string;
  readonly rawId: string;
  readonly second: number;
  readonly text: string;
}): string {
  const { groupId, rawId, second, text } = sighting;
  return `sighting:${groupId}\t${rawId}\t${second}\t${identitySha256(text) ?? ""}`;
}

export function adminSubject(groupId: string, identifier: string): string {
  return `admin:${groupId}\t${identifier}`;
}

/** Returns the group's key and the name; undefined if the subject is not a name. */
export function parseNameSubject(
  subject: string,
): { readonly group: string; readonly name: string } | undefined {
  if (!subject.startsWith("name:")) return undefined;
  const [group = "", ...name] = subject.slice("name:".length).split("\t");
  return { group, name: name.join("\t") };
}

/** Returns undefined if nothing was ever erased. */
export async function findErasureKey(db: Database): Promise<Buffer | undefined> {
  const [row] = await db.query<{ key: Buffer }>(sql`select key from erasure_key limit 1`);
  return row?.key;
}

/** The same for ever: a hash is of use only with its key. */
export async function makeErasureKey(tx: Database): Promise<Buffer> {
  await tx.execute(sql`
    insert into erasure_key (key) values (${randomBytes(32)}) on conflict do nothing`);
  const key = await findErasureKey(tx);
  if (key === undefined) throw new Error("the key of erasures is gone");
  return key;
}

/** Returns those of the subjects that were erased. */
export async function findErased(
  db: Database,
  key: Buffer,
  subjects: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const hashes = new Map([...new Set(subjects)].map((subject) => [hashOf(key, subject), subject]));
  if (hashes.size === 0) return new Set();
  const rows = await db.query<{ hash: string }>(sql`
    select encode(hash, 'hex') as hash
      from erased_subject
     where hash in (select decode(wanted, 'hex') from unnest(${[...hashes.keys()]}::text[]) as wanted)`);
  return new Set(rows.flatMap(({ hash }) => hashes.get(hash) ?? []));
}

export async function rememberErased(
  tx: Database,
  key: Buffer,
  subjects: Iterable<string>,
): Promise<void> {
  const hashes = [...new Set(subjects)].map((subject) => hashOf(key, subject)).sort();
  if (hashes.length === 0) return;
  await tx.execute(sql`
    insert into erased_subject (hash)
    select decode(added, 'hex') from unnest(${hashes}::text[]) as added
    on conflict do nothing`);
}

function hashOf(key: Buffer, subject: string): string {
  return createHmac("sha256", key).update(subject).digest("hex");
}

export async function queueErasures(tx: Database, subjects: Iterable<string>): Promise<void> {
  const sorted = [...new Set(subjects)].sort();
  if (sorted.length === 0) return;
  await tx.execute(sql`
    insert into erasure_queue (subject) select added from unnest(${sorted}::text[]) as added
    on conflict do nothing`);
}

/** The oldest subject of the queue. */
export async function findQueuedErasure(db: Database): Promise<string | undefined> {
  const [row] = await db.query<{ subject: string }>(
    sql`select subject from erasure_queue order by number, subject limit 1`,
  );
  return row?.subject;
}

export async function finishErasure(tx: Database, subject: string): Promise<void> {
  await tx.execute(sql`delete from erasure_queue where subject = ${subject}`);
}

/** Counts the events that were dropped, in whole or in part, when they arrived. */
export async function addDroppedEvents(tx: Database, count: number, nowMs: number): Promise<void> {
  await tx.execute(sql`
    update erasure_key
       set dropped_event_count = dropped_event_count + ${count},
           last_dropped_at_ms = greatest(last_dropped_at_ms, ${nowMs})`);
}

/** How many events of erased persons came again and were dropped, in whole or in part. */
export async function countDroppedEvents(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select dropped_event_count as count from erasure_key limit 1`,
  );
  return row?.count ?? 0;
}

/**
 * Which raw events are searched. Only exported chats know senders by name, so a name is searched in `chat`. A dealer who was
 * erased and stays active is met under his name in one group after the other, and all events would be searched each time.
 */
type ScanScope = "all" | "chat";

/** Where a search of the raw events stands. */
interface ErasureScan {
  readonly scope: ScanScope;
  readonly afterId: number;
  /** The last event to search: later ones are read when what was erased is known. */
  readonly lastId: number;
}

export async function findScan(db: Database): Promise<ErasureScan | undefined> {
  const [row] = await db.query<ErasureScan>(sql`
    select scope, after_raw_event_id as "afterId", last_raw_event_id as "lastId"
      from erasure_scan
     order by scope
     limit 1`);
  return row;
}

/** Starts a search after this event. One that is under way goes back there, because it knew less. */
export async function requestScan(tx: Database, scan: ErasureScan): Promise<void> {
  await tx.execute(sql`
    insert into erasure_scan as known (scope, after_raw_event_id, last_raw_event_id)
    values (${scan.scope}, ${scan.afterId}, ${scan.lastId})
    on conflict (scope) do update
       set after_raw_event_id = least(known.after_raw_event_id, excluded.after_raw_event_id),
           last_raw_event_id = greatest(known.last_raw_event_id, excluded.last_raw_event_id)`);
}

/** Undefined means that the search is complete. */
export async function moveScan(
  tx: Database,
  scope: ScanScope,
  afterId: number | undefined,
): Promise<void> {
  await (afterId === undefined
    ? tx.execute(sql`delete from erasure_scan where scope = ${scope}`)
    : tx.execute(
        sql`update erasure_scan set after_raw_event_id = ${afterId} where scope = ${scope}`,
      ));
}

/** Returns true while something that was erased may still be stored. */
export async function isErasureUnderWay(db: Database): Promise<boolean> {
  const rows = await db.query(sql`
    select where exists (select from erasure_queue) or exists (select from erasure_scan)`);
  return rows.length > 0;
}
