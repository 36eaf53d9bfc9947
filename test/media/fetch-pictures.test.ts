import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS } from "../../src/base/clock.ts";
import { createLogger } from "../../src/base/log.ts";
import { createMetrics } from "../../src/base/metrics.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { IN_FLIGHT_MAX, startFetcher } from "../../src/media/fetch-pictures.ts";
import { keepWithin, queuePictures } from "../../src/media/media-write-store.ts";
import { createShrinker } from "../../src/media/shrink-pictures.ts";
import { readPicturePath } from "../../src/messages/gateways/waha-pictures.ts";
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
import { aMessageEvent, SENDER, SESSION_A } from "../support/waha.ts";

const ASK = "126610LN 2024 full set €12,500";
const NOW_S = NOW_MS / 1000;

async function open(t: Lifetime) {
  const { pool } = await openTestDatabase(t);
  const gateway = await openPictureGateway(t);
  return { pool, gateway, options: fetchOptions(t, pool, gateway) };
}

test("a picture of a listing is fetched from the gateway, made small and stored", async (t) => {
  const { pool, gateway, options } = await open(t);
  gateway.files.set("recv-hk-1/AA01.jpeg", await aPicture(1, { width: 1_600, height: 1_200 }));

  await process(pool, [aPictureEvent({ rawId: "AA01", text: ASK })]);
  const results = await fetchAll(options);

  assert.deepEqual(results, ["stored"]);
  const [file] = await pool.query<{ width: number; height: number; head: string }>(sql`
    select width, height, encode(substring(picture from 9 for 4), 'escape') as head from media_file limit 2`);
  assert.deepEqual(file, { width: 1_280, height: 960, head: "WEBP" });
  assert.deepEqual(gateway.asked, ["GET /api/files/recv-hk-1/AA01.jpeg"]);
});

test("a picture of a message without a listing is not fetched", async (t) => {
  const { pool, gateway, options } = await open(t);
  await process(pool, [aPictureEvent({ rawId: "AA01", text: "good morning" })]);

  await fetchAll(options);
  options.clock.advance(200_000);
  await fetchAll(options);

  assert.deepEqual(gateway.asked, []);
  assert.equal((await listPictureStates(pool))[0]?.state, "noted");
});

test("pictures of an album belong to its message with the text", async (t) => {
  const { pool, gateway, options } = await open(t);
  const album = { albumRawId: "HEAD" };
  for (const [at, id] of ["AA01", "AA02", "AA03"].entries())
    gateway.files.set(`recv-hk-1/${id}.jpeg`, await aPicture(at));

  await process(pool, [
    aPictureEvent({ rawId: "AA01", text: "", ...album }),
    aPictureEvent({ rawId: "AA02", text: ASK, ...album }),
    aPictureEvent({ rawId: "AA03", text: "", ...album }),
  ]);
  await fetchAll(options);

  assert.deepEqual(
    (await listPictureStates(pool)).map((row) => [row.state, row.shown_raw_id, row.is_beside]),
    Array.from({ length: 3 }, () => ["stored", "AA02", false]),
  );
});

test("a picture without a text belongs to the only listing that its sender posts within two minutes, also later", async (t) => {
  const { pool, gateway, options } = await open(t);
  for (const id of ["AA01", "AA02", "AA03"])
    gateway.files.set(`recv-hk-1/${id}.jpeg`, await aPicture(Number(id.slice(3))));
  const other = { phone: "447700900199", lid: "199900000000299", name: "Other" };
  await process(pool, [
    aPictureEvent({ rawId: "AA01", text: "", atS: NOW_S - 60 }),
    aPictureEvent({ rawId: "AA02", text: "", atS: NOW_S - 60, sender: other }),
    aPictureEvent({ rawId: "AA03", text: "", atS: NOW_S - 300 }),
  ]);
  const before = await fetchAll(options);

  await process(pool, [aMessageEvent({ rawId: "BB01", text: ASK, atS: NOW_S - 5 })]);
  options.clock.advance(2_000);
  await fetchAll(options);

  assert.deepEqual(before, ["retry", "retry", "retry"]);
  assert.deepEqual(
    (await listPictureStates(pool)).map((row) => [row.raw_id, row.shown_raw_id, row.is_beside]),
    [
      ["AA01", "BB01", true],
      ["AA02", null, false],
      ["AA03", null, false],
    ],
  );
});

