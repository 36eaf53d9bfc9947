import assert from "node:assert/strict";
import { test } from "node:test";
import sharp from "sharp";
import { sql } from "../../../src/db/sql.ts";
import { process } from "../../support/drain.ts";
import {
  aPicture,
  aPictureEvent,
  fetchAll,
  fetchOptions,
  openPictureGateway,
} from "../../support/media/pictures.ts";
import { NOW_MS, openTestApp, until } from "../../support/test-app.ts";
import type { Lifetime } from "../../support/test-database.ts";

const ASK = "126610LN 2024 full set €12,500";
const dealer = (n: number) => ({
  phone: `4477009001${10 + n}`,
  lid: `1999000000002${10 + n}`,
  name: `Dealer ${n}`,
});

async function open(t: Lifetime) {
  const test = await openTestApp(t, {
    environment: { ASSAY_MEDIA: "on", ASSAY_WAHA_URL: "http://127.0.0.1:1" },
  });
  const gateway = await openPictureGateway(t);
  const options = fetchOptions(t, test.db, gateway);
  const post = async (rawId: string, file: Buffer | undefined, more: object = {}) => {
    if (file !== undefined) gateway.files.set(`recv-hk-1/${rawId}.jpeg`, file);
    await process(test.db, [aPictureEvent({ rawId, text: ASK, ...more })]);
  };
  return { ...test, gateway, options, post };
}

async function listingOf(db: Awaited<ReturnType<typeof open>>["db"], n?: number): Promise<string> {
  const name = n === undefined ? sql`true` : sql`contact.display_name = ${`Dealer ${n}`}`;
  const [row] = await db.query<{ id: string }>(sql`
    select listing.id from listing left join contact on contact.id = listing.contact_id where ${name} order by listing.id limit 1`);
  return row?.id ?? "";
}

test("a stored picture is returned in two sizes, with headers that keep a browser from running it", async (t) => {
  const { db, call, options, post } = await open(t);
  await post("AA01", await aPicture(1, { width: 1_600, height: 1_200 }));
  await fetchAll(options);
  const listing = await listingOf(db);

  const { body } = await call("GET", `/v2/market/listings/${listing}/media`);
  const [item] = body.items;
  const url = `/v2/media/${item.id}`;
  const thumb = await call("GET", url);

  assert.deepEqual(body, {
    items: [
      {
        id: item.id,
        is_thumbnail_only: false,
        is_beside: false,
        width: 1_280,
        height: 960,
        state: "stored",
      },
    ],
    listing_count: 1,
  });
  assert.equal(thumb.status, 200);
  assert.deepEqual(
    ["content-type", "cache-control", "content-security-policy", "x-content-type-options"].map(
      (name) => thumb.headers[name],
    ),
    ["image/webp", "private, max-age=86400", "sandbox; default-src 'none'", "nosniff"],
  );
  assert.equal((await call("GET", url, {})).status, 401);
});

test("a browser that has the picture is told so, and sizes have tags of their own", async (t) => {
  const { app, db, token, options, post } = await open(t);
  await post("AA01", await aPicture(1, { width: 1_600, height: 1_200 }));
  await fetchAll(options);
  const [media] = await db.query<{ id: string }>(sql`select id from media limit 1`);
  const get = (size: string, tag = "") =>
    app.inject({
      url: `/v2/media/${media?.id}?size=${size}`,
      headers: {
        authorization: `Bearer ${token}`,
        ...(tag === "" ? {} : { "if-none-match": tag }),
      },
    });

  const [thumb, full] = [await get("thumb"), await get("full")];
  const known = await get("thumb", String(thumb.headers["etag"]));
  const other = await get("full", String(thumb.headers["etag"]));

  assert.equal((await sharp(thumb.rawPayload).metadata()).width, 320);
  assert.equal((await sharp(full.rawPayload).metadata()).width, 1_280);
  assert.deepEqual([known.statusCode, known.rawPayload.length], [304, 0]);
  assert.equal(other.statusCode, 200);
  assert.equal((await get("huge")).statusCode, 400);
});

