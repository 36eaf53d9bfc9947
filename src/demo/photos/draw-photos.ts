/**
 * The photos of the demo. Each is drawn by our own code: a watch by what was read about it, on a desk, a wrist or in a hand, a little
 * turned and lit from one side, as dealers take them. The same post always has the same photo, and some dealers post one that another
 * dealer posted before.
 */
import { RANKED_DAYS } from "../../alerts/priced-watches.ts";
import { listMatchedListings, type WatchQuery } from "../../alerts/watch-matches.ts";
import { DAY_MS } from "../../base/clock.ts";
import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { findListings } from "../../listings/listing-store.ts";
import type { PictureSource } from "../../media/gateway-source.ts";
import { findMessageMedia } from "../../media/media-store.ts";
import { queuePictures } from "../../media/media-write-store.ts";
import type { Shrinker } from "../../media/shrink-pictures.ts";
import { rankListings } from "../../pricing/rank-asks.ts";
import { createRandom, type Random } from "../random.ts";
import { polar, writeLine } from "./letters.ts";
import { chooseScene, HEIGHT, WIDTH } from "./scenes.ts";
import { defineMetals, drawBand, drawBezel, drawBody } from "./watch-case.ts";
import { defineDial, drawDial, radiusOf } from "./watch-dial.ts";
import { chooseStyle, type PhotoFacts, type Style } from "./watch-style.ts";

/** One photo in this many was posted by another dealer before. */
const SHARED_EVERY = 9;
/** Drawn when the demo starts: what its first pages show. Others are drawn when someone opens their listing. */
const DRAWN_FIRST_MAX = 100;
/** Rows of Buys on its first screens. */
const BUYS_MAX = 50;
const MATCHES_MAX = 5_000;

/** Draws a photo where the gateway would send one. */
export function createDrawingSource(db: Database, shrinker: Shrinker): PictureSource {
  return async ({ id, shown }) => {
    const [facts] = await db.query<PhotoFacts>(sql`
      select listing.brand, listing.model, listing.reference, listing.dial_type
        from occurrence
        join listing on listing.canonical_message_id = occurrence.canonical_message_id and listing.is_found
       where occurrence.group_id = ${shown.group_id} and occurrence.raw_id = ${shown.raw_id}
         and occurrence.second = ${shown.second}
       order by listing.line, listing.ordinal
       limit 1`);
    if (facts === undefined) return { kind: "gone", reason: "not_at_gateway" };
    return { kind: "file", bytes: await shrinker.draw(toPhotoSvg(facts, seedOf(facts, id))) };
  };
}

/** Queues the photos of the best buys, and then of the latest watches that matched an alert. */
export async function queueFirstPhotos(db: Database, nowMs: number): Promise<void> {
  const bestIds = await listPhotosOfBuys(db, nowMs);
  await queuePictures(db, bestIds, nowMs);
  const rows = await db.query<{ id: string }>(sql`
    select media.id
      from alert_match
      join listing on listing.id = alert_match.resource_id
      join occurrence on occurrence.canonical_message_id = listing.canonical_message_id
      join media on media.group_id = occurrence.group_id and media.raw_id = occurrence.raw_id
                and media.second = occurrence.second and media.state = 'noted'
     group by media.id
     order by max(alert_match.matched_at_ms) desc, media.id
     limit ${Math.max(0, DRAWN_FIRST_MAX - bestIds.length)}`);
  const latestIds = rows.map(({ id }) => id);
  // What was queued later is drawn first.
  await queuePictures(db, latestIds, nowMs - 1);
}

async function listPhotosOfBuys(db: Database, nowMs: number): Promise<readonly string[]> {
  const selection: WatchQuery = {
    strategy: "price_engine",
    alertId: null,
    isUnseenOnly: false,
    includesShadow: true,
    leftOut: "blocked_and_passed",
    sinceMs: nowMs - RANKED_DAYS * DAY_MS,
    listing: null,
  };
  const matched = await listMatchedListings(db, selection, MATCHES_MAX);
  const matchedIds = matched.map(({ listing_id }) => listing_id);
  const order = { ranking: "profit", minima: {}, nowMs, isForBuys: true } as const;
  const buys = (await rankListings(db, matchedIds, order)).slice(0, BUYS_MAX);
  const listings = await findListings(
    db,
    buys.map(({ listing_id }) => listing_id),
  );
  const messageIds = listings.map((listing) => listing.canonical_message_id);
  const media = await findMessageMedia(db, [...new Set(messageIds)], { isWhole: true });
  return [...media.values()].flatMap((rows) => rows.map(({ id }) => id));
}

/** Of that size; a larger picture takes longer and shows no more. */
const DRAWN = 0.8;

