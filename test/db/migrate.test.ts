import assert from "node:assert/strict";
import { test } from "node:test";
import { createLogger } from "../../src/base/log.ts";
import { listMigrations, type Migration, migrate } from "../../src/db/migrate.ts";
import { openPool } from "../../src/db/pool.ts";
import { sql } from "../../src/db/sql.ts";
import { saveRawEvents } from "../../src/intake/raw-event-store.ts";
import { dumpSchema } from "../contract/dump-schema.ts";
import { rawEvent } from "../support/drain.ts";
import { until } from "../support/test-app.ts";
import { holdTable, openTestDatabase } from "../support/test-database.ts";
import { aMessageEvent } from "../support/waha.ts";

const log = createLogger("silent");

test("the migrations are numbered without gaps, and each says in its first line why it is there", () => {
  const migrations = listMigrations();

  assert.deepEqual(
    migrations.map(({ version }) => version),
    migrations.map((_, at) => at + 1),
  );
  for (const { name, sql } of migrations) assert.match(sql, /^-- \w.+\.\n/, name);
});

/** Those before landed when all processes were stopped for an update. */
const FIRST_UNDER_OLD_PROCESSES = 57;

test("a migration adds; what it takes away from the version before, it says since when nothing uses it", () => {
  const careless = listMigrations().filter(
    ({ version, sql: text }) =>
      version >= FIRST_UNDER_OLD_PROCESSES &&
      listContractions(text).length > 0 &&
      !/^-- Contracts: \w.+\.$/m.test(text),
  );

  assert.deepEqual(
    careless.map(({ name }) => name),
    [],
    "see docs/cluster.md, Rolling upgrades",
  );
});

test("the check of migrations finds what breaks a process of the version before", () => {
  const statements = [
    "alter table a drop column b;",
    "drop table if exists a;",
    "drop function f();",
    "alter table a rename column b to c;",
    "alter table a alter column b type bigint;",
    "alter table a alter column b set not null;",
    "alter table a add column b integer not null;",
  ];
  const additions = [
    "alter table a add column b integer;",
    "alter table a add column b integer not null default 0;",
    "create table a (b integer not null);",
    "drop index a_b;",
    "-- We drop table a later.",
    "create function f() returns text language sql as $$ select 'drop column' $$;",
  ];

  assert.deepEqual(
    statements.filter((text) => listContractions(text).length === 0),
    [],
  );
  assert.deepEqual(additions.flatMap(listContractions), []);
});

test("while a migration waits for a table that is in use, events are stored, and it runs when the table is free", async (t) => {
  const { pool } = await openTestDatabase(t);
  const holder = holdTable(pool, sql`lock table raw_event in row exclusive mode`);
  await holder.held;
  const version = listMigrations().length + 1;
  const added = aMigration(version, "alter table raw_event add column extra integer;");
  const migrating = migrate(pool, log, [...listMigrations(), added]);
  const isBlocking = async () =>
    (await pool.query(sql`select from pg_locks where not granted and mode = 'AccessExclusiveLock'`))
      .length > 0;
  await until(isBlocking);

  // Until the migration gives up its place, this waits behind it.
  const stored = await saveRawEvents(pool, [rawEvent(aMessageEvent({ rawId: "A1" }))], "window");
  await holder.release();

  assert.equal(stored, 1);
  assert.deepEqual(await migrating, [added.name]);
});

test("twenty processes that start at once on an empty database migrate it once", async (t) => {
  const { url } = await openTestDatabase(t, { template: "template0" });
  const pools = Array.from({ length: 20 }, () => openPool({ url, name: "assay test" }));
  t.after(() => Promise.all(pools.map((pool) => pool.end())));

  const done = await Promise.all(pools.map((pool) => migrate(pool, log)));

  const names = listMigrations().map(({ name }) => name);
  assert.deepEqual(done.flat().toSorted(), names, "each ran in one of the processes");
});

test("a database of a newer version is refused", async (t) => {
  const { pool } = await openTestDatabase(t);
  await pool.execute(
    sql`insert into schema_migration (version, name, sha256) values (9000, '9000-future', 'x')`,
  );

  await assert.rejects(
    migrate(pool, log),
    /9000-future, which this version of Assay does not know/,
  );
});

test("a migration that was changed after it ran is refused", async (t) => {
  const { pool } = await openTestDatabase(t);
  const changed = listMigrations().map((migration) => ({ ...migration, sha256: "other" }));

  await assert.rejects(migrate(pool, log, changed), /is not the one that made this database/);
});

