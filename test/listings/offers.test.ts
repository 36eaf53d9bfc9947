import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS, HOUR_MS } from "../../src/base/clock.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { findOffers, findReplaced, findReplacements } from "../../src/listings/offers.ts";
import { process } from "../support/drain.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { NOW_MS } from "../support/test-app.ts";
import { aMessageEvent, anEditEvent, aRevokeEvent } from "../support/waha.ts";

const WATCH = "126610LN 2024 new full set";
const OTHER = { phone: "447700900456", lid: "199900000000456", name: "Other" };

/** A post so many hours before now. */
function post(rawId: string, text: string, hoursAgo: number, more: object = {}) {
  return aMessageEvent({ rawId, text, atS: (NOW_MS - hoursAgo * HOUR_MS) / 1000, ...more });
}

/** By ask, in the order of the first posts: what is said of it. */
async function showOffers(pool: DatabasePool): Promise<readonly string[]> {
  const rows = await pool.query<{ id: string; ask: string }>(sql`
    select id, price_currency || ' ' || price_amount_minor / 100 as ask
      from listing order by message_timestamp_ms, line`);
  const ids = rows.map(({ id }) => id);
  const offers = await findOffers(pool, ids, NOW_MS);
  const replaced = await findReplaced(pool, ids);
  const replacements = await findReplacements(pool, ids);
  return rows.map(({ id, ask }) => {
    const { offer_state, post_count } = offers.get(id) ?? {};
    if (offer_state === "replaced") assert.ok((replacements.get(id)?.length ?? 0) > 0);
    if (offer_state !== "gone") assert.equal(replaced.has(id), offer_state === "replaced");
    return `${ask}: ${offer_state}, ${post_count}`;
  });
}

test("an ask was seen today, lately, or long ago", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [
    post("A", "126610LN 2024 new EUR 10,000", 24),
    post("B", "126500LN 2024 new EUR 27,000", 25),
    post("C", "126710BLRO 2024 new EUR 17,000", 7 * 24),
    post("D", "116500LN 2020 used EUR 22,000", 7 * 24 + 1),
  ]);

  assert.deepEqual(await showOffers(pool), [
    "EUR 22000: quiet, 1",
    "EUR 17000: recent, 1",
    "EUR 27000: recent, 1",
    "EUR 10000: today, 1",
  ]);
});

test("a later ask of the dealer replaces it, whether raised or lowered, and a repeat counts as a post", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [
    post("A", `${WATCH} EUR 10,000`, 5),
    post("B", `Available ${WATCH} EUR 10,000`, 4),
    post("C", `${WATCH} EUR 10,400`, 3),
    post("D", `${WATCH} EUR 9,900`, 2),
    post("E", `${WATCH} EUR 10,000`, 6, { sender: OTHER }),
  ]);

  assert.deepEqual(await showOffers(pool), [
    "EUR 10000: today, 1",
    "EUR 10000: replaced, 2",
    "EUR 10000: replaced, 2",
    "EUR 10400: replaced, 1",
    "EUR 9900: today, 1",
  ]);
});

test("the old message posted again stands again, and what replaced it is replaced", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [
    post("A", `${WATCH} EUR 10,000`, 5),
    post("B", `${WATCH} EUR 9,800`, 4),
    post("C", `${WATCH} EUR 10,000`, 3),
  ]);

  assert.deepEqual(await showOffers(pool), ["EUR 10000: today, 2", "EUR 9800: replaced, 1"]);
});

test("two asks in one message are two watches, and an ask in another currency or for another watch replaces none", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [
    post("A", `${WATCH} EUR 10,000\n${WATCH} EUR 10,300`, 5),
    post("B", `${WATCH} USD 11,000`, 4),
    post("C", "126610LN 2023 new full set EUR 9,000", 3),
    post("D", `WTB ${WATCH} EUR 9,500`, 2),
  ]);

  assert.deepEqual(await showOffers(pool), [
    "EUR 10000: today, 1",
    "EUR 10300: today, 1",
    "USD 11000: today, 1",
    "EUR 9000: today, 1",
    "EUR 9500: today, 1",
  ]);
});

test("a reply that changes the ask counts as said then, and a sold one is gone", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [
    post("A", `${WATCH} EUR 10,000`, 9),
    post("B", `${WATCH} EUR 10,400`, 8),
    post("R", "now 9,700", 7, { replyTo: "A" }),
    post("S", "126500LN 2024 new EUR 27,000", 6),
    post("T", "sold", 5, { replyTo: "S" }),
  ]);

  assert.deepEqual(await showOffers(pool), [
    "EUR 9700: today, 1",
    "EUR 10400: replaced, 1",
    "EUR 27000: gone, 1",
  ]);
});

test("a revoked ask is gone and replaces nothing, and an edited one is an ask of its message", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [
    post("A", `${WATCH} EUR 10,000`, 9),
    post("B", `${WATCH} EUR 9,500`, 8),
    post("C", "126500LN 2024 new EUR 27,000", 7),
  ]);
  const before = await showOffers(pool);

  await process(pool, [
    aRevokeEvent({ rawId: "B", atS: NOW_MS / 1000 }),
    anEditEvent({ rawId: "C", text: "126500LN 2024 new EUR 26,000", atS: NOW_MS / 1000 }),
  ]);

  assert.deepEqual(before.slice(0, 2), ["EUR 10000: replaced, 1", "EUR 9500: today, 1"]);
  const after = await showOffers(pool);
  assert.ok(after.includes("EUR 10000: today, 1"));
  assert.ok(after.includes("EUR 26000: today, 1"));
  assert.equal(after.filter((one) => /: (replaced|today)/.test(one)).length, 2);
});

test("a listing that a person corrected away is gone, and an unknown id has no offer", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [post("A", `${WATCH} EUR 10,000`, 9)]);
  await pool.execute(sql`update listing set is_hidden = true`);

  assert.deepEqual(await showOffers(pool), ["EUR 10000: gone, 1"]);
  const unknown = "00000000-0000-4000-8000-000000000000";
  assert.equal((await findOffers(pool, [unknown], NOW_MS + DAY_MS)).size, 0);
});
