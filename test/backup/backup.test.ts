import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { restoreBackup } from "../../src/backup/restore-backup.ts";
import { writeBackup } from "../../src/backup/write-backup.ts";
import { systemClock } from "../../src/base/clock.ts";
import { createLogger } from "../../src/base/log.ts";
import { CHANGES_NAME } from "../../src/db/changes.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { whileLocked } from "../../src/db/locks.ts";
import { listMigrations, migrate } from "../../src/db/migrate.ts";
import { openPool } from "../../src/db/pool.ts";
import { sql } from "../../src/db/sql.ts";
import { openDemoDatabase } from "../support/demo.ts";
import { process } from "../support/drain.ts";
import { backUp, digestStore, restore } from "../support/files.ts";
import { aFolder, callAssay } from "../support/run-assay.ts";
import { openTestDatabase } from "../support/test-database.ts";
import { aMessageEvent } from "../support/waha.ts";

test("a restored store has the same rows and numbers, and goes on working", async (t) => {
  const source = await openDemoDatabase(t);
  const target = await openTestDatabase(t, { template: "template0" });
  const path = join(aFolder(t), "demo.backup");

  const written = await callAssay(["backup", path], env(source.url));
  const verified = await callAssay(["backup", "verify", path]);
  const restored = await callAssay(["restore", path], env(target.url));

  assert.equal(written.code, 0, written.err);
  assert.match(written.err, /wrote .*demo\.backup: \d+ tables, \d+ kB|MB/);
  assert.match(verified.out, /is whole: \d+ tables, \d+ rows, written at 20/);
  assert.equal(restored.code, 0, restored.err);
  assert.match(restored.err, /building [1-9]\d* indexes/);
  assert.equal(statSync(path).mode & 0o777, 0o600, "it has secrets");
  const expected = await digestStore(source.pool);
  const rowsOf = (table: string) => Number(expected[table]?.split(" ")[0]);
  assert.ok(rowsOf("listing") > 100);
  for (const table of ["deal", "contact_note", "activity"]) assert.ok(rowsOf(table) > 5, table);
  assert.deepEqual(await digestStore(target.pool), expected);
  const text = "Rolex 126610LN 2024 full set used 9,500 EUR";
  const before = await idsOf(target.pool);
  for (const { pool } of [source, target]) await process(pool, [aMessageEvent({ text })]);
  assert.notEqual(await idsOf(target.pool), before);
  assert.equal(await idsOf(target.pool), await idsOf(source.pool));
});

test("a backup has the rows of one moment, however many are written meanwhile", async (t) => {
  const source = await openTestDatabase(t);
  const target = await openTestDatabase(t);
  const writer = openPool({ url: source.url, name: "assay test" });
  t.after(() => writer.end());
  // Both tables, far from each other in the order of the file, always have as many rows.
  const write = () =>
    writer.transaction(async (tx) => {
      await tx.execute(sql`insert into contact_alias select gen_random_uuid(), gen_random_uuid()`);
      await tx.execute(sql`insert into listing_alias select gen_random_uuid(), gen_random_uuid()`);
    });
  let isDone = false;
  const writing = (async () => {
    while (!isDone) await write();
  })();

  const paths: string[] = [];
  for (let at = 0; at < 5; at += 1) paths.push(await backUp(t, source));
  isDone = true;
  await writing;
  await restore(target, paths.at(-1) ?? "");

  const [counts] = await target.pool.query<{ contacts: number; listings: number }>(sql`
    select (select count(*) from contact_alias) as contacts, (select count(*) from listing_alias) as listings`);
  assert.ok((counts?.contacts ?? 0) > 0);
  assert.equal(counts?.contacts, counts?.listings);
});

test("a backup of an older version is restored and migrated", async (t) => {
  const source = await openTestDatabase(t, { template: "template0" });
  const target = await openTestDatabase(t, { template: "template0" });
  const log = createLogger("silent");
  await migrate(source.pool, log, listMigrations().slice(0, -3));
  await source.pool.execute(sql`insert into replay_request (reason) values ('before')`);

  await restore(target, await backUp(t, source));

  const [row] = await target.pool.query<{ version: number; reason: string }>(sql`
    select (select max(version) from schema_migration) as version, (select reason from replay_request) as reason`);
  assert.deepEqual(row, { version: listMigrations().at(-1)?.version, reason: "before" });
});

