import assert from "node:assert/strict";
import { test } from "node:test";
import type { DatabasePool } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import { process } from "../../support/drain.ts";
import { correct } from "../../support/listings.ts";
import { applyTexts } from "../../support/manifest.ts";
import { openTestDatabase } from "../../support/test-database.ts";
import {
  aMessageEvent,
  anEditEvent,
  aRevokeEvent,
  SESSION_A,
  SESSION_B,
} from "../../support/waha.ts";

const AT_S = 1_787_217_330;
const post = (text = "WTS 126610LN 2024 full set €12,500", more = {}) =>
  aMessageEvent({ rawId: "POST", text, atS: AT_S, ...more });
const reply = (text: string, more = {}) =>
  aMessageEvent({ rawId: "REPLY", text, atS: AT_S + 600, replyTo: "POST", ...more });
const OTHER = { phone: "447700900199", lid: "199900000000299", name: "Ann B." };

test("a reply to the sender's own post gives the status or the ask, on every engine", async (t) => {
  const engines = ["GOWS", "NOWEB", "WEBJS", "WPP"] as const;
  for (const engine of engines) {
    const { pool } = await openTestDatabase(t);
    const session = { ...SESSION_A, engine };
    await process(pool, [post(undefined, { session }), reply("now 12,100", { session })]);
    const lowered = await listListings(pool);
    await process(pool, [reply("SOLD", { session, rawId: "REPLY2", atS: AT_S + 900 })]);

    assert.deepEqual(lowered, ["126610LN 12100 EUR (reply)"], engine);
    assert.deepEqual(await listListings(pool), ["126610LN 12100 EUR (reply) sold (reply) hidden"]);
  }
});

test("it does not matter whether the post or the reply comes first", async (t) => {
  const events = [post(), reply("126610LN now 12,100"), reply("SOLD", { rawId: "R2" })];
  for (const order of [events, events.toReversed()]) {
    const { pool } = await openTestDatabase(t);
    for (const event of order) await process(pool, [event]);

    assert.deepEqual(await listListings(pool), ["126610LN 12100 EUR (reply) sold (reply) hidden"]);
  }
});

test("a reply of someone else, to another post or in another group changes nothing", async (t) => {
  const { pool } = await openTestDatabase(t);

  await process(pool, [
    post(),
    reply("SOLD", { sender: OTHER }),
    reply("SOLD", { rawId: "R2", replyTo: "ANOTHER" }),
    reply("SOLD", { rawId: "R3", group: "120363000000000102@g.us" }),
  ]);

  assert.deepEqual(await listListings(pool), ["126610LN 12500 EUR"]);
});

test("a sender whom the reply names by phone and the post by LID is one person once they are a pair", async (t) => {
  const { pool } = await openTestDatabase(t);
  await process(pool, [
    post(undefined, { addressing: "lid" }),
    reply("SOLD", { addressing: "phone" }),
  ]);
  const before = await listListings(pool);

  await process(pool, [aMessageEvent({ rawId: "HELLO", text: "hello", addressing: "both" })]);

  assert.deepEqual(before, ["126610LN 12500 EUR"]);
  assert.deepEqual(await listListings(pool), ["126610LN 12500 EUR sold (reply) hidden"]);
});

test("an edited reply counts with its new text, and a revoked one not at all", async (t) => {
  const { pool } = await openTestDatabase(t);
  await process(pool, [post(), reply("SOLD")]);

  await process(pool, [anEditEvent({ rawId: "REPLY", text: "now 12,100", atS: AT_S + 700 })]);
  const edited = await listListings(pool);
  await process(pool, [aRevokeEvent({ rawId: "REPLY", atS: AT_S + 800 })]);

  assert.deepEqual(edited, ["126610LN 12100 EUR (reply)"]);
  assert.deepEqual(await listListings(pool), ["126610LN 12500 EUR"]);
});