test("a picture between two listings of its sender belongs to none of them", async (t) => {
  const { pool, options } = await open(t);
  await process(pool, [
    aMessageEvent({ rawId: "BB01", text: ASK, atS: NOW_S - 60 }),
    aPictureEvent({ rawId: "AA01", text: "", atS: NOW_S - 50 }),
    aMessageEvent({ rawId: "BB02", text: "5711/1A 2019 92.000 EUR", atS: NOW_S - 40 }),
  ]);

  assert.deepEqual(await fetchAll(options), ["retry"]);
  assert.equal((await listPictureStates(pool))[0]?.shown_raw_id, null);
});

test("a picture that may be looked at only once is not even noted", async (t) => {
  const { pool } = await open(t);

  await process(pool, [
    aPictureEvent({ rawId: "AA01", text: ASK, wrapper: "viewOnceMessageV2" }),
    aPictureEvent({ rawId: "AA02", text: ASK }),
  ]);

  assert.deepEqual(
    (await listPictureStates(pool)).map(({ raw_id }) => raw_id),
    ["AA02"],
  );
});

test("a file that the gateway no longer has is downloaded again by it, or the thumbnail of the event is kept", async (t) => {
  const { pool, gateway, options } = await open(t);
  gateway.files.set("recv-hk-1/again.jpeg", await aPicture(1));
  gateway.messages.set("AA01", "recv-hk-1/again.jpeg");
  gateway.messages.set("AA02", null);
  const thumbnail = await aPicture(2, { width: 100, height: 75 });

  await process(pool, [
    aPictureEvent({ rawId: "AA01", text: ASK }),
    aPictureEvent({ rawId: "AA02", text: ASK, file: null, thumbnail }),
    aPictureEvent({ rawId: "AA03", text: ASK }),
  ]);
  await fetchAll(options);

  assert.deepEqual(
    (await listPictureStates(pool)).map((row) => [row.state, row.reason, row.is_thumbnail_only]),
    [
      ["stored", null, false],
      ["stored", "not_at_gateway", true],
      ["gone", "not_at_gateway", false],
    ],
  );
});

test("a gateway that fails is asked again, some times, with growing delays", async (t) => {
  const { pool, gateway, options } = await open(t);
  gateway.files.set("recv-hk-1/AA01.jpeg", (_, response) => response.writeHead(500).end());
  await process(pool, [aPictureEvent({ rawId: "AA01", text: ASK })]);

  const results: string[] = [];
  for (let round = 0; round < 8; round += 1) {
    results.push(...(await fetchAll(options)));
    options.clock.advance(31_000);
  }

  assert.deepEqual(results, ["retry", "retry", "retry", "retry", "retry", "retry", "gone"]);
  assert.equal((await listPictureStates(pool))[0]?.reason, "gateway_failed");
  gateway.files.set("recv-hk-1/AA01.jpeg", await aPicture(1));
  assert.equal(await askForAll(pool, options.clock.nowMs()), 1);
  assert.deepEqual(await fetchAll(options), ["stored"]);
});

/** As a person does who opens their listings. */
async function askForAll(pool: DatabasePool, nowMs: number): Promise<number> {
  const rows = await pool.query<{ id: string }>(sql`select id from media order by id limit 100`);
  return queuePictures(
    pool,
    rows.map(({ id }) => id),
    nowMs,
  );
}

