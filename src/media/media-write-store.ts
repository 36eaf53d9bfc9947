import type { Database, DatabasePool } from "../db/database.ts";
import { takeLock } from "../db/locks.ts";
import { recordset, type Sql, sql } from "../db/sql.ts";
import { bandsNear, bandsOf, DISTANCE_MAX } from "./look.ts";
import { type MediaReason, QUEUED_MAX_MS } from "./picture.ts";
import type { SmallPicture } from "./shrink-pictures.ts";

/** A picture that an event has. */
export interface NotedPicture {
  readonly id: string;
  readonly group_id: string;
  readonly raw_id: string;
  readonly second: number;
  readonly sent_at_ms: number;
  readonly sender_ids: readonly string[];
  readonly raw_event_id: number;
  readonly album_raw_id: string | null;
  /** The event says where the gateway has the file. */
  readonly has_path: boolean;
  /** Fetched as soon as its listing is known; others only when a person asks for them. */
  readonly is_fresh: boolean;
}

/** Of two events of one picture, the one that is kept: with an address, which the latest one has newer, or else the first. */
export function isBetter(
  event: Pick<NotedPicture, "raw_event_id" | "has_path">,
  than: Pick<NotedPicture, "raw_event_id" | "has_path">,
): boolean {
  if (event.has_path !== than.has_path) return event.has_path;
  return event.raw_event_id > than.raw_event_id === event.has_path;
}

/**
 * Notes pictures, once each. A better event takes the place of the one that is known. What is stored stays; what could not be had for
 * want of an address is tried again with the new one, and a thumbnail is kept meanwhile.
 */
export async function saveNoted(
  tx: Database,
  pictures: readonly NotedPicture[],
  nowMs: number,
): Promise<void> {
  // As `isBetter` says.
  const isBest = sql`
    case when excluded.has_path <> stored.has_path then excluded.has_path
         when excluded.has_path then excluded.raw_event_id > stored.raw_event_id
         else excluded.raw_event_id < stored.raw_event_id end`;
  const isAgain = sql`
    (${isBest} and excluded.has_path and stored.reason in ('not_at_gateway', 'gateway_failed', 'no_event')
     and (stored.state = 'gone' or (stored.state = 'stored' and stored.is_thumbnail_only)))`;
  const queuedAtMs = sql`case when is_fresh then ${nowMs}::bigint end`;
  await tx.execute(sql`
    insert into media as stored
           (id, group_id, raw_id, second, sent_at_ms, sender_ids, raw_event_id, has_path, album_raw_id, state, queued_at_ms,
            due_at_ms)
    select noted.id, noted.group_id, noted.raw_id, noted.second, noted.sent_at_ms,
           array(select json_array_elements_text(noted.sender_ids)), noted.raw_event_id, noted.has_path, noted.album_raw_id,
           case when is_fresh then 'queued' else 'noted' end, ${queuedAtMs}, ${queuedAtMs}
      from ${recordset(pictures)}
           as noted (id uuid, group_id uuid, raw_id text, second bigint, sent_at_ms bigint, sender_ids json,
                     raw_event_id bigint, has_path boolean, album_raw_id text, is_fresh boolean)
      join market_group on market_group.id = noted.group_id and not market_group.is_ignored
     order by noted.id
    on conflict (id) do update
       set raw_event_id = case when ${isBest} then excluded.raw_event_id else stored.raw_event_id end,
           has_path = stored.has_path or excluded.has_path,
           album_raw_id = coalesce(stored.album_raw_id, excluded.album_raw_id),
           sender_ids = array(select distinct unnest(stored.sender_ids || excluded.sender_ids) order by 1),
           state = case when ${isAgain} then excluded.state else stored.state end,
           reason = case when not ${isAgain} then stored.reason end,
           attempt_count = case when ${isAgain} then 0 else stored.attempt_count end,
           queued_at_ms = case when ${isAgain} then excluded.queued_at_ms else stored.queued_at_ms end,
           due_at_ms = case when ${isAgain} then excluded.due_at_ms else stored.due_at_ms end,
           is_asked = stored.is_asked and not ${isAgain}
     where ${isBest} or (stored.album_raw_id is null and excluded.album_raw_id is not null)
        or not stored.sender_ids @> excluded.sender_ids`);
}

/** Tries it again at this time. */
export async function postponePicture(db: Database, id: string, dueAtMs: number): Promise<void> {
  await db.execute(
    sql`update media set due_at_ms = ${dueAtMs} where id = ${id} and state = 'queued'`,
  );
}

/** Looks for its listing again at this time. That is no attempt to fetch it. */
export async function awaitListing(db: Database, id: string, dueAtMs: number): Promise<void> {
  await db.execute(sql`
    update media set due_at_ms = ${dueAtMs}, attempt_count = 0 where id = ${id} and state = 'queued'`);
}

/** Leaves it until a person asks for it. */
export async function unqueuePicture(db: Database, id: string): Promise<void> {
  await db.execute(sql`
    update media set state = 'noted', queued_at_ms = null, due_at_ms = null, attempt_count = 0
     where id = ${id} and state = 'queued'`);
}

