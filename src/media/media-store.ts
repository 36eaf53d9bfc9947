import type { Database } from "../db/database.ts";
import { type Sql, sql } from "../db/sql.ts";
import { type MediaReason, PICTURES_PER_MESSAGE_MAX, type PictureSize } from "./picture.ts";

/** A picture of a message. */
export interface MediaRow {
  readonly id: string;
  readonly message_id: string;
  readonly state: "noted" | "queued" | "stored" | "gone";
  readonly reason: MediaReason | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly is_thumbnail_only: boolean;
  readonly is_beside: boolean;
}

/** A text that is posted all year has thousands of posts; the pictures of the latest ones count. */
const POSTS_MAX = 100;

/**
 * Returns the pictures of messages that can be shown, each file once: those of the latest post first, its own before those beside it, in
 * the order in which they were sent. `isWhole`: also those that are not stored.
 */
export async function findMessageMedia(
  db: Database,
  messageIds: readonly string[],
  { isWhole = false }: { readonly isWhole?: boolean } = {},
): Promise<ReadonlyMap<string, readonly MediaRow[]>> {
  if (messageIds.length === 0) return new Map();
  const rows = await db.query<PostPicture>(sql`
    select wanted.id as message_id, post.id as post_id, shown.id, shown.reason, shown.is_thumbnail_only, shown.is_beside,
           file.width, file.height,
           case when file.sha256 is not null then 'stored' when shown.state = 'stored' then 'noted' else shown.state end as state,
           encode(file.sha256, 'hex') as sha256
      from unnest(${[...messageIds]}::uuid[]) as wanted (id)
     cross join lateral (
        select id, group_id, raw_id, second, sent_at_ms
          from occurrence
         where canonical_message_id = wanted.id
         order by sent_at_ms desc, id
         limit ${POSTS_MAX}) as post
      join media as shown
        on shown.group_id = post.group_id
       and ((shown.shown_raw_id = post.raw_id and shown.shown_second = post.second)
            or (${isWhole} and shown.shown_raw_id is null and shown.raw_id = post.raw_id and shown.second = post.second))
      left join media_file as file on file.sha256 = shown.file_sha256
     where ${isWhole} or file.sha256 is not null
     order by wanted.id, post.sent_at_ms desc, post.id, shown.is_beside, shown.sent_at_ms, shown.id`);
  const found = new Map<string, PostPicture[]>();
  for (const row of rows) {
    const list = found.get(row.message_id);
    if (list === undefined) found.set(row.message_id, [row]);
    else list.push(row);
  }
  return new Map([...found].map(([id, list]) => [id, choosePictures(list)]));
}

interface PostPicture extends MediaRow {
  readonly post_id: string;
  readonly sha256: string | null;
}

/**
 * What is stored takes the places first, so that what cannot be had pushes nothing out. What an older post lacks is of no interest if the
 * latest one is complete.
 */
function choosePictures(rows: readonly PostPicture[]): readonly MediaRow[] {
  const stored = new Map<string, PostPicture>();
  const missing = new Map<string, PostPicture>();
  for (const row of rows) {
    if (row.sha256 === null) missing.set(row.id, row);
    else if (!stored.has(row.sha256)) stored.set(row.sha256, row);
  }
  const latest = rows[0]?.post_id;
  const isComplete = ![...missing.values()].some(({ post_id }) => post_id === latest);
  const wanted = [...stored.values(), ...(isComplete ? [] : missing.values())];
  const chosen = new Set(wanted.slice(0, PICTURES_PER_MESSAGE_MAX));
  return rows.flatMap((row) => {
    const { post_id: _post, sha256: _sha256, ...picture } = row;
    return chosen.has(row) ? [picture] : [];
  });
}

interface ListingMedia {
  readonly pictures: readonly MediaRow[];
  /** The message has other watches too, so a picture may show one of these. */
  readonly isOfSeveral: boolean;
}

/** Counts the watches of the message of the row `listing`. */
const WATCHES_OF_MESSAGE = sql`
  (select count(*) from listing as other
    where other.canonical_message_id = listing.canonical_message_id and other.is_found
      and other.left_out_reason is null)`;

