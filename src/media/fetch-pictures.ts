/**
 * Fetches the pictures of listings, makes them small and stores them. It is no step of the pipeline: whether a file can be had depends on
 * the hour, so nothing that fires or prices may wait for it, or depend on what came of it.
 *
 * Invariant: a picture that is queued is either worked on by one process, for the time of its lease, or due. What becomes of it is one
 * statement or one transaction, so a process that dies in between leaves it to the next one.
 *
 * Example: a dealer posts two pictures, and a minute later the text. The pictures are noted and due. The first attempts find no listing,
 * so they wait for some seconds, again and again. Then the text has a listing: the pictures are beside it, and are fetched while the
 * gateway still has them. Where they are shown is settled later, see `place-store.ts`.
 */
import { createHash } from "node:crypto";
import { type Clock, MINUTE_MS, SECOND_MS, sleep } from "../base/clock.ts";
import { findDisk } from "../base/disk.ts";
import { type Logger, logSeries } from "../base/log.ts";
import type { Metrics } from "../base/metrics.ts";
import type { ChangeFeed } from "../db/changes.ts";
import type { DatabasePool } from "../db/database.ts";
import { type GatewayPicture, readPictures } from "../messages/gateways/waha-pictures.ts";
import { groupIdOf } from "../messages/message.ts";
import { type ClaimedPicture, claimPictures, takePace } from "./claim-store.ts";
import type { Fetched, PictureSource } from "./gateway-source.ts";
import {
  awaitListing,
  isFileStored,
  isRefused,
  keepWithin,
  leaveStale,
  markGone,
  markStored,
  postponePicture,
  putBack,
  type StoredFile,
  saveFile,
  saveRefused,
  unqueuePicture,
} from "./media-write-store.ts";
import {
  ASKED_PER_MINUTE_MAX,
  ATTEMPTS_MAX,
  DISK_RESERVE_BYTES,
  LISTING_WAIT_MS,
  type MediaReason,
  QUEUED_MAX_MS,
  retryDelayMs,
  typeOf,
} from "./picture.ts";
import { isTooLong } from "./picture-head.ts";
import { findPlace, hasRoom, type Place, savePlace, settlePlaces } from "./place-store.ts";
import type { Shrinker } from "./shrink-pictures.ts";

export interface FetchOptions {
  readonly pool: DatabasePool;
  readonly clock: Clock;
  readonly source: PictureSource;
  readonly shrinker: Shrinker;
  readonly bytesMax: number;
  /** Where the embedded store is. */
  readonly folder?: string;
  /** Larger in tests. */
  readonly reserveBytes?: number;
  /** How many pictures that people ask for are fetched in a minute, by all processes. Null in the demo, which draws them. */
  readonly askedMax?: number | null;
}

interface Fetcher {
  /** Finishes the pictures in progress. */
  stop(): Promise<void>;
}

const POLL_MS = SECOND_MS;
/** A gateway that takes long for some pictures does not hold up all others. */
export const IN_FLIGHT_MAX = 4;
/** Longer than all requests and the decoding of one picture. */
const LEASE_MS = 4 * MINUTE_MS;
/** A picture that could neither be stored nor refused, as on a full disk, is tried again after this time. */
const BROKEN_DELAY_MS = 10 * SECOND_MS;
/** After several such pictures no other is tried for longer and longer. The gateway keeps files for three minutes. */
const REST_MAX_MS = MINUTE_MS;
const BUDGET_EVERY_MS = MINUTE_MS;
/** It looks for a listing after a second, then after as long as it has waited already. */
const WAIT_MIN_MS = SECOND_MS;
const WAIT_MAX_MS = 10 * SECOND_MS;
/** Places that are looked for again between two pictures. */
const SETTLED_AT_ONCE = 20;
/** Results of an attempt, in the metrics. */
const RESULTS = ["stored", "thumbnail", "gone", "retry", "left"] as const;
type Result = (typeof RESULTS)[number];