test("a picture that no one fetched for hours is left in peace, until someone asks for it", async (t) => {
  const { pool, gateway, options } = await open(t);
  gateway.files.set("recv-hk-1/AA01.jpeg", await aPicture(1));
  await process(pool, [aPictureEvent({ rawId: "AA01", text: ASK })]);

  options.clock.advance(2 * HOUR_MS);
  const left = await fetchAll(options);
  await askForAll(pool, options.clock.nowMs());

  assert.deepEqual(left, []);
  assert.deepEqual(await fetchAll(options), ["stored"]);
});

test("an event that has no address of the file does not replace one that has it", async (t) => {
  const { pool, gateway, options } = await open(t);
  gateway.files.set("recv-hk-1/AA01.jpeg", await aPicture(1));
  const other = { ...SESSION_A, name: "recv-hk-2", engine: "NOWEB" as const };

  await process(pool, [
    aPictureEvent({ rawId: "AA01", text: ASK }),
    aPictureEvent({ rawId: "AA01", text: ASK, session: other, file: null }),
  ]);

  assert.deepEqual(await fetchAll(options), ["stored"]);
  assert.deepEqual(gateway.asked, ["GET /api/files/recv-hk-1/AA01.jpeg"]);
});

test("a picture beside a text that was posted twice belongs to the post next to it", async (t) => {
  const { pool, gateway, options } = await open(t);
  gateway.files.set("recv-hk-1/AA01.jpeg", await aPicture(1));

  await process(pool, [
    aMessageEvent({ rawId: "BB01", text: ASK, atS: NOW_S - 100 }),
    aPictureEvent({ rawId: "AA01", text: "", atS: NOW_S - 55 }),
    aMessageEvent({ rawId: "BB02", text: ASK, atS: NOW_S - 50 }),
  ]);
  await fetchAll(options);

  assert.deepEqual(
    (await listPictureStates(pool)).map((row) => [row.state, row.shown_raw_id, row.is_beside]),
    [["stored", "BB02", true]],
  );
});

test("a text that is posted again with new pictures gets them, also if it has ten old ones", async (t) => {
  const { pool, gateway, options } = await open(t);
  const ids = Array.from({ length: 11 }, (_, at) => `AA${10 + at}`);
  for (const [at, id] of ids.entries())
    gateway.files.set(`recv-hk-1/${id}.jpeg`, await aPicture(at, { width: 64, height: 48 }));

  for (const rawId of ids) await process(pool, [aPictureEvent({ rawId, text: ASK })]);
  await fetchAll(options);

  const states = (await listPictureStates(pool)).map(({ state }) => state);
  assert.deepEqual(new Set(states), new Set(["stored"]));
});

test("a slow picture does not hold up those that come after it, and a stop waits for it", async (t) => {
  const { pool, gateway, options } = await open(t);
  const file = await aPicture(1);
  let answer: (() => void) | undefined;
  gateway.files.set("recv-hk-1/AA01.jpeg", (_, response) => {
    answer = () => response.writeHead(200).end(file);
  });
  gateway.files.set("recv-hk-1/AA02.jpeg", await aPicture(2));
  await process(pool, [aPictureEvent({ rawId: "AA01", text: ASK })]);
  const { mediaPictures } = createMetrics();
  const log = createLogger("silent");
  const fetcher = startFetcher({ ...options, feed: aFeed(), log, metrics: { mediaPictures } });
  await until(() => answer !== undefined);

  await process(pool, [aPictureEvent({ rawId: "AA02", text: ASK })]);
  await until(async () => (await listPictureStates(pool))[1]?.state === "stored");
  const stopped = fetcher.stop();
  answer?.();
  await stopped;

  assert.deepEqual(
    (await listPictureStates(pool)).map(({ state }) => state),
    ["stored", "stored"],
  );
});

