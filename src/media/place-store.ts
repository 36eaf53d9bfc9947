/**
 * Where a picture is shown. Dealers send a picture with its text, several as an album, or some pictures and a text beside them. What is
 * looked for is the post that gave a listing; a picture that could belong to two of them belongs to none.
 *
 * Invariant: a picture with a listing of its own stays there. Any other place is provisional until its sender's texts around it have
 * come and are read: then it is looked for again (`place_due_at_ms`), and once more whenever another message of that time comes late. So
 * the order in which events come does not matter in the end.
 *
 * Example: a dealer posts a watch, a picture 40 s later, and another watch after 30 s more. First the picture is shown with the first
 * watch. Two minutes after the picture it is looked at again: it is between two watches, and leaves.
 */
import { SECOND_MS } from "../base/clock.ts";
import type { Database } from "../db/database.ts";
import { recordset, type Sql, sql } from "../db/sql.ts";
import { isRebuilding } from "../pricing/cells/schedule-store.ts";
import { BESIDE_MS, PICTURES_PER_MESSAGE_MAX } from "./picture.ts";

/** What decides where a picture is shown. */
interface PlacedPicture {
  readonly id: string;
  readonly group_id: string;
  readonly raw_id: string;
  readonly second: number;
  readonly sent_at_ms: number;
  readonly album_raw_id: string | null;
}

/** The post with which a picture is shown. */
export interface Place {
  readonly raw_id: string;
  readonly second: number;
  readonly is_beside: boolean;
  readonly is_own: boolean;
  /** How many different pictures are stored for that post. */
  readonly picture_count: number;
}

interface FoundPlace {
  readonly place: Place | undefined;
  /** A text of the sender from around the picture is not read yet, so nothing but the picture's own listing counts. */
  readonly isUnread: boolean;
}

interface PlaceRow extends Omit<Place, "raw_id"> {
  readonly raw_id: string | null;
  readonly rank: number;
  readonly canonical_message_id: string;
  readonly is_unread: boolean;
}

const hasListing = (message: Sql): Sql => sql`
  exists (select from listing
           where listing.canonical_message_id = ${message} and listing.is_found and listing.left_out_reason is null)`;

/**
 * Returns the post that a picture belongs to: its own if it gave a listing, else the one of its album that did, else the only one of
 * its sender within two minutes, in the same group. Undefined if there is none, or not yet.
 */
export async function findPlace(
  db: Database,
  { group_id, raw_id, second, sent_at_ms, album_raw_id }: Omit<PlacedPicture, "id">,
): Promise<FoundPlace> {
  const sinceMs = sql`${sent_at_ms - BESIDE_MS}::bigint`;
  const untilMs = sql`${sent_at_ms + BESIDE_MS}::bigint`;
  const rows = await db.query<PlaceRow>(sql`
    with own as (
      select occurrence.raw_id, occurrence.second, occurrence.contact_id, occurrence.canonical_message_id, message.text
        from occurrence
        join canonical_message as message on message.id = occurrence.canonical_message_id
       where occurrence.group_id = ${group_id} and occurrence.raw_id = ${raw_id} and occurrence.second = ${second}
    ), place as (
      select raw_id, second, canonical_message_id, 1 as rank from own where ${hasListing(sql`own.canonical_message_id`)}
      union
      select sibling.raw_id, sibling.second, occurrence.canonical_message_id, 2
        from own
        join media as sibling on sibling.group_id = ${group_id} and sibling.album_raw_id = ${album_raw_id}
        join occurrence on occurrence.group_id = sibling.group_id and occurrence.raw_id = sibling.raw_id
                       and occurrence.second = sibling.second and occurrence.contact_id = own.contact_id
       where ${hasListing(sql`occurrence.canonical_message_id`)}
      union
      select occurrence.raw_id, occurrence.second, occurrence.canonical_message_id, 3
        from own
        join listing on listing.contact_id = own.contact_id and listing.is_found and listing.left_out_reason is null
                    and listing.last_seen_at_ms >= ${sinceMs} and listing.first_seen_at_ms <= ${untilMs}
        join occurrence on occurrence.canonical_message_id = listing.canonical_message_id
                       and occurrence.group_id = ${group_id}
                       and occurrence.sent_at_ms between ${sinceMs} and ${untilMs}
       where btrim(own.text) = ''
    )
    select raw_id, second, canonical_message_id, rank, rank = 1 as is_own, rank = 3 as is_beside, is_unread,
           (select count(distinct file_sha256)
              from media
             where media.group_id = ${group_id} and media.shown_raw_id = place.raw_id and media.shown_second = place.second
               and media.state = 'stored') as picture_count
      from (select exists (
              select from own
                join canonical_message as text on text.contact_id = own.contact_id and btrim(text.text) <> ''
                            and text.last_seen_at_ms >= ${sinceMs} and text.first_seen_at_ms <= ${untilMs}
               where not exists (select from message_extraction where canonical_message_id = text.id)) as is_unread) as around
      left join place on true
     order by rank, abs(second - ${second}::bigint), raw_id, second
     limit 10`);
  return choose(rows);
}

function choose(rows: readonly PlaceRow[]): FoundPlace {
  const [first] = rows;
  const isUnread = first?.is_unread === true && first.rank !== 1;
  if (first === undefined || first.raw_id === null || isUnread)
    return { place: undefined, isUnread };
  const same = rows.filter(({ rank }) => rank === first.rank);
  // A text that was posted twice is one message: the post next to the picture has it.
  const messages = new Set(same.map(({ canonical_message_id }) => canonical_message_id));
  return { place: messages.size === 1 ? { ...first, raw_id: first.raw_id } : undefined, isUnread };
}