/** Any number of processes can run it. */
export function startFetcher(
  options: FetchOptions & {
    readonly feed: ChangeFeed;
    readonly log: Logger;
    readonly metrics: Pick<Metrics, "mediaPictures">;
  },
): Fetcher {
  const { pool, log, metrics, feed } = options;
  const stop = new AbortController();
  let wake = new AbortController();
  let weighedAtMs = Number.NEGATIVE_INFINITY;
  feed.subscribe("media", () => wake.abort());
  stop.signal.addEventListener("abort", () => wake.abort());
  for (const result of RESULTS) metrics.mediaPictures.inc({ result }, 0);
  const inFlight = new Set<Promise<void>>();
  let failureCount = 0;
  const rest = async (): Promise<void> => {
    await sleep(Math.min(POLL_MS * 2 ** failureCount, REST_MAX_MS), stop.signal);
  };
  const follow = ({ id, result }: StartedPicture): void => {
    const following = result
      .then((came) => {
        if (came === "stored" || came === "thumbnail") failureCount = 0;
        metrics.mediaPictures.inc({ result: came });
      })
      .catch(async (error: unknown) => {
        // Also if the disk is full. The market goes on without pictures.
        logSeries(log, { err: error }, "a picture could not be made small or stored");
        failureCount += 1;
        await putBack(pool, id, options.clock.nowMs() + BROKEN_DELAY_MS);
      })
      // Nor can the store be reached: its lease ends by itself.
      .catch((error: unknown) => logSeries(log, { err: error }, "a picture could not be put off"))
      .finally(() => inFlight.delete(following));
    inFlight.add(following);
  };
  const work = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      wake = new AbortController();
      try {
        if (performance.now() - weighedAtMs > BUDGET_EVERY_MS) {
          weighedAtMs = performance.now();
          await keepWithin(pool, options.bytesMax);
          await leaveStale(pool, options.clock.nowMs() - QUEUED_MAX_MS);
        }
        const place = { nowMs: options.clock.nowMs(), batchMax: SETTLED_AT_ONCE };
        const settledCount = await settlePlaces(pool, place);
        if (failureCount > 0) await rest();
        const isFull = await isDiskFull(options);
        if (isFull) logSeries(log, {}, "no pictures are fetched, because the disk is nearly full");
        // One shows whether the others would fail too.
        const inFlightMax = failureCount > 0 ? 1 : IN_FLIGHT_MAX;
        const roomCount = Math.max(inFlightMax - inFlight.size, 0);
        const mayStart = !isFull && !stop.signal.aborted;
        const started = mayStart ? await startDue(options, roomCount) : [];
        started.forEach(follow);
        if (started.length + settledCount === 0) await sleep(POLL_MS, wake.signal);
        if (inFlight.size >= inFlightMax) await Promise.race(inFlight);
      } catch (error) {
        logSeries(log, { err: error }, "pictures could not be fetched or stored");
        await sleep(POLL_MS, stop.signal);
      }
    }
    await Promise.all(inFlight);
  };
  const working = work();
  return {
    stop: async () => {
      stop.abort();
      await working;
      await options.shrinker.stop();
    },
  };
}

async function isDiskFull({ folder, reserveBytes = DISK_RESERVE_BYTES }: FetchOptions) {
  return folder !== undefined && (await findDisk(folder)).freeBytes < reserveBytes;
}

interface StartedPicture {
  readonly id: string;
  readonly result: Promise<Result>;
}

/** Starts with the pictures that are due, at most so many. */
export async function startDue(
  options: FetchOptions,
  batchMax: number,
): Promise<readonly StartedPicture[]> {
  const nowMs = options.clock.nowMs();
  const claimed = await claimPictures(options.pool, {
    nowMs,
    leaseMs: LEASE_MS,
    batchMax,
    askedMax: askedMaxOf(options),
    queuedSinceMs: nowMs - QUEUED_MAX_MS,
  });
  return claimed.map((picture) => ({ id: picture.id, result: fetchOne(options, picture) }));
}

function askedMaxOf({ askedMax }: FetchOptions): number | null {
  return askedMax === undefined ? ASKED_PER_MINUTE_MAX : askedMax;
}

async function fetchOne(options: FetchOptions, claimed: ClaimedPicture): Promise<Result> {
  const { pool, clock, source } = options;
  const { place } = await findPlace(pool, claimed);
  if (place === undefined) return waitForListing(options, claimed);
  await savePlace(pool, claimed, { place, nowMs: clock.nowMs() });
  if (!hasRoom(place)) return giveUp(options, claimed.id, "too_many");
  const picture = findInEvent(claimed);
  if (picture === undefined) return giveUp(options, claimed.id, "no_event");
  if (claimed.is_asked && !(await mayAsk(options))) {
    // Another process has taken the place meanwhile.
    await putBack(pool, claimed.id, clock.nowMs() + WAIT_MIN_MS);
    return "retry";
  }
  const shown = { group_id: claimed.group_id, ...toPost(place) };
  const fetched = await source({ id: claimed.id, shown, picture });
  if (fetched.kind === "stopped") {
    await putBack(pool, claimed.id, clock.nowMs() + BROKEN_DELAY_MS);
    return "retry";
  }
  if (fetched.kind === "failed" && claimed.attempt_count < ATTEMPTS_MAX) {
    await postponePicture(pool, claimed.id, clock.nowMs() + retryDelayMs(claimed.attempt_count));
    return "retry";
  }
  const reason = await storeFetched(options, claimed, fetched);
  if (reason === undefined) return "stored";
  return storeThumbnail(options, claimed, { reason, thumbnail: picture.thumbnail });
}