/** The pictures of the messages of listings, by listing. */
export async function findListingMedia(
  db: Database,
  listingIds: readonly string[],
): Promise<ReadonlyMap<string, ListingMedia>> {
  const rows = await db.query<{ id: string; message_id: string; listing_count: number }>(sql`
    select id, canonical_message_id as message_id, ${WATCHES_OF_MESSAGE} as listing_count
      from listing where id = any(${[...listingIds]}::uuid[])`);
  const media = await findMessageMedia(db, [...new Set(rows.map((row) => row.message_id))]);
  return new Map(
    rows.flatMap(({ id, message_id, listing_count }) => {
      const pictures = media.get(message_id);
      if (pictures === undefined) return [];
      return [[id, { pictures, isOfSeveral: listing_count > 1 }] as const];
    }),
  );
}

interface ListingMessage {
  readonly message_id: string;
  readonly contact_id: string | null;
  readonly listing_count: number;
}

/** The message of a listing, and how many watches it has. Old ids of the listing lead to it too. */
export async function findListingMessage(
  db: Database,
  listingId: string,
): Promise<ListingMessage | undefined> {
  const [row] = await db.query<ListingMessage>(sql`
    select canonical_message_id as message_id, contact_id, ${WATCHES_OF_MESSAGE} as listing_count
      from listing
     where id = coalesce((select listing_id from listing_alias where old_id = ${listingId}), ${listingId}::uuid)`);
  return row;
}

export interface PictureRow {
  readonly state: MediaRow["state"];
  readonly reason: MediaReason | null;
  readonly is_thumbnail_only: boolean;
  /** Hexadecimal; null if there is no file. */
  readonly sha256: string | null;
}

export async function findPicture(db: Database, id: string): Promise<PictureRow | undefined> {
  const [row] = await db.query<PictureRow>(sql`
    select state, reason, is_thumbnail_only,
           (select encode(sha256, 'hex') from media_file where sha256 = file_sha256) as sha256
      from media
     where id = ${id}`);
  return row;
}

export async function readFileBytes(
  db: Database,
  sha256: string,
  size: PictureSize,
): Promise<Buffer | undefined> {
  const [row] = await db.query<{ bytes: Buffer }>(sql`
    select ${size === "thumb" ? sql`thumb` : sql`picture`} as bytes
      from media_file where sha256 = decode(${sha256}, 'hex')`);
  return row?.bytes;
}

/** A post with a picture that looks like one of a listing. */
export interface SamePhoto {
  readonly listing_id: string;
  readonly media_id: string;
  readonly contact_id: string | null;
  readonly contact_name: string | null;
  readonly sent_at_ms: number;
  readonly price_amount_minor: number | null;
  readonly price_currency: string | null;
  readonly price_eur_minor: number | null;
  readonly reference: string | null;
  readonly brand: string | null;
  readonly model: string | null;
}

/** The files of pictures, with those that look the same. */
const looksLike = sql`
  look as (
    select file_sha256 as sha256, file_sha256 as same from own
    union select own.file_sha256, twin.other_sha256 from own join media_twin as twin on twin.sha256 = own.file_sha256
    union select own.file_sha256, twin.sha256 from own join media_twin as twin on twin.other_sha256 = own.file_sha256
  )`;

/** The listing of a message that has exactly one watch. */
const onlyListing = sql`
  lateral (
    select min(listing.id::text)::uuid as id
      from listing
     where listing.canonical_message_id = occurrence.canonical_message_id and listing.is_found
       and listing.left_out_reason is null
    having count(*) = 1)`;

/** The full pictures of a message. None if it has several watches, because then no one can say which of them a picture shows. */
const ownOf = (messageId: string): Sql => sql`
  own as (
    select distinct media.file_sha256
      from occurrence
      join media on media.group_id = occurrence.group_id and media.shown_raw_id = occurrence.raw_id
                and media.shown_second = occurrence.second
     where occurrence.canonical_message_id = ${messageId} and media.state = 'stored' and not media.is_thumbnail_only
       and (select count(*) from listing where canonical_message_id = ${messageId} and is_found and left_out_reason is null) = 1
  )`;