export function hasRoom({ picture_count }: Place): boolean {
  return picture_count < PICTURES_PER_MESSAGE_MAX;
}

/** So long after it was sent, a message has come and is read. */
const SETTLE_MS = 15 * SECOND_MS;

/**
 * A place that may change is looked for again once the texts around the picture have come. A picture that was one too many elsewhere has
 * another chance.
 */
export async function savePlace(
  db: Database,
  { id, sent_at_ms }: Pick<PlacedPicture, "id" | "sent_at_ms">,
  found: {
    readonly place: Place | undefined;
    readonly nowMs: number;
    /** When it was to be looked for, if that is done now. A message that came meanwhile has set another time. */
    readonly doneDueAtMs?: number;
  },
): Promise<void> {
  const { place, nowMs, doneDueAtMs } = found;
  const settledAtMs = sent_at_ms + BESIDE_MS + SETTLE_MS;
  const nextDueAtMs = place === undefined || settledAtMs <= nowMs ? null : settledAtMs;
  const toRawId = place?.raw_id ?? null;
  const isOneTooMany = sql`(state = 'gone' and reason = 'too_many' and shown_raw_id is distinct from ${toRawId})`;
  const rest = sql`nullif(place_due_at_ms, ${doneDueAtMs ?? null}::bigint)`;
  await db.execute(sql`
    update media
       set state = case when ${isOneTooMany} then 'noted' else state end,
           reason = case when not ${isOneTooMany} then reason end,
           shown_raw_id = ${toRawId}, shown_second = ${place?.second ?? null}::bigint,
           is_beside = ${place?.is_beside ?? false},
           place_due_at_ms = case when not ${place?.is_own ?? false} then greatest(${rest}, ${nextDueAtMs}::bigint) end
     where id = ${id}`);
}

/** A message that has come. */
export interface Arrival {
  readonly group_id: string;
  readonly sent_at_ms: number;
}

/** Has the places of pictures of the same minutes looked for again, once the messages are read. */
export async function reconsiderPlaces(
  tx: Database,
  arrivals: readonly Arrival[],
  nowMs: number,
): Promise<void> {
  if (arrivals.length === 0) return;
  await tx.execute(sql`
    with near as (
      select id from media
       where id in (select placed.id
                      from ${recordset(arrivals)} as arrival (group_id uuid, sent_at_ms bigint)
                      join media as placed on placed.group_id = arrival.group_id and placed.shown_raw_id <> placed.raw_id
                                and placed.sent_at_ms between arrival.sent_at_ms - ${BESIDE_MS}::bigint
                                                          and arrival.sent_at_ms + ${BESIDE_MS}::bigint)
       order by id
         for update
    )
    update media set place_due_at_ms = greatest(media.place_due_at_ms, ${nowMs + SETTLE_MS}::bigint)
      from near
     where media.id = near.id`);
}

/** A place that cannot be found yet is looked for again after this time; so is one whose process died. */
const AGAIN_MS = 10 * SECOND_MS;

/** Looks for the places again that are due. Returns how many were due. */
export async function settlePlaces(
  db: Database,
  { nowMs, batchMax }: { readonly nowMs: number; readonly batchMax: number },
): Promise<number> {
  const againAtMs = nowMs + AGAIN_MS;
  const due = await db.query<PlacedPicture>(sql`
    with due as (
      select id from media where place_due_at_ms <= ${nowMs} order by place_due_at_ms, id limit ${batchMax}
         for update skip locked
    )
    update media set place_due_at_ms = ${againAtMs}
      from due
     where media.id = due.id
    returning media.id, group_id, raw_id, second, sent_at_ms, album_raw_id`);
  await settle(db, due, { nowMs, doneDueAtMs: againAtMs });
  return due.length;
}

/** What has no place yet gets one, and what has lost its place has none. */
async function settle(
  db: Database,
  pictures: readonly PlacedPicture[],
  { nowMs, ...done }: { readonly nowMs: number; readonly doneDueAtMs?: number },
): Promise<void> {
  const found: { readonly picture: PlacedPicture; readonly place: Place | undefined }[] = [];
  for (const picture of pictures) {
    const { place, isUnread } = await findPlace(db, picture);
    if (!isUnread) found.push({ picture, place });
  }
  // A replay has removed posts and listings, and makes them again. Asked afterwards, because it may have begun meanwhile.
  if (await isRebuilding(db)) return;
  for (const { picture, place } of found) await savePlace(db, picture, { place, nowMs, ...done });
}

/** Of a message that a person opens; more are no pictures of one watch. */
const UNPLACED_MAX = 20;
const OPENED_POSTS_MAX = 20;

/**
 * Finds the place of pictures that were sent around a message and that have none, or one beside a text: those of older messages are not
 * placed before someone opens the message.
 */
export async function placeNearby(db: Database, messageId: string, nowMs: number): Promise<void> {
  const near = await db.query<PlacedPicture>(sql`
    select distinct media.id, media.group_id, media.raw_id, media.second, media.sent_at_ms, media.album_raw_id,
           media.shown_raw_id is null as is_unplaced
      from (select group_id, sent_at_ms, sender_ids
              from occurrence
             where canonical_message_id = ${messageId}
             order by sent_at_ms desc, id
             limit ${OPENED_POSTS_MAX}) as post
      join media on media.group_id = post.group_id and (media.shown_raw_id is null or media.is_beside)
                and media.sent_at_ms between post.sent_at_ms - ${BESIDE_MS}::bigint and post.sent_at_ms + ${BESIDE_MS}::bigint
                and media.sender_ids && post.sender_ids
     order by is_unplaced desc, media.sent_at_ms desc, media.id
     limit ${UNPLACED_MAX}`);
  await settle(db, near, { nowMs });
}