/** Tries it again at this time. What ended this attempt was no fault of the picture, so it does not count. */
export async function putBack(db: Database, id: string, dueAtMs: number): Promise<void> {
  await db.execute(sql`
    update media set due_at_ms = ${dueAtMs}, attempt_count = greatest(attempt_count - 1, 0)
     where id = ${id} and state = 'queued'`);
}

/** A thumbnail that it already has is kept. */
export async function markGone(db: Database, id: string, reason: MediaReason): Promise<void> {
  await db.execute(sql`
    update media
       set state = case when file_sha256 is null then 'gone' else 'stored' end, reason = ${reason},
           queued_at_ms = null, due_at_ms = null
     where id = ${id} and state <> 'stored'`);
}

export interface StoredFile {
  readonly sha256: Buffer;
  /** Why it is only the thumbnail of the event. */
  readonly thumbnailFor?: MediaReason;
}

/**
 * Returns false if the picture is gone meanwhile, as after an erasure. The file must be stored. It takes the place of a thumbnail, which
 * is removed.
 */
export async function markStored(
  tx: Database,
  id: string,
  { sha256, thumbnailFor }: StoredFile,
): Promise<boolean> {
  const rows = await tx.query<{ file_sha256: Buffer | null }>(sql`
    with before as (select id, file_sha256 from media where id = ${id} for update)
    update media
       set state = 'stored', file_sha256 = ${sha256}, is_thumbnail_only = ${thumbnailFor !== undefined},
           reason = ${thumbnailFor ?? null}, queued_at_ms = null, due_at_ms = null
      from before
     where media.id = before.id
    returning before.file_sha256`);
  await removeUnusedFiles(
    tx,
    rows.flatMap(({ file_sha256 }) => file_sha256 ?? []),
  );
  return rows.length > 0;
}

export async function isFileStored(db: Database, sha256: Buffer): Promise<boolean> {
  return (await db.query(sql`select from media_file where sha256 = ${sha256}`)).length > 0;
}

/** Stores a file for a picture, with the files that look the same. Nothing is stored if the picture is gone meanwhile. */
export async function saveFile(
  pool: DatabasePool,
  id: string,
  file: StoredFile & { readonly small: SmallPicture; readonly nowMs: number },
): Promise<boolean> {
  const { sha256, small, nowMs, thumbnailFor } = file;
  const look = thumbnailFor === undefined ? small.look : undefined;
  const bits = look === undefined ? sql`null` : toBits(look);
  const bands = look === undefined ? null : [...bandsOf(look)];
  return pool.transaction(async (tx) => {
    await tx.execute(sql`
      insert into media_file (sha256, width, height, picture, thumb, byte_count, look, bands, stored_at_ms)
      values (${sha256}, ${small.width}, ${small.height}, ${small.picture}, ${small.thumb},
              ${small.picture.length + small.thumb.length}, ${bits}, ${bands}::integer[], ${nowMs})
      on conflict (sha256) do nothing`);
    if (look !== undefined) {
      // Of two files that are stored at the same moment, the second one must see the first.
      await takeLock(tx, "looks");
      await saveTwins(tx, sha256, look);
    }
    const isKnown = await markStored(tx, id, file);
    if (!isKnown) await removeUnusedFiles(tx, [sha256]);
    return isKnown;
  });
}

/** A photo of a catalogue has many twins; a few lead to all of them. */
const TWINS_MAX = 100;

async function saveTwins(tx: Database, sha256: Buffer, look: string): Promise<void> {
  await tx.execute(sql`
    insert into media_twin (sha256, other_sha256)
    select least(sha256, ${sha256}), greatest(sha256, ${sha256})
      from media_file
     where bands && ${[...bandsNear(look)]}::integer[] and sha256 <> ${sha256}
       and bit_count(look # ${toBits(look)}) <= ${DISTANCE_MAX}
     order by bit_count(look # ${toBits(look)}), sha256
     limit ${TWINS_MAX}
    on conflict do nothing`);
}

function toBits(look: string): Sql {
  return sql`(('x' || ${look}::text)::bit(64))`;
}

export async function isRefused(db: Database, sha256: Buffer): Promise<boolean> {
  return (await db.query(sql`select from refused_media where sha256 = ${sha256}`)).length > 0;
}

export async function saveRefused(db: Database, sha256: Buffer, nowMs: number): Promise<void> {
  await db.execute(sql`
    insert into refused_media (sha256, reason, refused_at_ms) values (${sha256}, 'unreadable', ${nowMs})
    on conflict do nothing`);
}

/** Deletes those of the files that no picture has. */
async function removeUnusedFiles(tx: Database, hashes: readonly Buffer[]): Promise<void> {
  if (hashes.length === 0) return;
  const hex = hashes.map((sha256) => sha256.toString("hex"));
  await tx.execute(sql`
    delete from media_file
     where sha256 = any(array(select decode(hash, 'hex') from unnest(${hex}::text[]) as hash))
       and not exists (select from media where file_sha256 = media_file.sha256)`);
}

