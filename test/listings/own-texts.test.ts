import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "../../src/db/database.ts";
import { listMigrations } from "../../src/db/migrate.ts";
import { rawSql, sql } from "../../src/db/sql.ts";
import { aLiveAlert, listStoredMatches } from "../support/alerts.ts";
import { process } from "../support/drain.ts";
import { correct } from "../support/listings.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { NOW_MS } from "../support/test-app.ts";
import { aMessageEvent } from "../support/waha.ts";

const AT_S = NOW_MS / 1000 - 600;
const LIST = "Good morning\n126500LN €24.000\n116610LV €14.500 kurious";

const at = (rawId: string, minutes: number, text: string) =>
  aMessageEvent({ rawId, text, atS: AT_S + minutes * 60 });

test("an update reads stored messages again, the newest first, keeps their ids and fires nothing", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await aLiveAlert(pool, { q: "kurious" });
  await process(pool, [at("A1", 0, LIST), at("A2", 1, "hello"), at("A3", 2, "79030N €2.900")]);
  const [daytona] = await listings(pool);
  await correct(pool, daytona?.id ?? "", { dial_type: "white" });
  await process(pool, []);
  const own = await listings(pool);
  const matches = await listStoredMatches(pool);
  await toOldForm(pool);
  // An alert that the own text fits, and the old one does not.
  await aLiveAlert(pool, { q: "hulk" });
  assert.deepEqual(await findByWord(pool, "kurious"), ["116610LV", "126500LN"]);

  await update(pool);
  const queued = await pool.query(sql`
    select message.text, queued.alert_ms, queued.is_fresh
      from message_queue as queued
      join canonical_message as message on message.id = queued.canonical_message_id
     order by queued.number`);
  const waiting = await findByWord(pool, "kurious");
  await process(pool, []);

  assert.deepEqual(
    [...queued],
    ["79030N €2.900", "hello", LIST].map((text) => ({ text, alert_ms: null, is_fresh: false })),
  );
  assert.deepEqual(waiting, ["116610LV", "126500LN"]);
  assert.deepEqual(await listings(pool), own);
  assert.deepEqual(await findByWord(pool, "kurious"), ["116610LV"]);
  assert.deepEqual(await findByWord(pool, "hulk"), ["116610LV"]);
  assert.equal(matches.length, 1);
  assert.deepEqual(await listStoredMatches(pool), matches);
});

test("a message that waits with an alert window keeps it and its place", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await process(pool, [at("A1", 0, LIST), at("A2", 1, "79030N €2.900")]);
  await pool.execute(sql`
    insert into message_queue (canonical_message_id, alert_ms, is_fresh)
    select id, 1000, true from canonical_message where text = ${LIST}`);

  await update(pool);

  const queued = await pool.query(
    sql`select alert_ms, is_fresh from message_queue order by number`,
  );
  assert.deepEqual(
    [...queued],
    [
      { alert_ms: 1_000, is_fresh: true },
      { alert_ms: null, is_fresh: false },
    ],
  );
});

async function update(db: Database): Promise<void> {
  const migration = listMigrations().find(({ version }) => version === 49);
  await db.execute(rawSql(migration?.sql ?? ""));
}

/** As the release before stored them: the whole text of the message with every listing. */
async function toOldForm(db: Database): Promise<void> {
  await db.execute(sql`
    update listing
       set search_text = concat_ws(E'\n', brand_folded, lower(reference_normalized), lower(${toWords(LIST)})),
           extraction_version = 6
     where canonical_message_id in (select id from canonical_message where text = ${LIST})`);
  await db.execute(
    sql`update message_extraction set extraction_version = 6, catalogue_sha256 = 'x'`,
  );
}

function toWords(text: string): string {
  return text.replace(/[^a-z0-9]+/gi, " ");
}

async function listings(db: Database) {
  const rows = await db.query<{ id: string; reference: string; search_text: string }>(sql`
    select id, reference, dial_type, search_text, is_hidden, extraction_version, created_at_ms
      from listing
     order by message_timestamp_ms, line`);
  return [...rows];
}

async function findByWord(db: Database, word: string): Promise<readonly string[]> {
  const rows = await db.query<{ reference: string }>(sql`
    select reference from listing where search_text::tsvector @@ ${word}::tsquery order by reference`);
  return rows.map(({ reference }) => reference);
}
