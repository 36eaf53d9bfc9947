import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../../src/db/sql.ts";
import { saveRawEvents } from "../../../src/intake/raw-event-store.ts";
import { arrive } from "../../support/alerts.ts";
import { process as processEvents, rawEvent } from "../../support/drain.ts";
import { aListingWith } from "../../support/listings.ts";
import { callAssay } from "../../support/run-assay.ts";
import { NOW_MS } from "../../support/test-app.ts";
import { openTestDatabase } from "../../support/test-database.ts";
import { aMessageEvent, envelope, GROUP, SESSION_A } from "../../support/waha.ts";

test("what could not be processed is listed, shown, retried and dropped, and doctor is content again", {
  timeout: 120_000,
}, async (t) => {
  const { pool, url } = await openTestDatabase(t);
  const environment = { DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "true" };
  const run = (...words: readonly string[]) => callAssay(["quarantine", ...words], environment);
  await pool.script(`
    alter table occurrence add constraint refused check (raw_id not like 'BAD%');
    alter table fresh_listing add constraint refused check (false)`);
  await saveRawEvents(pool, [rawEvent("this is not JSON")], "window");
  await arrive(pool, [aListingWith()]);
  await processEvents(pool, [aMessageEvent({ rawId: "BAD1", text: "126610LN 98k" })]);

  const listed = await run("list", "--json");
  const ids = listed.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const refused = ids.find(({ reason }) => reason === "failed: 23514")?.id ?? "";
  const malformed = ids.find(({ id }) => id.startsWith("event-") && id !== refused)?.id ?? "";
  const sick = await callAssay(["doctor"], environment);
  const shown = await run("show", refused);
  const failedAgain = await run("retry", refused);
  await pool.script(`
    alter table occurrence drop constraint refused; alter table fresh_listing drop constraint refused`);
  const dropped = await run("drop", malformed);
  const retried = await run("retry", "--all");
  const empty = await run("list");
  const well = await callAssay(["doctor"], environment);

  assert.equal(ids.length, 3);
  assert.match(sick.out, /BAD +quarantine: 1 events \(failed: 23514\).*assay quarantine list/);
  assert.match(sick.out, /BAD +pipeline: 1 items of "match listings" failed/);
  assert.match(shown.out, /126610LN 98k/);
  assert.deepEqual([failedAgain.out, failedAgain.code], ["0 processed, 1 failed again\n", 1]);
  assert.deepEqual([retried.out, retried.code], ["2 processed, 0 failed again\n", 0]);
  assert.equal((await pool.query(sql`select from occurrence where raw_id = 'BAD1'`)).length, 1);
  assert.deepEqual([dropped.out, dropped.code], ["1 dropped\n", 0]);
  assert.equal(empty.out, "the quarantine is empty\n");
  assert.match(well.out, /ok +quarantine: empty\n/);
  assert.match(well.out, /ok +pipeline: no item is set aside\n/);
});

test("a retry says of which events no body was kept, and reads only the others again", async (t) => {
  const { pool, url } = await openTestDatabase(t);
  const environment = { DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "true" };
  const novelty = (payload: object) => envelope(SESSION_A, NOW_MS, "pairing.novelty", payload);
  await processEvents(pool, [
    novelty({ chatId: GROUP }),
    novelty({ number: "447700900199", name: "my secret" }),
    novelty({ code: "my secret" }),
  ]);

  const kept = await pool.query(sql`select from raw_event where body is not null`);
  const retried = await callAssay(["quarantine", "retry", "--all"], environment);
  const left = await pool.query(sql`select from quarantined_event`);

  assert.equal(kept.length, 1);
  assert.match(retried.out, /^0 processed, 1 failed again\n2 had no body left to read: /);
  assert.equal(retried.code, 1);
  assert.equal(left.length, 1);
});

test("wrong arguments of quarantine are refused before a store is opened", async () => {
  for (const words of [[], ["retry"], ["drop"], ["show"], ["show", "7"], ["retry", "x-1"], ["x"]]) {
    const { code } = await callAssay(["quarantine", ...words]);
    assert.equal(code, 2, words.join(" "));
  }
});
