import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { HOUR_MS, SECOND_MS, sleep } from "../../src/base/clock.ts";
import { createLogger } from "../../src/base/log.ts";
import { createMetrics } from "../../src/base/metrics.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { IN_FLIGHT_MAX, startFetcher } from "../../src/media/fetch-pictures.ts";
import { createGatewaySource } from "../../src/media/gateway-source.ts";
import { findMediaFigures } from "../../src/media/media-store.ts";
import {
  keepWithin,
  leaveStale,
  type NotedPicture,
  queuePictures,
  saveNoted,
} from "../../src/media/media-write-store.ts";
import { QUEUED_MAX_MS } from "../../src/media/picture.ts";
import { createWahaClient } from "../../src/messages/gateways/waha-client.ts";
import { requestReplay } from "../../src/pipeline/replay.ts";
import { process } from "../support/drain.ts";
import {
  aPicture,
  aPictureEvent,
  fetchAll,
  fetchOptions,
  listPictureStates,
  openPictureGateway,
} from "../support/media/pictures.ts";
import { aFeed, NOW_MS, until } from "../support/test-app.ts";
import { type Lifetime, openTestDatabase } from "../support/test-database.ts";
import { SESSION_A } from "../support/waha.ts";

const ASK = "126610LN 2024 full set €12,500";

async function open(t: Lifetime) {
  const { pool } = await openTestDatabase(t);
  const gateway = await openPictureGateway(t);
  return { pool, gateway, options: fetchOptions(t, pool, gateway) };
}

async function askForAll(pool: DatabasePool, nowMs: number): Promise<number> {
  const rows = await pool.query<{ id: string }>(sql`select id from media order by id limit 100`);
  return queuePictures(
    pool,
    rows.map(({ id }) => id),
    nowMs,
  );
}

async function countFiles(pool: DatabasePool): Promise<number> {
  const [row] = await pool.query<{ count: number }>(sql`select count(*) as count from media_file`);
  return row?.count ?? 0;
}

/** A thumbnail that stands for a picture that the gateway failed to send. */
async function openFailed(t: Lifetime) {
  const opened = await open(t);
  const { pool, gateway, options } = opened;
  gateway.files.set("recv-hk-1/AA01.jpeg", (_, response) => response.writeHead(500).end());
  const thumbnail = await aPicture(2, { width: 100, height: 75 });
  await process(pool, [aPictureEvent({ rawId: "AA01", text: ASK, thumbnail })]);
  for (let round = 0; round < 8; round += 1) {
    await fetchAll(options);
    options.clock.advance(31 * SECOND_MS);
  }
  const [state] = await listPictureStates(pool);
  assert.deepEqual(
    [state?.state, state?.reason, state?.is_thumbnail_only],
    ["stored", "gateway_failed", true],
  );
  return opened;
}

test("a thumbnail for a picture that the gateway failed to send stays until someone asks and the picture comes", async (t) => {
  const { pool, gateway, options } = await openFailed(t);
  gateway.files.set("recv-hk-1/AA01.jpeg", await aPicture(1));

  const askedCount = await askForAll(pool, options.clock.nowMs());
  const keptCount = await countFiles(pool);
  const results = await fetchAll(options);

  assert.deepEqual([askedCount, keptCount, results], [1, 1, ["stored"]]);
  const [state] = await listPictureStates(pool);
  assert.deepEqual(
    [state?.state, state?.reason, state?.is_thumbnail_only],
    ["stored", null, false],
  );
  assert.equal(await countFiles(pool), 1, "the thumbnail is removed");
});

test("a thumbnail that leaves for space while its picture is in the queue leaves the picture there", async (t) => {
  const { pool, gateway, options } = await openFailed(t);
  gateway.files.set("recv-hk-1/AA01.jpeg", await aPicture(1));
  await askForAll(pool, options.clock.nowMs());

  await keepWithin(pool, 0);

  assert.equal((await listPictureStates(pool))[0]?.state, "queued");
  assert.deepEqual(await fetchAll(options), ["stored"]);
});

test("a request that the stop of the service ends is no attempt", async (t) => {
  const { pool, gateway, options } = await open(t);
  const stopping = new AbortController();
  gateway.files.set("recv-hk-1/AA01.jpeg", () => stopping.abort());
  const client = createWahaClient({ url: gateway.url, apiKey: "x", signal: stopping.signal });
  await process(pool, [aPictureEvent({ rawId: "AA01", text: ASK })]);
  const source = createGatewaySource(client, stopping.signal);
  stopping.abort();

  assert.deepEqual(await fetchAll({ ...options, source }), ["retry"]);
  assert.equal(await findAttempts(pool), 0);
});

async function findAttempts(pool: DatabasePool): Promise<number | undefined> {
  const [row] = await pool.query<{ attempts: number }>(
    sql`select max(attempt_count) as attempts from media where state = 'queued'`,
  );
  return row?.attempts;
}

