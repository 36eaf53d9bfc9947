import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { parseConfig } from "../../../src/base/config.ts";
import { createLogger } from "../../../src/base/log.ts";
import { openEmbeddedServer } from "../../../src/db/embedded/server.ts";
import { migrate } from "../../../src/db/migrate.ts";
import { openStore, type Store } from "../../../src/db/open-store.ts";
import { openPool } from "../../../src/db/pool.ts";
import { sql } from "../../../src/db/sql.ts";
import { aDataDir } from "../../support/run-assay.ts";

const log = createLogger("silent");
const PASSWORD = "the-secret";
const SCRAM_ONLY = "?require_auth=scram-sha-256";

test("Assay works on the embedded server with a role that is no superuser and owns its database only", async (t) => {
  const held = holdStore(t);

  const store = await held.open(aDataDir(t));
  await migrate(store.pool, log);

  const [role] = await store.pool.query(sql`
    select rolname, rolsuper, rolcreaterole, rolcreatedb, rolreplication from pg_roles where rolname = current_user`);
  const [rights] = await store.pool.query(sql`
    select pg_get_userbyid(datdba) as owner, has_database_privilege('template1', 'create') as elsewhere
      from pg_database where datname = current_database()`);
  assert.deepEqual(role, {
    rolname: "assay_service",
    rolsuper: false,
    rolcreaterole: false,
    rolcreatedb: false,
    rolreplication: false,
  });
  assert.deepEqual(rights, { owner: "assay_service", elsewhere: false });
});

test("the database of an older version is given to the role at the next start", async (t) => {
  const held = holdStore(t);
  const dataDir = aDataDir(t);
  await makeOldStore(dataDir);

  const store = await held.open(dataDir);

  const foreign = await store.pool.query(sql`
    select relname from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'S', 'v') and relowner <> 'assay_service'::regrole`);
  assert.deepEqual(foreign, []);
  // What a later migration may do.
  await store.pool.script(`
    alter table raw_event add column later text;
    alter type fx_rate_kind add value 'later';
    create or replace function announce_change() returns trigger language plpgsql as 'begin return null; end';
    truncate raw_event cascade; create extension if not exists pg_trgm`);
  const [row] = await store.pool.query(sql`select current_user::text as name`);
  assert.equal(row?.["name"], "assay_service");
});

test("a program that takes the server's port never gets the password, in no form, and is not used without a proof", async (t) => {
  const requests = {
    cleartext: authentication(3),
    md5: authentication(5, Buffer.from("salt")),
    nothing: Buffer.concat([authentication(0), Buffer.from([0x5a, 0, 0, 0, 5, 0x49])]),
  };

  for (const [name, request] of Object.entries(requests)) {
    const impostor = await openImpostor(t, request);
    const pool = openPool({ url: impostor.url + SCRAM_ONLY, name: "assay test", sharedCount: 1 });
    await assert.rejects(pool.query(sql`select 'private'`), name);
    await pool.end(100);
    assert.equal(impostor.received(), "", name);
  }
  // The control: without the demand, the driver answers.
  const impostor = await openImpostor(t, requests.cleartext);
  const pool = openPool({ url: impostor.url, name: "assay test", sharedCount: 1 });
  await assert.rejects(pool.query(sql`select 1`));
  await pool.end(100);
  assert.match(impostor.received(), new RegExp(PASSWORD));
});

/** Closes the store when the test ends. Must be called before the folder is made, which goes after it. */
function holdStore(t: TestContext) {
  let store: Store | undefined;
  t.after(() => store?.close());
  return {
    open: async (dataDir: string): Promise<Store> => {
      store = await openStore(parseConfig({ ASSAY_DATA_DIR: dataDir }), log);
      return store;
    },
  };
}

/** As an older version left it: everything belongs to the superuser, and there is no other role. */
async function makeOldStore(dataDir: string): Promise<void> {
  const server = await openEmbeddedServer({ dataDir, log });
  const maintenance = openPool({ url: server.setUpUrl("postgres"), name: "assay test" });
  await maintenance.script("create database assay template template0");
  const pool = openPool({ url: server.setUpUrl("assay"), name: "assay test" });
  await migrate(pool, log);
  await pool.end();
  await maintenance.script("drop owned by assay_service; alter role assay_service nologin");
  await maintenance.end();
  await server.release();
}

/** Sends `request` to every client that connects, and keeps what it is sent after the first message; ends after an answer. */
async function openImpostor(t: TestContext, request: Buffer) {
  let received = "";
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write(request);
      socket.on("data", (chunk) => {
        received += chunk.toString("latin1");
        socket.destroy();
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await new Promise((settle) => server.once("listening", settle));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgres://assay:${PASSWORD}@127.0.0.1:${port}/postgres`,
    received: () => received,
  };
}

/** The server's request for a kind of authentication. */
function authentication(kind: number, more = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.write("R");
  head.writeInt32BE(8 + more.length, 1);
  head.writeInt32BE(kind, 5);
  return Buffer.concat([head, more]);
}