function mayAsk(options: FetchOptions): Promise<boolean> {
  return takePace(options.pool, {
    nowMs: options.clock.nowMs(),
    askedMax: askedMaxOf(options),
  });
}

function toPost({ raw_id, second }: Place) {
  return { raw_id, second };
}

/** Its listing may not be made yet, and the text that it belongs to may come after it. */
async function waitForListing(
  { pool, clock }: FetchOptions,
  { id, queued_at_ms }: ClaimedPicture,
): Promise<Result> {
  const nowMs = clock.nowMs();
  if (nowMs - queued_at_ms >= LISTING_WAIT_MS) {
    await unqueuePicture(pool, id);
    return "left";
  }
  const delayMs = Math.min(Math.max(nowMs - queued_at_ms, WAIT_MIN_MS), WAIT_MAX_MS);
  await awaitListing(pool, id, nowMs + delayMs);
  return "retry";
}

async function giveUp({ pool }: FetchOptions, id: string, reason: MediaReason): Promise<Result> {
  await markGone(pool, id, reason);
  return "gone";
}

function findInEvent({ event, group_id, raw_id }: ClaimedPicture): GatewayPicture | undefined {
  if (event === null) return undefined;
  return readPictures(event).find(
    ({ group, rawId }) => rawId === raw_id && groupIdOf(group) === group_id,
  );
}

/** Returns why there is no picture; undefined if it is stored. */
async function storeFetched(
  options: FetchOptions,
  claimed: ClaimedPicture,
  fetched: Exclude<Fetched, { readonly kind: "stopped" }>,
): Promise<MediaReason | undefined> {
  if (fetched.kind === "failed") return "gateway_failed";
  if (fetched.kind === "gone") return fetched.reason;
  return storeFile(options, claimed, fetched.bytes);
}

/** Files of which a picture is being stored, by hash. */
const storing = new Map<string, Promise<unknown>>();

/** A file that is stored already is not decoded again, and one that was refused neither, nor one that is being decoded. */
async function storeFile(
  options: FetchOptions,
  claimed: ClaimedPicture,
  bytes: Buffer,
  thumbnailFor?: MediaReason,
): Promise<MediaReason | undefined> {
  if (typeOf(bytes) === undefined) return "not_a_picture";
  if (isTooLong(bytes)) return "too_large";
  const sha256 = createHash("sha256").update(bytes).digest();
  const stored = { sha256, ...(thumbnailFor === undefined ? {} : { thumbnailFor }) };
  const key = sha256.toString("hex");
  for (let other = storing.get(key); other !== undefined; other = storing.get(key)) {
    await other.catch(() => undefined);
  }
  const work = storeOnce(options, claimed, { ...stored, bytes });
  storing.set(key, work);
  try {
    return await work;
  } finally {
    storing.delete(key);
  }
}

async function storeOnce(
  { pool, clock, shrinker }: FetchOptions,
  { id, sender_ids: senderIds }: ClaimedPicture,
  { bytes, ...stored }: StoredFile & { readonly bytes: Buffer },
): Promise<MediaReason | undefined> {
  const { sha256 } = stored;
  if (await isFileStored(pool, sha256)) {
    await markStored(pool, id, stored);
    return undefined;
  }
  if (await isRefused(pool, sha256)) return "unreadable";
  const small = await shrinker.shrink(bytes, senderIds);
  if (small === undefined) {
    await saveRefused(pool, sha256, clock.nowMs());
    return "unreadable";
  }
  await saveFile(pool, id, { ...stored, small, nowMs: clock.nowMs() });
  return undefined;
}

/** The event has a small picture of its own, most of the time. */
async function storeThumbnail(
  options: FetchOptions,
  claimed: ClaimedPicture,
  { reason, thumbnail }: { readonly reason: MediaReason; readonly thumbnail: Buffer | undefined },
): Promise<Result> {
  if (
    thumbnail === undefined ||
    (await storeFile(options, claimed, thumbnail, reason)) !== undefined
  ) {
    return giveUp(options, claimed.id, reason);
  }
  return "thumbnail";
}
