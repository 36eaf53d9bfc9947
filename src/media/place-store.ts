/**
 * Where a picture is shown. Dealers send a picture with its text, several as an album, or some pictures and a text beside them. What is
 * looked for is the post that gave a listing; a picture that could belong to two of them belongs to none.
 */
import type { Database } from "../db/database.ts";
import { type Sql, sql } from "../db/sql.ts";
import type { ClaimedPicture } from "./media-write-store.ts";
import { BESIDE_MS, PICTURES_PER_MESSAGE_MAX } from "./picture.ts";

/** The post with which a picture is shown. */
export interface Place {
  readonly raw_id: string;
  readonly second: number;
  readonly is_beside: boolean;
  /** How many different pictures are stored for that post. */
  readonly picture_count: number;
}

interface PlaceRow extends Place {
  readonly rank: number;
  readonly canonical_message_id: string;
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
  picture: Pick<ClaimedPicture, "group_id" | "raw_id" | "second" | "sent_at_ms" | "album_raw_id">,
): Promise<Place | undefined> {
  const { group_id, raw_id, second, sent_at_ms, album_raw_id } = picture;
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
                    and listing.last_seen_at_ms >= ${sent_at_ms - BESIDE_MS}::bigint
                    and listing.first_seen_at_ms <= ${sent_at_ms + BESIDE_MS}::bigint
        join occurrence on occurrence.canonical_message_id = listing.canonical_message_id
                       and occurrence.group_id = ${group_id}
                       and occurrence.sent_at_ms between ${sent_at_ms - BESIDE_MS}::bigint and ${sent_at_ms + BESIDE_MS}::bigint
       where btrim(own.text) = ''
    )
    select raw_id, second, canonical_message_id, rank, rank = 3 as is_beside,
           (select count(distinct file_sha256)
              from media
             where media.group_id = ${group_id} and media.shown_raw_id = place.raw_id and media.shown_second = place.second
               and media.state = 'stored') as picture_count
      from place
     order by rank, abs(second - ${second}::bigint), raw_id, second
     limit 10`);
  const [first] = rows;
  if (first === undefined) return undefined;
  const same = rows.filter(({ rank }) => rank === first.rank);
  // A text that was posted twice is one message: the post next to the picture has it.
  const messages = new Set(same.map(({ canonical_message_id }) => canonical_message_id));
  return messages.size === 1 ? first : undefined;
}

export function hasRoom({ picture_count }: Place): boolean {
  return picture_count < PICTURES_PER_MESSAGE_MAX;
}

export async function savePlace(db: Database, id: string, place: Place): Promise<void> {
  await db.execute(sql`
    update media set shown_raw_id = ${place.raw_id}, shown_second = ${place.second}, is_beside = ${place.is_beside}
     where id = ${id}`);
}

/** Of a message that a person opens; more are no pictures of one watch. */
const UNPLACED_MAX = 20;
const OPENED_POSTS_MAX = 20;

/**
 * Finds the place of pictures that were sent with a message and that no one wanted yet: others of its album, and those beside it. Those
 * of older messages are not placed before someone opens the message.
 */
export async function placeNearby(db: Database, messageId: string): Promise<void> {
  const near = await db.query<Parameters<typeof findPlace>[1] & { readonly id: string }>(sql`
    select distinct media.id, media.group_id, media.raw_id, media.second, media.sent_at_ms, media.album_raw_id
      from (select group_id, sent_at_ms, sender_ids
              from occurrence
             where canonical_message_id = ${messageId}
             order by sent_at_ms desc, id
             limit ${OPENED_POSTS_MAX}) as post
      join media on media.group_id = post.group_id and media.shown_raw_id is null and media.state = 'noted'
                and media.sent_at_ms between post.sent_at_ms - ${BESIDE_MS}::bigint and post.sent_at_ms + ${BESIDE_MS}::bigint
                and media.sender_ids && post.sender_ids
     order by media.sent_at_ms desc, media.id
     limit ${UNPLACED_MAX}`);
  for (const picture of near) {
    const place = await findPlace(db, picture);
    if (place !== undefined) await savePlace(db, picture.id, place);
  }
}