test("while nothing can be decoded, pictures wait and none is refused", async (t) => {
  const { pool, gateway, options } = await open(t);
  gateway.files.set("recv-hk-1/AA01.jpeg", await aPicture(1));
  await process(pool, [aPictureEvent({ rawId: "AA01", text: ASK })]);
  const broken = createShrinker({ program: "/nowhere/at/all.js" });
  t.after(() => broken.stop());

  await assert.rejects(fetchAll({ ...options, shrinker: broken }), /did not start/);
  options.clock.advance(5 * 60_000);

  assert.deepEqual(await fetchAll(options), ["stored"]);
});

test("of the event's address only a plain path below /api/files counts", () => {
  const pathOf = (url: string) => readPicturePath({ media: { url } });

  assert.equal(
    pathOf("https://user:secret@evil.example:99/base/api/files/recv-hk-1/AA.jpeg?token=secret#x"),
    "/api/files/recv-hk-1/AA.jpeg",
  );
  for (const url of [
    "http://x/api/files/recv/../../sessions",
    "http://x/api/files/recv/%2e%2e/sessions",
    "http://x/api/files//evil.example/AA.jpeg",
    "http://x/api/files/recv/AA%2F..%2F..%2Fsessions",
    "http://x/api/files/recv\\evil/AA.jpeg",
    "http://x/api/sessions",
    "//evil.example/api/files/recv/AA.jpeg",
    "file:///api/files/recv/AA.jpeg",
    "http://x/api/files/recv/a/b.jpeg",
  ]) {
    assert.equal(pathOf(url), undefined, url);
  }
});

test("redirections, files that are too large and other kinds of files are refused", async (t) => {
  const { pool, gateway, options } = await open(t);
  let sent = 0;
  gateway.files.set("recv-hk-1/AA01.jpeg", (_, response) => {
    const chunk = Buffer.alloc(1024 * 1024, 1);
    const more = (): void => {
      if (sent > 200 || response.destroyed) return;
      sent += 1;
      response.write(chunk, more);
    };
    more();
  });
  gateway.files.set(
    "recv-hk-1/AA02.jpeg",
    Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
  );
  gateway.files.set("recv-hk-1/AA03.jpeg", (_, response) =>
    response.writeHead(302, { location: `${gateway.url}/api/files/recv-hk-1/AA04.jpeg` }).end(),
  );
  await process(
    pool,
    ["AA01", "AA02", "AA03"].map((rawId) => aPictureEvent({ rawId, text: ASK })),
  );

  await fetchAll(options);

  assert.deepEqual(
    (await listPictureStates(pool)).map((row) => [row.state, row.reason]),
    [
      ["gone", "too_large"],
      ["gone", "not_a_picture"],
      ["queued", null],
    ],
  );
  assert.ok(sent < 200, "the rest was not read");
  assert.ok(!gateway.asked.includes("GET /api/files/recv-hk-1/AA04.jpeg"));
});

test("the same file in several posts is decoded and stored once", async (t) => {
  const { pool, gateway, options } = await open(t);
  const file = await aPicture(1);
  const shrunk: number[] = [];
  const counting = {
    ...options.shrinker,
    shrink: (bytes: Uint8Array) => {
      shrunk.push(bytes.byteLength);
      return options.shrinker.shrink(bytes);
    },
  };
  const ids = Array.from({ length: 14 }, (_, at) => `AA${10 + at}`);
  for (const id of ids) gateway.files.set(`recv-hk-1/${id}.jpeg`, file);
  await process(
    pool,
    ids.map((rawId) => aPictureEvent({ rawId, text: ASK })),
  );

  const results = await fetchAll({ ...options, shrinker: counting });

  assert.equal(shrunk.length, 1);
  const [count] = await pool.query<{ files: number }>(
    sql`select count(*) as files from media_file`,
  );
  assert.equal(count?.files, 1);
  assert.deepEqual(new Set(results), new Set(["stored"]));
});