test("of several watches a reply is about the one whose reference it names", async (t) => {
  const { pool } = await openTestDatabase(t);
  const text = "126610LN 2024 €12,500\n126710BLRO 2023 €17,500";
  await process(pool, [post(text), reply("SOLD")]);
  const unnamed = await listListings(pool);

  await process(pool, [
    reply("126710 sold", { rawId: "R2" }),
    reply("126610LN €12,000\n126710BLRO €17,000", { rawId: "R3", atS: AT_S + 700 }),
  ]);

  assert.deepEqual(unnamed, ["126610LN 12500 EUR", "126710BLRO 17500 EUR"]);
  assert.deepEqual(await listListings(pool), [
    "126610LN 12000 EUR",
    "126610LN 12500 EUR",
    "126710BLRO 17000 EUR",
    "126710BLRO 17500 EUR sold (reply) hidden",
  ]);
});

test("a reply that names another watch is a post of its own, and one that names the watch is not", async (t) => {
  const { pool } = await openTestDatabase(t);

  await process(pool, [
    post(),
    reply("126710BLRO 2023 €17,500"),
    reply("126610LN 2024 €12,100", { rawId: "R2" }),
  ]);
  const replied = await listListings(pool);
  await process(pool, [aRevokeEvent({ rawId: "POST", atS: AT_S + 800 })]);

  assert.deepEqual(replied, ["126610LN 12100 EUR (reply)", "126710BLRO 17500 EUR"]);
  // Without its post the reply is an offer by itself.
  assert.deepEqual(await listListings(pool), [
    "126610LN 12100 EUR",
    "126610LN 12500 EUR revoked",
    "126710BLRO 17500 EUR",
  ]);
});

test("a later post of the text is a new offer, in whichever group", async (t) => {
  const { pool } = await openTestDatabase(t);
  await process(pool, [post(), reply("SOLD")]);

  const again = { rawId: "AGAIN", group: "120363000000000102@g.us", atS: AT_S + 1_200 };
  await process(pool, [post(undefined, again)]);
  const offered = await listListings(pool);
  await process(pool, [reply("now 11,900", { ...again, rawId: "R2", replyTo: "AGAIN" })]);

  assert.deepEqual(offered, ["126610LN 12500 EUR"]);
  assert.deepEqual(await listListings(pool), ["126610LN 11900 EUR (reply)"]);
});

test("an amount without a currency is in that of the ask, at the rate of the reply's day", async (t) => {
  const { pool } = await openTestDatabase(t);
  await pool.execute(sql`
    insert into fx_rate (currency, day, kind, per_eur)
    values ('HKD', '2026-08-20', 'declared', 10), ('HKD', '2026-08-21', 'declared', 8)`);
  const day = (reply("").payload as { timestamp: number }).timestamp + 86_400;

  await process(pool, [
    post("126610LN 2024 HKD 100,000", { session: SESSION_B }),
    reply("last price 96,000", { session: SESSION_B, atS: day }),
  ]);

  const [row] = await pool.query<{ price_eur_minor: number; asks: unknown }>(
    sql`select price_eur_minor, asks from listing`,
  );
  assert.equal(row?.price_eur_minor, 1_200_000);
  assert.deepEqual(row.asks, [
    {
      asked_at_ms: AT_S * 1000,
      amount_minor: 10_000_000,
      currency: "HKD",
      eur_minor: 1_000_000,
      is_reply: false,
    },
    {
      asked_at_ms: day * 1000,
      amount_minor: 9_600_000,
      currency: "HKD",
      eur_minor: 1_200_000,
      is_reply: true,
    },
  ]);
});