/** Pictures of a person, by who sent them or by what was erased of them. */
export interface ErasedPictures {
  readonly identifiers: readonly string[];
  readonly messages: readonly { readonly group_id: string; readonly raw_id: string }[];
}

/** A message that others sent under the same raw id keeps its picture. */
export async function eraseMedia(
  tx: Database,
  { identifiers, messages }: ErasedPictures,
): Promise<void> {
  await removeMedia(
    tx,
    sql`
      select id from media where sender_ids && ${[...identifiers]}::text[]
      union
      select media.id
        from ${recordset(messages)} as gone (group_id uuid, raw_id text)
        join media on media.group_id = gone.group_id and media.raw_id = gone.raw_id
       where not exists (select from occurrence
                          where occurrence.group_id = media.group_id and occurrence.raw_id = media.raw_id
                            and occurrence.second = media.second)`,
  );
}

/** Removes pictures of days that are no longer kept, and what is known about files of that time. Returns how many pictures. */
export async function removeOldMedia(
  tx: Database,
  { floorMs, batchMax }: { readonly floorMs: number; readonly batchMax: number },
): Promise<number> {
  await tx.execute(sql`delete from refused_media where refused_at_ms < ${floorMs}`);
  return removeMedia(
    tx,
    sql`select id from media where sent_at_ms < ${floorMs} order by sent_at_ms, id limit ${batchMax}`,
  );
}

/** `ids` selects them, so that each of its parts has an index. */
async function removeMedia(tx: Database, ids: Sql): Promise<number> {
  const removed = await tx.query<{ file_sha256: Buffer | null }>(sql`
    delete from media where id = any(array(${ids})) returning file_sha256`);
  const hashes = removed.flatMap(({ file_sha256 }) => file_sha256 ?? []);
  await removeUnusedFiles(tx, hashes);
  return removed.length;
}

const UNQUEUED_AT_ONCE = 1_000;

/** Leaves what was queued before this time until a person asks for it, as after hours without a fetcher. */
export async function leaveStale(db: Database, beforeMs: number): Promise<void> {
  for (;;) {
    const count = await db.execute(sql`
      with stale as (
        select id from media
         where due_at_ms is not null and queued_at_ms < ${beforeMs}
         order by queued_at_ms desc, id
         limit ${UNQUEUED_AT_ONCE}
           for update skip locked
      )
      update media set state = 'noted', queued_at_ms = null, due_at_ms = null, attempt_count = 0
        from stale
       where media.id = stale.id`);
    if (count < UNQUEUED_AT_ONCE) return;
  }
}

const REMOVED_AT_ONCE = 100;

/** Removes the files that were stored first, until the others have at most `bytesMax`. Returns how many bytes are left. */
export async function keepWithin(pool: DatabasePool, bytesMax: number): Promise<number> {
  for (;;) {
    const [row] = await pool.query<{ total: number | null }>(
      sql`select sum(byte_count)::bigint as total from media_file`,
    );
    const total = row?.total ?? 0;
    if (total <= bytesMax) return total;
    await pool.transaction(async (tx) => {
      await tx.execute(sql`
        with oldest as (
          select sha256, sum(byte_count) over (order by stored_at_ms, sha256) - byte_count as before
            from (select sha256, byte_count, stored_at_ms from media_file
                   order by stored_at_ms, sha256 limit ${REMOVED_AT_ONCE}) as first
        ), removed as (
          delete from media_file using oldest
           where media_file.sha256 = oldest.sha256 and oldest.before < ${total - bytesMax}::bigint
          returning media_file.sha256
        )
        update media
           set state = case state when 'stored' then 'gone' else state end,
               reason = case state when 'stored' then 'over_budget' else reason end,
               file_sha256 = null, is_thumbnail_only = false
          from removed
         where file_sha256 = removed.sha256`);
    });
  }
}

/**
 * Queues pictures that a person wants to see: those that were noted, those that the gateway failed to send, those whose file left or is
 * missing, as after a restore, and those that are in the queue for too long. A thumbnail stays until there is something better. Returns
 * how many.
 */
export async function queuePictures(
  db: Database,
  ids: readonly string[],
  nowMs: number,
): Promise<number> {
  if (ids.length === 0) return 0;
  const hasFile = sql`exists (select from media_file where sha256 = file_sha256)`;
  return db.execute(sql`
    update media
       set state = 'queued', reason = null, file_sha256 = case when ${hasFile} then file_sha256 end,
           is_thumbnail_only = is_thumbnail_only and ${hasFile},
           queued_at_ms = ${nowMs}, due_at_ms = ${nowMs}, attempt_count = 0, is_asked = true
     where id = any(${[...ids]}::uuid[])
       and (state = 'noted' or (state = 'gone' and reason in ('over_budget', 'gateway_failed'))
            or (state = 'queued' and queued_at_ms < ${nowMs - QUEUED_MAX_MS}::bigint)
            or (state = 'stored' and not ${hasFile})
            or (state = 'stored' and is_thumbnail_only and reason = 'gateway_failed'))`);
}