test("a picture that cannot be had says why, and one that is unknown is not found", async (t) => {
  const { db, call, options, post } = await open(t);
  await post("AA01", undefined);
  await fetchAll(options);
  const [media] = await db.query<{ id: string }>(sql`select id from media limit 1`);

  const gone = await call("GET", `/v2/media/${media?.id}`);
  const unknown = await call("GET", "/v2/media/0b5f6f0e-8d3c-4c59-9a37-5a1d0c6f2e99");
  const listed = await call("GET", `/v2/market/listings/${await listingOf(db)}/media`);

  assert.deepEqual([gone.status, gone.body.error.code], [410, "media_gone"]);
  assert.match(gone.body.error.message, /not_at_gateway/);
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, "media_not_found"]);
  assert.deepEqual(
    [listed.body.items[0].state, listed.body.items[0].reason],
    ["gone", "not_at_gateway"],
  );
  assert.equal((await call("GET", "/v2/media/x")).status, 400);
});

test("rows of watches say that a picture may show another watch of the message", async (t) => {
  const { send, options, post } = await open(t);
  await post("AA01", await aPicture(1));
  await post("AA02", await aPicture(2), {
    text: "WTS Rolex 126610LV 2023 full set 12.000 EUR\nWTS Rolex 126334 2023 full set 9.000 EUR",
  });
  await fetchAll(options);

  const { body } = await send("POST", "/v2/market/listings/search", { include: ["price"] });

  const said = body.items.map(({ reference }: { reference: string }, at: number) => [
    reference,
    ...body.prices[at].media.map((item: { is_of_several?: true }) => item.is_of_several),
  ]);
  assert.deepEqual(said.sort(), [
    ["126334", true],
    ["126610LN", undefined],
    ["126610LV", true],
  ]);
});

test("who opens a listing with an older picture gets it fetched", async (t) => {
  const { db, call, options, post } = await open(t);
  await post("AA01", await aPicture(1), { atS: NOW_MS / 1000 - 86_400 });
  assert.deepEqual(await fetchAll(options), []);
  const url = `/v2/market/listings/${await listingOf(db)}/media`;

  const before = await call("GET", url);
  assert.deepEqual(await fetchAll(options), ["stored"]);
  const after = await call("GET", url);

  assert.equal(before.body.items[0].state, "waiting");
  assert.equal(after.body.items[0].state, "stored");
});

test("who opens an older listing gets the rest of its album and what was posted beside it", async (t) => {
  const { db, call, gateway, options } = await open(t);
  const yesterdayS = NOW_MS / 1000 - 86_400;
  for (const [at, id] of ["AA01", "AA02", "BB01"].entries())
    gateway.files.set(`recv-hk-1/${id}.jpeg`, await aPicture(at));
  const album = { albumRawId: "HEAD" };
  await process(db, [
    aPictureEvent({ rawId: "AA01", text: ASK, atS: yesterdayS, ...album }),
    aPictureEvent({ rawId: "AA02", text: "", atS: yesterdayS + 1, ...album }),
    aPictureEvent({ rawId: "BB01", text: "", atS: yesterdayS + 60 }),
    aPictureEvent({ rawId: "CC01", text: "", atS: yesterdayS + 60, sender: dealer(2) }),
  ]);
  const url = `/v2/market/listings/${await listingOf(db)}/media`;

  const before = await call("GET", url);
  await fetchAll(options);
  const { body } = await call("GET", url);

  const shown = (items: { state: string; is_beside: boolean }[]) =>
    items.map(({ state, is_beside }) => [state, is_beside]);
  assert.deepEqual(
    shown(before.body.items),
    [false, false, true].map((isBeside) => ["waiting", isBeside]),
  );
  assert.deepEqual(
    shown(body.items),
    [false, false, true].map((isBeside) => ["stored", isBeside]),
  );
});

test("messages and priced searches have the pictures that are stored", async (t) => {
  const { call, send, options, post } = await open(t);
  await post("AA01", await aPicture(1));
  await fetchAll(options);

  const messages = await call("GET", "/v2/messages");
  const search = await send("POST", "/v2/market/listings/search", { include: ["price"] });
  const plain = await send("POST", "/v2/market/listings/search", {});

  assert.equal(messages.body.items[0].media.length, 1);
  assert.deepEqual(search.body.prices[0].media, messages.body.items[0].media);
  assert.ok(!JSON.stringify(plain.body).includes('"media"'));
});

