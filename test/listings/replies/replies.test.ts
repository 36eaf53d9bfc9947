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

/** A reply to the message with the raw id `to`, some minutes after the first reply. */
const below = (to: string, rawId: string, text: string, more = {}) =>
  reply(text, { rawId, replyTo: to, atS: AT_S + 600 + Number(rawId.slice(1)) * 60, ...more });

test("a reply to an update counts for the post, whichever of the three comes last", async (t) => {
  const events = [post(), reply("126610LN now 12,100"), below("REPLY", "R2", "SOLD")] as const;
  const [first, second, third] = events;
  for (const order of [events, [third, second, first], [third, first, second]]) {
    const { pool } = await openTestDatabase(t);
    for (const event of order) await process(pool, [event]);

    assert.deepEqual(await listListings(pool), ["126610LN 12100 EUR (reply) sold (reply) hidden"]);
  }
});

test("a reply to an update that names no watch is about the watch of the update", async (t) => {
  const { pool } = await openTestDatabase(t);
  const text = "126610LN 2024 €12,500\n126710BLRO 2023 €17,500\n126500LN 2022 €25,000";

  await process(pool, [
    post(text),
    reply("126710 now 17,000"),
    below("REPLY", "R2", "still available"),
    below("R2", "R3", "SOLD"),
    below("R2", "R4", "126500LN now €24,000"),
  ]);

  assert.deepEqual(await listListings(pool), [
    "126500LN 24000 EUR (reply)",
    "126610LN 12500 EUR",
    "126710BLRO 17000 EUR (reply) sold (reply) hidden",
  ]);
});

test("a reply to a reply that offers another watch counts for that one", async (t) => {
  const { pool } = await openTestDatabase(t);

  await process(pool, [
    post(),
    reply("126710BLRO 2023 €17,500"),
    below("REPLY", "R2", "126710 now 17,000"),
    below("R2", "R3", "SOLD"),
    // It names both: a reply that names neither could mean either.
    below("POST", "R4", "126610LN now 12,000\n126500LN 2022 €25,000"),
    below("R4", "R5", "SOLD"),
  ]);

  assert.deepEqual(await listListings(pool), [
    "126500LN 25000 EUR",
    "126610LN 12000 EUR (reply)",
    "126710BLRO 17000 EUR (reply) sold (reply) hidden",
  ]);
});

test("an answer to someone else is a post, and what others write is no link", async (t) => {
  const { pool } = await openTestDatabase(t);

  await process(pool, [
    aMessageEvent({ rawId: "WTB", text: "anyone 126610LN?", sender: OTHER, atS: AT_S }),
    post(undefined, { replyTo: "WTB" }),
    reply("126610LN now 12,100"),
    below("REPLY", "R2", "still available?", { sender: OTHER }),
    below("R2", "R3", "SOLD"),
    below("REPLY", "R4", "now 1,000", { sender: OTHER }),
  ]);

  assert.deepEqual(await listListings(pool), ["126610LN", "126610LN 12100 EUR (reply)"]);
});

test("a revoked link ends the chain, and an edited one counts with its new text", async (t) => {
  const { pool } = await openTestDatabase(t);
  const text = "126610LN 2024 €12,500\n126710BLRO 2023 €17,500";
  await process(pool, [
    post(text),
    reply("126710 still available"),
    below("REPLY", "R2", "now 12,000"),
    below("R2", "R3", "126610LN SOLD"),
  ]);
  const first = await listListings(pool);
  const edit = { rawId: "REPLY", text: "126610LN still available", atS: AT_S + 700 };
  await process(pool, [anEditEvent(edit)]);
  const edited = await listListings(pool);

  await process(pool, [aRevokeEvent({ rawId: "R2", atS: AT_S + 900 })]);

  const sold = "126610LN 12500 EUR sold (reply) hidden";
  assert.deepEqual(first, [sold, "126710BLRO 12000 EUR (reply)"]);
  assert.deepEqual(edited, [
    "126610LN 12000 EUR (reply) sold (reply) hidden",
    "126710BLRO 17500 EUR",
  ]);
  assert.deepEqual(await listListings(pool), [
    "126610LN 12500 EUR",
    "126610LN sold hidden",
    "126710BLRO 17500 EUR",
  ]);
});

test("a chain has at most four links, and becomes too long if its post turns out to be a reply", async (t) => {
  const { pool } = await openTestDatabase(t);
  const chain = [
    reply("now 12,400"),
    below("REPLY", "R2", "now 12,300"),
    below("R2", "R3", "now 12,200"),
    below("R3", "R4", "126610LN now €12,100"),
    below("R4", "R5", "126610LN now €12,000"),
  ];
  await process(pool, [...chain, post(undefined, { replyTo: "FIRST" })]);
  const counted = await listListings(pool);

  await process(pool, [aMessageEvent({ rawId: "FIRST", text: "good morning", atS: AT_S - 60 })]);

  assert.deepEqual(counted, ["126610LN 12000 EUR", "126610LN 12100 EUR (reply)"]);
  assert.deepEqual(await listListings(pool), [
    "126610LN 12000 EUR",
    "126610LN 12100 EUR",
    "126610LN 12200 EUR (reply)",
  ]);
});

test("a chain whose links name the sender by phone and by LID counts once they are a pair", async (t) => {
  const { pool } = await openTestDatabase(t);
  await process(pool, [
    post(undefined, { addressing: "lid" }),
    reply("126610LN now 12,100", { addressing: "phone" }),
    below("REPLY", "R2", "SOLD", { addressing: "lid" }),
  ]);
  const before = await listListings(pool);

  await process(pool, [aMessageEvent({ rawId: "HELLO", text: "hello", addressing: "both" })]);

  assert.deepEqual(before, ["126610LN", "126610LN 12500 EUR"]);
  assert.deepEqual(await listListings(pool), ["126610LN 12100 EUR (reply) sold (reply) hidden"]);
});

test("an update whose text was edited before its post came, or that was revoked, is no offer", async (t) => {
  for (const change of [
    anEditEvent({ rawId: "REPLY", text: "SOLD", atS: AT_S + 700 }),
    aRevokeEvent({ rawId: "REPLY", atS: AT_S + 700 }),
  ]) {
    const states: unknown[] = [];
    const events = [post(), reply("126610LN 2024 €12,100"), change];
    for (const order of [events, [...events.slice(1), post()]]) {
      const { pool } = await openTestDatabase(t);
      for (const event of order) await process(pool, [event]);
      states.push(await listListings(pool));
    }

    assert.deepEqual(states[1], states[0]);
  }
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