test("of an album with many pictures ten are kept, and those that are on their way at that moment", async (t) => {
  const { pool, gateway, options } = await open(t);
  const ids = Array.from({ length: 16 }, (_, at) => `AA${10 + at}`);
  for (const [at, id] of ids.entries())
    gateway.files.set(`recv-hk-1/${id}.jpeg`, await aPicture(at, { width: 64, height: 48 }));
  await process(
    pool,
    ids.map((rawId, at) => aPictureEvent({ rawId, text: at === 0 ? ASK : "", albumRawId: "HEAD" })),
  );

  const results = await fetchAll(options);

  const storedCount = results.filter((result) => result === "stored").length;
  assert.ok(storedCount >= 10 && storedCount < 10 + IN_FLIGHT_MAX);
  assert.ok((await listPictureStates(pool)).some(({ reason }) => reason === "too_many"));
});

test("a replay keeps the pictures and fetches nothing again", async (t) => {
  const { pool, gateway, options } = await open(t);
  gateway.files.set("recv-hk-1/AA01.jpeg", await aPicture(1));
  await process(pool, [aPictureEvent({ rawId: "AA01", text: ASK })]);
  await fetchAll(options);
  const before = await pool.query(sql`select * from media limit 10`);

  await requestReplay(pool, { alerting: "never" });
  await process(pool, []);
  await fetchAll(options);

  assert.deepEqual(await pool.query(sql`select * from media limit 10`), before);
  assert.equal(gateway.asked.length, 1);
});

test("a process that dies in the middle leaves the picture to the next one", async (t) => {
  const { pool, gateway, options } = await open(t);
  await process(pool, [aPictureEvent({ rawId: "AA01", text: ASK })]);
  const dying = { ...options, source: () => Promise.reject(new Error("killed")) };
  await assert.rejects(fetchAll(dying), /killed/);
  gateway.files.set("recv-hk-1/AA01.jpeg", await aPicture(1));

  const early = await fetchAll(options);
  options.clock.advance(4 * 60_000);
  const late = await fetchAll(options);

  assert.deepEqual([early, late], [[], ["stored"]]);
});

test("pictures that were stored first leave when all together take too much, and can be asked for again", async (t) => {
  const { pool, gateway, options } = await open(t);
  for (const [at, id] of ["AA01", "AA02"].entries()) {
    gateway.files.set(`recv-hk-1/${id}.jpeg`, await aPicture(at));
    await process(pool, [aPictureEvent({ rawId: id, text: ASK })]);
    await fetchAll(options);
    options.clock.advance(1_000);
  }
  const [sum] = await pool.query<{ total: number }>(
    sql`select sum(byte_count)::bigint as total from media_file`,
  );

  const left = await keepWithin(pool, (sum?.total ?? 0) - 1);
  const states = await listPictureStates(pool);
  const [first] = await pool.query<{ id: string }>(sql`select id from media where raw_id = 'AA01'`);
  const queued = await queuePictures(pool, [first?.id ?? ""], options.clock.nowMs());

  assert.ok(left < (sum?.total ?? 0));
  assert.deepEqual(
    states.map(({ state, reason }) => [state, reason]),
    [
      ["gone", "over_budget"],
      ["stored", null],
    ],
  );
  assert.equal(queued, 1);
  assert.deepEqual(await fetchAll(options), ["stored"]);
});

test("the sender's name or number is nowhere in what is noted but in the identifiers that an erasure needs", async (t) => {
  const { pool } = await open(t);

  await process(pool, [aPictureEvent({ rawId: "AA01", text: ASK })]);

  const [row] = await pool.query<{ text: string; ids: readonly string[] }>(sql`
    select (to_jsonb(media) - 'sender_ids')::text as text, sender_ids as ids from media limit 1`);
  assert.ok(!row?.text.includes(SENDER.phone) && !row?.text.includes(SENDER.lid));
  assert.ok((row?.ids.length ?? 0) > 0);
});