/** Some posts have a photo that other posts of the model have too. */
function seedOf(facts: PhotoFacts, postId: string): string {
  const post = createRandom("photo of a post", postId);
  const isShared = post.integer(1, SHARED_EVERY) === 1;
  return isShared ? `${facts.reference} ${facts.dial_type} ${post.integer(1, 3)}` : postId;
}

/** The same seed gives the same photo. */
export function toPhotoSvg(facts: PhotoFacts, seed: string): string {
  const random = createRandom("photo", seed);
  const style = chooseStyle(facts);
  const scene = chooseScene(random);
  const { x, y, scale, turn } = scene.place;
  const place = `translate(${x} ${y}) rotate(${turn}) scale(${scale})`;
  const clip = scene.clip === undefined ? "" : ` clip-path="url(#seen)"`;
  const isBack = random.isBelow(BACK_SHARE) && scene.clip === undefined;
  const watch = isBack
    ? `${drawBody(style)}${drawBack(style)}`
    : `${drawBody(style)}${drawBezel(style)}${drawDial({ style, radius: radiusOf(style), random })}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH * DRAWN}" height="${HEIGHT * DRAWN}" viewBox="0 0 ${WIDTH} ${HEIGHT}">
<defs>${definitions(random)}${defineMetals(style)}${defineDial(style)}${scene.clip === undefined ? "" : `<clipPath id="seen"><path d="${scene.clip}"/></clipPath>`}</defs>
${scene.behind}
<g${clip}><g transform="translate(16 24) ${place}"><rect x="-84" y="-350" width="168" height="700" fill="url(#beside)"/></g><g transform="translate(22 34) ${place}"><circle r="150" fill="url(#below)"/></g><g transform="${place}">${drawBand(style)}</g></g>
${scene.clip === undefined ? "" : `<path d="${scene.clip}" fill="url(#around)"/>`}
<g transform="${place}"><circle cx="3" cy="6" r="128" fill="url(#below)"/>${watch}</g>
${scene.before}
<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#light)"/>
</svg>`;
}

/** Of all photos: who posts only one shows the front. */
const BACK_SHARE = 0.02;

/** A closed back with an engraving around it. */
function drawBack({ name }: Style): string {
  const engraved = [...`${name} SWISS MADE WATER RESISTANT `];
  const step = 360 / engraved.length;
  const words = engraved.map((letter, at) => {
    const [x, y] = polar(77, at * step);
    return writeLine({ text: letter, x, y, height: 9, colour: "#2b2f34", turn: at * step });
  });
  const slots = Array.from({ length: 6 }, (_, at) => {
    const [x, y] = polar(93, at * 60 + 30);
    return `<rect x="-4" y="-3" width="8" height="6" transform="translate(${x} ${y}) rotate(${at * 60 + 30})" fill="#000" fill-opacity=".55"/>`;
  });
  return `<circle r="100" fill="url(#m)" stroke="#000" stroke-opacity=".4"/><circle r="88" fill="url(#m-brush)" stroke="#000" stroke-opacity=".35"/>${slots.join("")}${words.join("")}<circle r="66" fill="url(#m)" opacity=".9"/><circle r="66" fill="none" stroke="#fff" stroke-opacity=".5"/>`;
}

function definitions(random: Random): string {
  const light = { x: random.integer(5, 95), y: random.integer(0, 40) };
  return `
<radialGradient id="below"><stop offset=".6" stop-opacity=".6"/><stop offset=".78" stop-opacity=".4"/><stop offset="1" stop-opacity="0"/></radialGradient>
<linearGradient id="beside"><stop offset="0" stop-opacity="0"/><stop offset=".3" stop-opacity=".5"/><stop offset=".7" stop-opacity=".5"/><stop offset="1" stop-opacity="0"/></linearGradient>
<radialGradient id="light" cx="${light.x}%" cy="${light.y}%" r="112%"><stop offset="0" stop-color="#fff" stop-opacity=".26"/><stop offset=".42" stop-color="#fff" stop-opacity="0"/>
<stop offset=".7" stop-color="#000" stop-opacity=".1"/><stop offset="1" stop-color="#000" stop-opacity=".5"/></radialGradient>
<linearGradient id="around" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#000" stop-opacity=".75"/><stop offset=".16" stop-color="#000" stop-opacity=".1"/><stop offset=".84" stop-color="#000" stop-opacity=".1"/>
<stop offset="1" stop-color="#000" stop-opacity=".8"/></linearGradient>
<linearGradient id="fall" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#000" stop-opacity=".6"/><stop offset=".3" stop-color="#000" stop-opacity="0"/><stop offset=".75" stop-color="#000" stop-opacity="0"/>
<stop offset="1" stop-color="#000" stop-opacity=".65"/></linearGradient>`;
}