test("a file that is cut off, altered, foreign or newer is refused, and nothing is restored", async (t) => {
  const source = await openTestDatabase(t);
  const target = await openTestDatabase(t);
  await source.pool.execute(sql`insert into replay_request (reason) values ('before')`);
  const path = await backUp(t, source);
  const whole = readFileSync(path);
  const before = await digestStore(target.pool);
  const flip = (at: number): Buffer => {
    const changed = Buffer.from(whole);
    changed.writeUInt8(changed.readUInt8(at) ^ 0x10, at);
    return changed;
  };
  const middle = Math.floor(whole.length / 2);
  const files: readonly (readonly [string, Buffer, RegExp])[] = [
    ["empty", Buffer.alloc(0), /no backup of Assay/],
    ["foreign", Buffer.from("PK\u0003\u0004 something else"), /no backup of Assay/],
    ["newer", Buffer.from("assay backup 2\n…"), /a newer Assay wrote it/],
    ["cut in its first line", whole.subarray(0, 9), /no backup of Assay/],
    ["cut after its first line", whole.subarray(0, 15), /is cut off/],
    ["cut in the middle", whole.subarray(0, middle), /is cut off/],
    ["without its last byte", whole.subarray(0, -1), /is cut off/],
    ["altered in the middle", flip(middle), /is damaged|is cut off/],
    ["altered in its check sum", flip(whole.length - 6), /is damaged/],
    ["with more behind it", Buffer.concat([whole, whole.subarray(15)]), /is damaged/],
  ];

  for (const [name, content, message] of files) {
    const bad = join(dirname(path), "bad.backup");
    writeFileSync(bad, content);
    for (const command of [
      ["backup", "verify", bad],
      ["restore", bad],
    ]) {
      const { code, err } = await callAssay(command, env(target.url));
      assert.equal(code, 1, name);
      assert.match(err, message, `${name}: ${err}`);
    }
  }

  assert.deepEqual(await digestStore(target.pool), before);
  const missing = await callAssay(["restore", join(dirname(path), "none")], env(target.url));
  assert.match(missing.err, /cannot be read \(ENOENT\)/);
  await restore(target, path);
});

test("only an empty store that no service uses is restored", async (t) => {
  const source = await openTestDatabase(t);
  const target = await openTestDatabase(t);
  const path = await backUp(t, source);
  const attempt = async () => (await callAssay(["restore", path], env(target.url))).err;

  await target.pool.execute(sql`insert into replay_request (reason) values ('mine')`);
  assert.match(await attempt(), /not empty \(table replay_request has rows\).*ASSAY_DATA_DIR/);
  await target.pool.execute(sql`delete from replay_request`);
  await target.pool.execute(
    sql`insert into fx_rate (currency, day, kind, per_eur) values ('XXX', '2026-01-01', 'declared', 2)`,
  );
  assert.match(await attempt(), /not empty \(it has declared rates\)/);
  await target.pool.execute(sql`delete from fx_rate`);
  const service = openPool({ url: target.url, name: CHANGES_NAME });
  await service.query(sql`select 1`);
  assert.match(await attempt(), /a service uses this store: stop it/);
  await service.end();
  assert.match(await attempt(), /restored \d+ tables/);
});

test("a backup that cannot be written leaves no file, and never replaces one", async (t) => {
  const { pool, url } = await openTestDatabase(t);
  const folder = aFolder(t);
  const path = join(folder, "kept.backup");
  writeFileSync(path, "mine");

  const existing = await callAssay(["backup", path], env(url));
  const nowhere = await callAssay(["backup", join(folder, "none", "x.backup")], env(url));
  const held = await whileLocked(pool, "backup", () =>
    callAssay(["backup", join(folder, "second.backup")], env(url)),
  );

  assert.match(existing.err, /kept\.backup exists already: choose another name/);
  assert.equal(readFileSync(path, "utf8"), "mine");
  assert.match(nowhere.err, /cannot write .*x\.backup: ENOENT; nothing was left/);
  assert.match(held?.result.err ?? "", /another backup or a replay is under way/);
  assert.deepEqual(readdirSync(folder), ["kept.backup"]);
});

test("a backup whose server goes away leaves no file", async (t) => {
  const { pool, url } = await openTestDatabase(t);
  await pool.execute(sql`
    insert into contact_alias select gen_random_uuid(), gen_random_uuid() from generate_series(1, 50000)`);
  const path = join(aFolder(t), "lost.backup");

  const writing = writeBackup({ pool, url, path, clock: systemClock, onRows: cutOnce(pool) });

  await assert.rejects(writing);
  assert.equal(existsSync(path), false);
  assert.deepEqual(readdirSync(dirname(path)), []);
});

test("a restore whose server goes away leaves the store as it was, with all indexes", async (t) => {
  const source = await openTestDatabase(t);
  const target = await openTestDatabase(t);
  await source.pool.execute(sql`
    insert into contact_alias select gen_random_uuid(), gen_random_uuid() from generate_series(1, 50000)`);
  const path = await backUp(t, source);
  const before = await digestStore(target.pool);

  const restoring = restoreBackup({
    ...target,
    path,
    log: createLogger("silent"),
    onRows: cutOnce(target.pool),
  });

  await assert.rejects(restoring, /the server went away: nothing was restored/);
  assert.deepEqual(await digestStore(target.pool), before);
  await restore(target, path);
});

/** Ends the connection that copies rows, when it is called first. */
function cutOnce(pool: DatabasePool): () => void {
  let isCut = false;
  return () => {
    if (isCut) return;
    isCut = true;
    void pool.execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'assay backup'
         and datname = current_database()`);
  };
}

function env(url: string) {
  return { DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "true" };
}

async function idsOf(pool: Parameters<typeof digestStore>[0]): Promise<string> {
  const [row] = await pool.query<{ digest: string }>(sql`
    select md5(string_agg(id::text, ' ' order by id)) as digest from listing`);
  return row?.digest ?? "";
}
