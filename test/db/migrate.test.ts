import assert from "node:assert/strict";
import { test } from "node:test";
import { createLogger } from "../../src/base/log.ts";
import { listMigrations, type Migration, migrate } from "../../src/db/migrate.ts";
import { openPool } from "../../src/db/pool.ts";
import { sql } from "../../src/db/sql.ts";
import { dumpSchema } from "../contract/dump-schema.ts";
import { openTestDatabase } from "../support/test-database.ts";

const log = createLogger("silent");

test("the migrations are numbered without gaps, and each says in its first line why it is there", () => {
  const migrations = listMigrations();

  assert.deepEqual(
    migrations.map(({ version }) => version),
    migrations.map((_, at) => at + 1),
  );
  for (const { name, sql } of migrations) assert.match(sql, /^-- \w.+\.\n/, name);
});

test("twenty processes that start at once on an empty database migrate it once", async (t) => {
  const { url } = await openTestDatabase(t, { template: "template0" });
  const pools = Array.from({ length: 20 }, () => openPool({ url, name: "assay test" }));
  t.after(() => Promise.all(pools.map((pool) => pool.end())));

  const done = await Promise.all(pools.map((pool) => migrate(pool, log)));

  const names = listMigrations().map(({ name }) => name);
  assert.deepEqual(
    done.filter((list) => list.length > 0),
    [names],
  );
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

test("a failed migration leaves the schema unchanged", async (t) => {
  const { pool } = await openTestDatabase(t);
  const before = await dumpSchema(pool);
  const broken = [
    ...listMigrations(),
    aMigration(9001, "create table half_done (id integer);"),
    aMigration(9002, "create table half_done (id integer);"),
  ];

  await assert.rejects(migrate(pool, log, broken), /already exists/);
  assert.equal(await dumpSchema(pool), before);
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