/** The posts with one watch that have a full picture of `look`. */
const posted = sql`
  look
  join media on media.file_sha256 = look.same and media.state = 'stored' and not media.is_thumbnail_only
  join occurrence on occurrence.group_id = media.group_id and occurrence.raw_id = media.shown_raw_id
                 and occurrence.second = media.shown_second
  join ${onlyListing} as sole on sole.id is not null`;

const SAME_MAX = 200;

/** Where else full pictures of this message were posted, in messages with one watch, the latest first: each listing once. */
export async function listSamePhotos(
  db: Database,
  messageId: string,
): Promise<readonly SamePhoto[]> {
  return db.query<SamePhoto>(sql`
    with ${ownOf(messageId)}, ${looksLike}, post as (
      select distinct on (sole.id) sole.id, media.id as media_id, occurrence.contact_id, occurrence.sent_at_ms
        from ${posted}
       where occurrence.canonical_message_id <> ${messageId}
       order by sole.id, occurrence.sent_at_ms desc, media.id
    )
    select post.id as listing_id, post.media_id, post.contact_id, contact.display_name as contact_name, post.sent_at_ms,
           listing.price_amount_minor, listing.price_currency, listing.price_eur_minor, listing.reference, listing.brand,
           listing.model
      from post
      join listing on listing.id = post.id
      left join contact on contact.id = post.contact_id
     order by post.sent_at_ms desc, post.id
     limit ${SAME_MAX}`);
}

/** How many dealers posted one picture of this message, with its own: of all its pictures, the one that most of them posted. */
export async function countPhotoDealers(db: Database, messageId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    with ${ownOf(messageId)}, ${looksLike}, photo as (
      select count(distinct occurrence.contact_id) as dealers from ${posted} group by look.sha256
    )
    select coalesce(max(dealers), 0) as count from photo`);
  return row?.count ?? 0;
}

/** More dealers than this do not have the watch in their hands. */
export const STOCK_PHOTO_DEALERS = 5;
/** As many as a filter can name. */
export const SHARED_MAX = 500;

/** Messages with a photo that another dealer posted too, without photos of catalogues; the latest ones. */
export async function listSharedMessages(db: Database): Promise<readonly string[]> {
  const rows = await db.query<{ id: string }>(sql`
    with own as (
      select sha256 as file_sha256 from media_twin
      union
      select other_sha256 from media_twin
      union
      select file_sha256 from media where file_sha256 is not null group by file_sha256 having count(*) > 1
    ), ${looksLike}, post as (
      select distinct look.sha256, occurrence.contact_id, occurrence.canonical_message_id, occurrence.sent_at_ms,
             look.sha256 = look.same as is_own
        from ${posted}
       where occurrence.contact_id is not null
    ), shared as (
      select sha256 from post group by sha256
      having count(distinct contact_id) between 2 and ${STOCK_PHOTO_DEALERS}
    )
    select canonical_message_id as id
      from post join shared using (sha256)
     where is_own
     group by canonical_message_id
     order by max(sent_at_ms) desc, canonical_message_id
     limit ${SHARED_MAX}`);
  return rows.map(({ id }) => id);
}

interface MediaFigures {
  readonly queued: number;
  readonly stored: number;
  readonly gone: number;
  readonly bytes: number;
  /** How many are gone for which reason, the most frequent first. */
  readonly reasons: readonly { readonly reason: MediaReason; readonly count: number }[];
}

export async function findMediaFigures(db: Database): Promise<MediaFigures> {
  const [row] = await db.query<Omit<MediaFigures, "reasons">>(sql`
    select count(*) filter (where state = 'queued') as queued, count(*) filter (where state = 'stored') as stored,
           count(*) filter (where state = 'gone') as gone,
           (select coalesce(sum(byte_count), 0)::bigint from media_file) as bytes
      from media`);
  const reasons = await db.query<MediaFigures["reasons"][number]>(sql`
    select reason, count(*) as count from media where state = 'gone' group by reason order by count(*) desc, reason limit 20`);
  return { queued: 0, stored: 0, gone: 0, bytes: 0, ...row, reasons };
}