test("what no one fetched for an hour does not count as waiting", async (t) => {
  const { pool, options } = await open(t);
  await process(pool, [aPictureEvent({ rawId: "AA01", text: ASK })]);

  options.clock.advance(2 * HOUR_MS);
  await leaveStale(pool, options.clock.nowMs() - QUEUED_MAX_MS);

  assert.equal((await listPictureStates(pool))[0]?.state, "noted");
  assert.equal((await findMediaFigures(pool)).queued, 0);
});

test("a later event that has the address of a file that could not be had has it fetched, once", async (t) => {
  const { pool, gateway, options } = await open(t);
  const other = { ...SESSION_A, name: "recv-hk-2", engine: "NOWEB" as const };
  const thumbnail = await aPicture(2, { width: 100, height: 75 });
  const events = [
    aPictureEvent({ rawId: "AA01", text: ASK, file: null }),
    aPictureEvent({ rawId: "AA02", text: ASK, file: null, thumbnail }),
  ];
  await process(pool, events);
  await fetchAll(options);
  const before = (await listPictureStates(pool)).map(({ state, reason }) => [state, reason]);
  for (const [at, id] of ["AA01", "AA02"].entries())
    gateway.files.set(`recv-hk-2/${id}.jpeg`, await aPicture(at + 3));

  await process(
    pool,
    ["AA01", "AA02"].map((rawId) => aPictureEvent({ rawId, text: ASK, session: other })),
  );
  const results = await fetchAll(options);
  await requestReplay(pool, { alerting: "never" });
  await process(pool, []);

  assert.deepEqual(before, [
    ["gone", "not_at_gateway"],
    ["stored", "not_at_gateway"],
  ]);
  assert.deepEqual(results, ["stored", "stored"]);
  assert.deepEqual(await fetchAll(options), []);
  assert.deepEqual(
    (await listPictureStates(pool)).map((row) => [row.state, row.reason, row.is_thumbnail_only]),
    [
      ["stored", null, false],
      ["stored", null, false],
    ],
  );
});

test("of two events of a picture the one with an address is kept, in whatever order they come", async (t) => {
  const { pool } = await open(t);
  await process(pool, [aPictureEvent({ rawId: "AA01", text: ASK, file: null })]);
  const [known] = await pool.query<NotedPicture>(sql`select * from media limit 1`);
  assert.ok(known !== undefined);
  const first = { ...known, raw_event_id: 0, has_path: true, is_fresh: true };

  await saveNoted(pool, [first], NOW_MS);
  await saveNoted(pool, [{ ...known, has_path: false, is_fresh: true }], NOW_MS);

  const [kept] = await pool.query<NotedPicture>(sql`select * from media limit 1`);
  assert.deepEqual([kept?.raw_event_id, kept?.has_path], [0, true]);
});

test("while the disk is nearly full no picture is fetched", async (t) => {
  const { pool, gateway, options } = await open(t);
  await process(pool, [aPictureEvent({ rawId: "AA01", text: ASK })]);
  const lines: string[] = [];
  const log = createLogger("error", { write: (line) => lines.push(line) });
  const full = { folder: tmpdir(), reserveBytes: Number.MAX_SAFE_INTEGER };
  const { mediaPictures } = createMetrics();

  const fetcher = startFetcher({
    ...options,
    ...full,
    feed: aFeed(),
    log,
    metrics: { mediaPictures },
  });
  await until(() => lines.length > 0);
  await fetcher.stop();

  assert.match(lines[0] ?? "", /disk is nearly full/);
  assert.deepEqual(gateway.asked, []);
  assert.equal(await findAttempts(pool), 0);
});

test("while no picture can be stored, fetching rests, and no attempt counts", async (t) => {
  const { pool, gateway, options } = await open(t);
  const ids = Array.from({ length: 8 }, (_, at) => `AA1${at}`);
  for (const id of ids)
    gateway.files.set(`recv-hk-1/${id}.jpeg`, await aPicture(Number(id.slice(3))));
  await process(
    pool,
    ids.map((rawId) => aPictureEvent({ rawId, text: ASK })),
  );
  let tryCount = 0;
  const broken = async () => {
    tryCount += 1;
    throw new Error("the disk is full");
  };
  const shrinker = { ...options.shrinker, shrink: broken };
  const { mediaPictures } = createMetrics();
  const log = createLogger("silent");

  const fetcher = startFetcher({
    ...options,
    shrinker,
    feed: aFeed(),
    log,
    metrics: { mediaPictures },
  });
  await until(() => tryCount === IN_FLIGHT_MAX);
  await sleep(SECOND_MS);
  await fetcher.stop();

  assert.equal(tryCount, IN_FLIGHT_MAX);
  assert.equal(await findAttempts(pool), 0);
});
