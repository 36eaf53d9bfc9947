import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../../src/db/sql.ts";
import { changeRates } from "../../../src/pipeline/change-rates.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken, NOW_MS } from "../../support/test-app.ts";

const day = (text: string) => Date.parse(`${text}T00:00:00Z`);

test("a rate has its kind, age and precedence", async (t) => {
  const app = await borrowTestApp(t);
  await app.db.transaction(async (tx) => {
    await changeRates(tx, [{ day: "2026-11-13", currency: "USD", per_eur: "1.0823" }], "ecb");
    await changeRates(tx, [{ day: "2026-11-13", currency: "USD", per_eur: "1.09" }]);
  });

  const { status, body } = await app.call(
    "GET",
    `/v2/fx-rates?currency=usd&from_ms=${day("2026-11-13")}`,
  );
  const usdt = await app.call("GET", "/v2/fx-rates?currency=USDT&limit=1");

  assert.equal(status, 200);
  assert.deepEqual(body, {
    items: ["ecb", "declared"].map((kind) => ({
      currency: "USD",
      day_start_ms: day("2026-11-13"),
      kind,
      per_eur: kind === "ecb" ? "1.0823" : "1.09",
      age_days: 2,
      is_used: kind === "declared",
      is_approximate: false,
    })),
  });
  assert.equal(usdt.body.items[0].kind, "pegged");
  assert.equal(usdt.body.items[0].is_approximate, true);
});

test("the newest rate of each currency is listed once", async (t) => {
  const app = await borrowTestApp(t);
  await app.db.execute(sql`delete from fx_rate`);
  await app.db.transaction(async (tx) => {
    await changeRates(tx, [{ day: "2026-11-13", currency: "USD", per_eur: "1.3" }], "ecb");
    await changeRates(tx, [
      { day: "2026-11-13", currency: "USD", per_eur: "1.1" },
      { day: "2026-11-12", currency: "USD", per_eur: "1.2" },
      { day: "2020-01-01", currency: "GBP", per_eur: "0.9" },
    ]);
  });
  const listed: string[] = [];
  for (let cursor = ""; ; ) {
    const { body } = await app.call("GET", `/v2/fx-rates?is_latest=true&limit=1${cursor}`);
    for (const { currency, per_eur, is_used } of body.items) {
      assert.equal(is_used, true);
      listed.push(`${currency} ${per_eur}`);
    }
    if (body.next_cursor === undefined) break;
    cursor = `&cursor=${body.next_cursor}`;
  }

  // Currencies that are pegged to the dollar follow it.
  const declared = listed.filter((rate) => /^(?:USD|GBP) /.test(rate));
  assert.deepEqual(declared, ["USD 1.1", "GBP 0.9"]);
  const currencies = listed.map((rate) => rate.split(" ")[0]);
  assert.equal(new Set(currencies).size, currencies.length);
});

test("a walk visits each rate once, the latest day first; times bound the days", async (t) => {
  const app = await borrowTestApp(t);
  await app.db.execute(sql`delete from fx_rate`);
  await app.db.transaction((tx) =>
    changeRates(tx, [
      { day: "2026-11-13", currency: "USD", per_eur: "1.1" },
      { day: "2026-11-12", currency: "USD", per_eur: "1.2" },
      { day: "2026-11-12", currency: "GBP", per_eur: "0.9" },
    ]),
  );
  const stored = await app.db.query<{ key: string }>(sql`
    select concat_ws(' ', day, currency, kind) as key from fx_rate order by day desc, currency, kind`);
  const keysOf = (items: readonly { day_start_ms: number; currency: string; kind: string }[]) =>
    items.map((item) =>
      [new Date(item.day_start_ms).toISOString().slice(0, 10), item.currency, item.kind].join(" "),
    );
  const walked: string[] = [];
  for (let cursor = ""; ; ) {
    const { body } = await app.call("GET", `/v2/fx-rates?limit=3${cursor}`);
    walked.push(...keysOf(body.items));
    if (body.next_cursor === undefined) break;
    cursor = `&cursor=${body.next_cursor}`;
  }
  const bounded = await app.call(
    "GET",
    `/v2/fx-rates?currency=USD&from_ms=${day("2026-11-12") + 5}&to_ms=${day("2026-11-12") + 6}`,
  );

  assert.ok(walked.length > 6);
  assert.deepEqual(
    walked,
    stored.map(({ key }) => key),
  );
  assert.deepEqual(keysOf(bounded.body.items), ["2026-11-12 USD declared"]);
});

test("no rate is an empty page; bad queries and cursors of another query are refused", async (t) => {
  const app = await borrowTestApp(t);
  await app.db.transaction((tx) =>
    changeRates(tx, [
      { day: "2026-11-13", currency: "USD", per_eur: "1.1" },
      { day: "2026-11-12", currency: "USD", per_eur: "1.2" },
    ]),
  );
  const { body } = await app.call("GET", "/v2/fx-rates?currency=USD&limit=1");
  const readOnly = { authorization: `Bearer ${await addToken(app.db, { isReadOnly: true })}` };
  const empty = await app.call("GET", `/v2/fx-rates?from_ms=${NOW_MS * 100}`, readOnly);
  const early = await app.call("GET", `/v2/fx-rates?to_ms=${-Number.MAX_SAFE_INTEGER}`);

  assert.deepEqual(empty.body, { items: [] });
  assert.deepEqual(early.body, { items: [] });
  for (const query of [
    "currency=US",
    "currency=U$D",
    "from_ms=x",
    "limit=0",
    "limit=201",
    "cursor=x",
    `currency=GBP&cursor=${body.next_cursor}`,
    `from_ms=1&currency=USD&cursor=${body.next_cursor}`,
  ]) {
    assert.equal((await app.call("GET", `/v2/fx-rates?${query}`)).status, 400, query);
  }
});