test("the same photo of other dealers is found with who, when and at which ask; of many it is a stock photo", async (t) => {
  const { db, call, send, options, post } = await open(t);
  const photo = await aPicture(1);
  const again = await sharp(photo).resize(500).jpeg({ quality: 60 }).toBuffer();
  await post("AA01", photo, { sender: dealer(1) });
  await post("AA02", again, { sender: dealer(2), text: "126610LN 2024 full set €12,100" });
  await post("AA03", await aPicture(2), { sender: dealer(3) });
  await fetchAll(options);
  const listing = await listingOf(db, 1);

  const { body } = await call("GET", `/v2/market/listings/${listing}/same-photos`);
  const search = await send("POST", "/v2/market/listings/search", { same_photo_elsewhere: true });

  assert.deepEqual([body.dealer_count, body.is_stock_photo, body.items.length], [2, false, 1]);
  assert.deepEqual(body.items[0].price, { amount_minor: 1_210_000, currency: "EUR" });
  assert.equal(body.items[0].contact.name, "Dealer 2");
  assert.equal(search.body.items.length, 2);
  for (const n of [4, 5, 6, 7]) await post(`BB0${n}`, photo, { sender: dealer(n) });
  await fetchAll(options);
  const many = await call("GET", `/v2/market/listings/${listing}/same-photos`);
  assert.deepEqual([many.body.dealer_count, many.body.is_stock_photo], [6, true]);
});

test("a photo is a stock photo by its own dealers, not by those of the other photos beside it", async (t) => {
  const { db, call, gateway, options, post } = await open(t);
  const photos = [await aPicture(1), await aPicture(2)];
  const album = { albumRawId: "HEAD" };
  for (const [at, id] of ["AA01", "AA02"].entries())
    gateway.files.set(`recv-hk-1/${id}.jpeg`, photos[at] ?? Buffer.of());
  await process(db, [
    aPictureEvent({ rawId: "AA01", text: ASK, sender: dealer(1), ...album }),
    aPictureEvent({ rawId: "AA02", text: "", sender: dealer(1), ...album }),
  ]);
  for (const n of [2, 3, 4]) await post(`BB0${n}`, photos[0], { sender: dealer(n) });
  for (const n of [5, 6, 7]) await post(`BB0${n}`, photos[1], { sender: dealer(n) });
  await fetchAll(options);

  const url = `/v2/market/listings/${await listingOf(db, 1)}/same-photos`;
  const { body } = await call("GET", url);

  assert.deepEqual([body.items.length, body.dealer_count, body.is_stock_photo], [6, 4, false]);
});

test("a search for shared photos goes on with its next page when another one was posted meanwhile", async (t) => {
  const { send, clock, options, post } = await open(t);
  const search = (more: object) =>
    send("POST", "/v2/market/listings/search", { same_photo_elsewhere: true, limit: 1, ...more });
  const photo = await aPicture(1);
  for (const n of [1, 2]) await post(`AA0${n}`, photo, { sender: dealer(n) });
  await fetchAll(options);
  const first = await search({});

  await post("AA03", photo, { sender: dealer(3) });
  await fetchAll(options);
  clock.advance(2_000);
  const cursor = first.body.next_cursor;
  const second = await search({ cursor });

  assert.equal(second.status, 200);
  assert.notEqual(second.body.items[0].id, first.body.items[0].id);
  assert.equal((await search({ cursor, same_photo_elsewhere: false })).status, 400);
});

test("a picture that stayed in the queue for hours is fetched for who asks for it", async (t) => {
  const { db, call, clock, options, post } = await open(t);
  await post("AA01", await aPicture(1));
  for (const each of [clock, options.clock]) each.advance(2 * 3_600_000);
  const [media] = await db.query<{ id: string }>(sql`select id from media limit 1`);

  const asked = call("GET", `/v2/media/${media?.id}`);
  await until(async () => (await fetchAll(options)).includes("stored"));

  assert.equal((await asked).status, 200);
});

test("without a gateway no one waits for a picture", async (t) => {
  const { db, call } = await openTestApp(t, { environment: { ASSAY_MEDIA: "on" } });
  await process(db, [aPictureEvent({ rawId: "AA01", text: ASK })]);
  const [media] = await db.query<{ id: string }>(sql`select id from media limit 1`);

  const { status, body } = await call("GET", `/v2/media/${media?.id}`);

  assert.equal(status, 404);
  assert.match(body.error.message, /ASSAY_WAHA_URL is not set/);
});

test("filters of alerts, views and configurations refuse the same photo", async (t) => {
  const { send } = await open(t);
  const filters = { same_photo_elsewhere: true };

  const search = await send("POST", "/v2/market/listings/search", { filters });
  const alert = await send("POST", "/v2/alerts", { name: "x", filters });

  for (const { status, body } of [search, alert]) {
    assert.equal(status, 400);
    assert.match(body.error.message, /same_photo_elsewhere/);
  }
});
