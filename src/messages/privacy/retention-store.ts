import { dayStartOf } from "../../base/clock.ts";
import type { Database } from "../../db/database.ts";
import { recordset, sql } from "../../db/sql.ts";
import { listPairs, type Pair, type SeenPair, type Sighting } from "../contacts/contact.ts";

/** What the store knows about retention. There is no row until a floor was set. */
export interface Retention {
  /** The start of the first UTC day whose messages are kept. It only rises. */
  readonly floor_ms: number;
  readonly raised_at_ms: number;
  /** Events that were older when they arrived, and were not stored. */
  readonly too_old_count: number;
  readonly last_too_old_at_ms: number | null;
}

export async function findRetention(db: Database): Promise<Retention | undefined> {
  const [row] = await db.query<Retention>(sql`
    select floor_ms, raised_at_ms, too_old_count, last_too_old_at_ms from retention limit 1`);
  return row;
}

/** Returns the floor; undefined if nothing ever leaves. */
export async function findFloor(db: Database): Promise<number | undefined> {
  return (await findRetention(db))?.floor_ms;
}

/** Raises the floor. A lower one changes nothing. Returns true if it rose. */
export async function raiseFloor(
  db: Database,
  { floorMs, nowMs }: { readonly floorMs: number; readonly nowMs: number },
): Promise<boolean> {
  const count = await db.execute(sql`
    insert into retention as stored (floor_ms, raised_at_ms)
    values (${floorMs}, ${nowMs})
    on conflict (is_only) do update set floor_ms = excluded.floor_ms, raised_at_ms = excluded.raised_at_ms
     where stored.floor_ms < excluded.floor_ms`);
  return count > 0;
}

/** Adds to the count of events that were too old on arrival. */
export async function addTooOld(
  db: Database,
  { count, nowMs }: { readonly count: number; readonly nowMs: number },
): Promise<void> {
  await db.execute(sql`
    update retention
       set too_old_count = too_old_count + ${count},
           last_too_old_at_ms = greatest(last_too_old_at_ms, ${nowMs})`);
}

/**
 * Keeps what events said about senders, which are about to leave. Without this, a replay would give contacts other ids: the
 * id of a contact depends on its first evidence, and on all pairs of a LID and a phone number that were ever proved.
 *
 * Invariant: a row is the join of what the left events said: the earliest time, the newest name, ownership if any said so.
 * So neither the order in which events leave nor a repeat matters.
 *
 * Example: in March an event names lid:1999 and phone:447700900120 as "Kenji". It leaves in June. `kept_identifier` has both
 * with their times and the name, `kept_pair` has the pair. A replay in July queues these as sightings, and the contact has
 * the id that it had in March.
 */
export async function keepEvidence(tx: Database, sightings: readonly Sighting[]): Promise<void> {
  const rows = sightings.flatMap(({ identifiers, atMs, name, isOwn }) =>
    identifiers.map((identifier) => ({
      identifier,
      at_ms: atMs,
      name: name ?? null,
      named_on_ms: name === undefined ? null : dayStartOf(atMs),
      is_own: isOwn,
    })),
  );
  if (rows.length > 0) await keepIdentifiers(tx, rows);
  await keepPairs(tx, listPairs(sightings));
}

async function keepIdentifiers(tx: Database, rows: readonly object[]): Promise<void> {
  await tx.execute(sql`
    insert into kept_identifier as kept (identifier, first_seen_at_ms, name, named_on_ms, is_own)
    select seen.identifier, min(seen.at_ms),
           (array_agg(seen.name order by seen.named_on_ms desc, seen.name desc) filter (where seen.name is not null))[1],
           max(seen.named_on_ms), bool_or(seen.is_own)
      from ${recordset(rows)} as seen
           (identifier text collate "C", at_ms bigint, name text collate "C", named_on_ms bigint, is_own boolean)
     group by seen.identifier
     order by seen.identifier
    on conflict (identifier) do update set
      first_seen_at_ms = least(kept.first_seen_at_ms, excluded.first_seen_at_ms),
      (name, named_on_ms) = (
        select case when is_newer then excluded.name else kept.name end,
               case when is_newer then excluded.named_on_ms else kept.named_on_ms end
          from (select (coalesce(excluded.named_on_ms, -1), coalesce(excluded.name, ''))
                       > (coalesce(kept.named_on_ms, -1), coalesce(kept.name, ''))) as test (is_newer)),
      is_own = kept.is_own or excluded.is_own`);
}

/** Adds pairs that messages or lists proved. */
export async function keepPairs(tx: Database, pairs: readonly SeenPair[]): Promise<void> {
  if (pairs.length === 0) return;
  const rows = pairs.map(({ pair: [lid, phone], isListed }) => ({
    lid,
    phone,
    is_listed: isListed,
  }));
  await tx.execute(sql`
    insert into kept_pair as kept (lid, phone, is_listed)
    select lid, phone, bool_or(is_listed)
      from ${recordset(rows)} as seen (lid text collate "C", phone text collate "C", is_listed boolean)
     group by lid, phone
     order by lid, phone
    on conflict (lid, phone) do update set is_listed = kept.is_listed or excluded.is_listed`);
}

/** Deletes what is kept of an erased person. */
export async function removeKept(tx: Database, identifiers: readonly string[]): Promise<void> {
  const names = [...identifiers];
  await tx.execute(sql`delete from kept_identifier where identifier = any(${names}::text[])`);
  await tx.execute(sql`
    delete from kept_pair where lid = any(${names}::text[]) or phone = any(${names}::text[])`);
}

/** Returns true if an event that left proved the pair. It cannot be withdrawn any more. */
export async function isPairKept(db: Database, [lid, phone]: Pair): Promise<boolean> {
  const rows = await db.query(
    sql`select from kept_pair where lid = ${lid} and phone = ${phone} limit 1`,
  );
  return rows.length > 0;
}

/** After every other time: a pair is no evidence of when its identifiers were seen. */
const NO_TIME_MS = Number.MAX_SAFE_INTEGER;

/**
 * Queues all that is kept for `mergeContacts`. A name counts for its day, so any time of that day will do; it must not be
 * earlier than the first evidence.
 */
export async function queueKeptEvidence(tx: Database): Promise<void> {
  await tx.execute(sql`
    insert into identity_queue (identifiers, at_ms, name, is_own, evidence)
    select array[lid, phone], ${NO_TIME_MS}::bigint, null::text, false,
           case when is_listed then 'list' else 'message' end
      from kept_pair
    union all
    select array[identifier], first_seen_at_ms, null, is_own, 'message' from kept_identifier
    union all
    select array[identifier], greatest(first_seen_at_ms, named_on_ms), name, false, 'message'
      from kept_identifier
     where name is not null`);
}