test("a failed migration leaves what those before it made, nothing of itself, and the next start goes on", async (t) => {
  const { pool } = await openTestDatabase(t);
  const first = aMigration(9001, "create table first_part (id integer);");
  const broken = aMigration(9002, "create table half_done (id integer); select nothing;");
  const mended = aMigration(9002, "create table second_part (id integer);");
  const tables = async () =>
    (await dumpSchema(pool)).match(/create table (first_part|half_done|second_part) /g);

  await assert.rejects(migrate(pool, log, [...listMigrations(), first, broken]), /nothing/);
  const left = await tables();
  const done = await migrate(pool, log, [...listMigrations(), first, mended]);

  assert.deepEqual(left, ["create table first_part "]);
  assert.deepEqual(done, [mended.name]);
  assert.deepEqual(await tables(), ["create table first_part ", "create table second_part "]);
});

test("a migration holds its locks only until it is done, not until all are", async (t) => {
  const { pool } = await openTestDatabase(t);
  const holder = holdTable(pool, sql`lock table contact_note in row exclusive mode`);
  await holder.held;
  const changes = [
    "alter table deal add column extra integer;",
    "alter table contact_note add extra integer;",
  ];
  const added = changes.map((text, at) => aMigration(9001 + at, text));
  const migrating = migrate(pool, log, [...listMigrations(), ...added]);
  // The stores of other tests have tables with the same numbers.
  const here = sql`database = (select oid from pg_database where datname = current_database())`;
  const waiting = sql`
    select from pg_locks where not granted and relation = 'contact_note'::regclass and ${here}`;
  await until(async () => (await pool.query(waiting)).length > 0);

  const deals = await pool.query(sql`select from deal`);
  const held = await pool.query(sql`
    select from pg_locks
     where granted and mode = 'AccessExclusiveLock' and relation = 'deal'::regclass and ${here}`);
  await holder.release();

  assert.deepEqual([deals.length, held.length], [0, 0]);
  assert.deepEqual(
    await migrating,
    added.map(({ name }) => name),
  );
});

test("the schema dump has every kind of object that a migration can create", async (t) => {
  const { pool } = await openTestDatabase(t, { template: "template0" });
  await pool.script(`
    create extension pg_trgm;
    create table thing (
      id bigint generated always as identity primary key,
      name text collate "C" not null default 'x' check (name <> ''),
      doubled integer generated always as (length(name) * 2) stored
    );
    create index thing_name on thing using gin (name gin_trgm_ops) where id > 3;
    create view thing_view as select id from thing;
    create function thing_function() returns trigger language plpgsql as 'begin return null; end';
    create trigger thing_trigger after insert on thing execute function thing_function();`);

  const dump = await dumpSchema(pool);

  for (const part of [
    "create extension pg_trgm;",
    "id bigint not null generated always as identity",
    `name text collate "C" not null default 'x'::text`,
    "doubled integer generated always as ((length(name) * 2)) stored",
    "constraint thing_name_check CHECK ((name <> ''::text))",
    "CREATE INDEX thing_name ON public.thing USING gin (name gin_trgm_ops) WHERE (id > 3);",
    "create view thing_view as",
    "CREATE OR REPLACE FUNCTION public.thing_function()",
    "CREATE TRIGGER thing_trigger AFTER INSERT ON public.thing",
  ]) {
    assert.ok(dump.includes(part), `${part}\nnot in\n${dump}`);
  }
});

function aMigration(version: number, sql: string): Migration {
  return { version, name: `${version}-test`, sql, sha256: String(version) };
}

/** What a process of the version before may still use. Comments and bodies of functions do not count. */
function listContractions(text: string): readonly string[] {
  const plain = text.replaceAll(/--.*$/gm, "").replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''");
  return plain.split(";").filter((statement) => CONTRACTIONS.some((one) => one.test(statement)));
}

const CONTRACTIONS: readonly RegExp[] = [
  /\bdrop\s+(table|column|view|function|type|domain)\b/i,
  /\brename\b/i,
  /\balter\s+column\s+\w+\s+(set\s+data\s+)?type\b/i,
  /\bset\s+not\s+null\b/i,
  /\badd\s+column\b(?!.*\bdefault\b).*\bnot\s+null\b/is,
];
