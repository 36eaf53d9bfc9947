import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "../../../src/db/sql.ts";
import { process } from "../../support/drain.ts";
import { callAssay } from "../../support/run-assay.ts";
import { borrowTestDatabase } from "../../support/shared-store.ts";
import { NOW_MS } from "../../support/test-app.ts";
import { aMessageEvent } from "../../support/waha.ts";

test("deals are decided, listed, shown and summed up; what set does not name stays", async (t) => {
  const { pool, url } = await borrowTestDatabase(t);
  const environment = { DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "true" };
  const run = (...words: readonly string[]) => callAssay(["deals", ...words], environment);
  const text = "WTS Rolex 126610LN 2024 full set EUR 10,000";
  await process(pool, [aMessageEvent({ rawId: "A1", text, atS: NOW_MS / 1000 - 3_600 })]);
  const [row] = await pool.query<{ id: string }>(sql`select id from listing`);
  const id = row?.id ?? "";

  const none = await run("list");
  const offered = await run("set", id, "offered", "--offer", "9500.50EUR", "--note", "by phone");
  const bought = await run(
    "set",
    id,
    "bought",
    "--paid",
    "9500EUR@2026-11-10",
    "--cost",
    "20",
    "--json",
  );
  const sold = await run("set", id, "bought", "--sold", "10000EUR@2026-11-12");
  const list = await run("list", "--state", "bought", "--json");
  const shown = await run("show", id);
  const summary = await run("summary", "--from", "2026-11-10", "--to", "2026-11-10", "--json");
  const before = await run("summary", "--to", "2026-11-09", "--json");

  assert.equal(none.out, "no deals\n");
  assert.equal(offered.code, 0, offered.err);
  assert.equal(JSON.parse(bought.out).note, "by phone");
  assert.deepEqual(JSON.parse(bought.out).offer, { amount_minor: 950_050, currency: "EUR" });
  assert.equal(sold.code, 0, sold.err);
  assert.equal(JSON.parse(list.out).updated_by, "cli");
  assert.match(shown.out, /bought +Rolex 126610LN +10000.00 EUR +9500.00 EUR +10000.00 EUR +cli/);
  assert.match(shown.out, /note: by phone/);
  assert.equal(JSON.parse(summary.out).realised_profit_eur_minor, 48_000);
  assert.equal(JSON.parse(before.out).bought_count, 0);
  assert.match((await run("summary")).out, /realised profit +480.00 EUR/);

  const far = await run("set", id, "offered", "--offer", "28.450 eur", "--json");
  assert.deepEqual(JSON.parse(far.out).offer, { amount_minor: 2_845_000, currency: "EUR" });
  assert.match(far.err, /^warning: offer: 28,450\.00 EUR is more than double the ask$/m);
  const passed = await run("set", id, "passed", "--reason", "gone", "--note", "", "--json");
  assert.deepEqual(
    [JSON.parse(passed.out).paid, JSON.parse(passed.out).note, JSON.parse(passed.out).reason],
    [undefined, undefined, "gone"],
  );
  const unknown = await run("set", randomUUID(), "passed");
  assert.equal(unknown.code, 1);
  assert.match(unknown.err, /there is no listing with this id/);
  assert.equal((await run("show", randomUUID())).code, 1);
  const wrong = [
    [],
    ["list", "x"],
    ["list", "--state", "lost"],
    ["show", "1"],
    ["set", id],
    ["set", id, "lost"],
    ["set", id, "passed", "--reason", "ugly"],
    ["set", id, "offered", "--offer", "12"],
    ["set", id, "offered", "--offer", "12XQZ"],
    ["set", id, "offered", "--offer", "9k to 10k EUR"],
    ["set", id, "bought", "--cost", "20 USD"],
    ["set", id, "bought", "--paid", "12EUR"],
    ["set", id, "bought", "--paid", "12EUR@2026-13-40"],
    ["set", id, "offered", "--note", "x".repeat(2_001)],
    ["summary", "--from", "yesterday"],
    ["delete"],
    ["delete", "1"],
  ];
  for (const words of wrong) assert.equal((await run(...words)).code, 2, words.join(" "));
  assert.equal((await run("set", id, "offered", "--cost", "5")).code, 1, "only what is bought");
});

test("a deal is given to a person by name, listed by person, and deleted", async (t) => {
  const { pool, url } = await borrowTestDatabase(t);
  const environment = { DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "true" };
  const run = (...words: readonly string[]) => callAssay(["deals", ...words], environment);
  await process(pool, [
    aMessageEvent({ rawId: "A1", text: "WTS Rolex 126610LN 2024 full set EUR 10,000" }),
  ]);
  const [row] = await pool.query<{ id: string }>(sql`select id from listing`);
  const id = row?.id ?? "";
  for (const name of ["Anna", "Ben"]) {
    const token = ["token", "create", "--name", name, "--role", "desk"];
    assert.equal((await callAssay(token, environment)).code, 0);
  }

  const given = await run("set", id, "offered", "--assignee", "Anna", "--json");
  const countOf = async (name: string) => {
    const { out } = await run("list", "--assignee", name, "--json");
    const summary = await run("summary", "--assignee", name, "--json");
    return [out.split("\n").length - 1, JSON.parse(summary.out).by_state.offered];
  };

  assert.equal(JSON.parse(given.out).assignee_name, "Anna");
  assert.deepEqual(
    [await countOf("Anna"), await countOf("Ben")],
    [
      [1, 1],
      [0, 0],
    ],
  );
  const unknown = await run("set", id, "offered", "--assignee", "Eve");
  assert.equal(unknown.code, 1);
  assert.match(unknown.err, /no token with the name "Eve"/);

  await callAssay(["token", "revoke", "Anna"], environment);
  const later = await run("set", id, "contacted", "--json");
  assert.equal(JSON.parse(later.out).assignee_name, "Anna", "who works on it stays");
  const nobody = await run("set", id, "contacted", "--assignee", "", "--json");
  assert.equal(JSON.parse(nobody.out).assignee, undefined);
  assert.equal((await run("set", id, "contacted", "--assignee", "Anna")).code, 1);

  assert.match((await run("delete", id)).out, /^deleted: contacted/);
  assert.equal((await run("show", id)).code, 1);
  assert.match((await run("delete", id)).err, /nothing was decided/);
});

test("what people write does not control the terminal", async (t) => {
  const { pool, url } = await borrowTestDatabase(t);
  const environment = { DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "true" };
  await process(pool, [
    aMessageEvent({ rawId: "A1", text: "WTS Rolex 126610LN 2024 full set EUR 10,000" }),
  ]);
  const [row] = await pool.query<{ id: string }>(sql`select id from listing`);
  const note = "by \u001b[31mphone\u202e\nnext\r\u0007<b>é👩‍👧</b>";
  const words = ["deals", "set", row?.id ?? "", "offered", "--note", note];

  const shown = await callAssay(words, environment);
  const raw = await callAssay(["deals", "show", row?.id ?? "", "--json"], environment);

  assert.match(shown.out, /\nnote: by {1,2}\[31mphone next <b>é👩‍👧<\/b>\n$/);
  assert.equal(JSON.parse(raw.out).note, note, "it is stored as it is");
});