test("a correction wins over a reply, and a reply over the text", async (t) => {
  const { pool } = await openTestDatabase(t);
  await process(pool, [post("126610LN 2024 €12,500 SOLD"), reply("on hold, price 12,100")]);
  const replied = await listListings(pool);
  const [row] = await pool.query<{ id: string }>(sql`select id from listing`);
  const price = { amount_minor: 1_230_000, currency: "EUR" };

  await correct(pool, row?.id ?? "", { price, status: null });
  await process(pool, [reply("SOLD at 11,000", { rawId: "R2", atS: AT_S + 900 })]);

  assert.deepEqual(replied, ["126610LN 12100 EUR (reply) on_hold (reply) hidden"]);
  assert.deepEqual(await listListings(pool), ["126610LN 12300 EUR"]);
});

test("a changed rate of the reply's day changes the price in euros", async (t) => {
  const { pool } = await openTestDatabase(t);
  const day = AT_S + 86_400;
  await process(pool, [
    post("126610LN 2024 HKD 100,000"),
    reply("96,000", { atS: day }),
    reply("now 95,000", { rawId: "R2", atS: day + 60 }),
  ]);

  await applyTexts(pool, "fx_rates: [{currency: HKD, date: 2026-08-21, per_eur: 9.5}]");
  await process(pool, []);

  const [row] = await pool.query<{ price_eur_minor: number }>(
    sql`select price_eur_minor from listing`,
  );
  assert.equal(row?.price_eur_minor, 1_000_000);
});

test("a reply to an update changes nothing, and one to an answer to someone else does", async (t) => {
  const { pool } = await openTestDatabase(t);
  const wanted = aMessageEvent({
    rawId: "WTB",
    text: "anyone 126610LN?",
    sender: OTHER,
    atS: AT_S,
  });

  await process(pool, [
    wanted,
    post(undefined, { replyTo: "WTB" }),
    reply("126610LN now 12,100"),
    reply("126610LN now €11,000", { rawId: "R2", replyTo: "REPLY", atS: AT_S + 900 }),
  ]);

  assert.deepEqual(await listListings(pool), [
    "126610LN",
    "126610LN 11000 EUR",
    "126610LN 12100 EUR (reply)",
  ]);
});

test("a text that is posted and replied with is a post, and so is a long one", async (t) => {
  const { pool } = await openTestDatabase(t);
  const text = "126610LN 2023 €12,100";
  const long = `126610LN 2022 €11,900\n${"good watch ".repeat(400)}`;

  await process(pool, [
    post(),
    reply(text),
    aMessageEvent({ rawId: "P2", text, group: "120363000000000102@g.us", atS: AT_S + 700 }),
    reply(long, { rawId: "R2" }),
  ]);

  assert.deepEqual(await listListings(pool), [
    "126610LN 11900 EUR",
    "126610LN 12100 EUR",
    "126610LN 12100 EUR (reply)",
  ]);
});

test("a reply reads and writes only the listings of the post that it quotes", async (t) => {
  const { pool } = await openTestDatabase(t);
  await process(pool, [
    post(),
    reply("SOLD"),
    aMessageEvent({ rawId: "P2", text: "126710BLRO 2023 €17,500", atS: AT_S }),
  ]);
  await pool.execute(sql`update listing set updated_at_ms = 1`);

  await process(pool, [reply("SOLD", { rawId: "R2", replyTo: "P2" })]);

  const rows = await pool.query<{ reference: string }>(
    sql`select reference from listing where updated_at_ms > 1`,
  );
  assert.deepEqual(rows, [{ reference: "126710BLRO" }]);
});

/** Each listing in words, in their alphabetical order. */
async function listListings(pool: DatabasePool): Promise<readonly string[]> {
  const rows = await pool.query<{ words: string }>(sql`
    select concat_ws(' ', reference, price_amount_minor / 100, price_currency,
                     case sources ->> 'price' when 'reply' then '(reply)' end, status,
                     case sources ->> 'status' when 'reply' then '(reply)' end,
                     case when is_hidden then 'hidden' end, case when is_revoked then 'revoked' end) as words
      from listing
     order by 1`);
  return rows.map(({ words }) => words);
}
