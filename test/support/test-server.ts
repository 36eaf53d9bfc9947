import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "../../src/base/log.ts";
import { openEmbeddedServer } from "../../src/db/embedded/server.ts";
import { migrate } from "../../src/db/migrate.ts";
import { openPool } from "../../src/db/pool.ts";

/** The server of one run of the tests: the embedded one in a folder of its own, or the one of TEST_DATABASE_URL. */
export interface TestServer {
  /** Of its maintenance database. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Its content is what every test database starts from. */
export const TEMPLATE = "assay_test_template";

export async function startTestServer(): Promise<TestServer> {
  const given = process.env["TEST_DATABASE_URL"];
  const server = given === undefined ? await startEmbedded() : { url: given, stop: async () => {} };
  await makeTemplate(server.url);
  return server;
}

export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

async function startEmbedded(): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), "assay-test-"));
  const server = await openEmbeddedServer({ dataDir, log: createLogger("warn") });
  return {
    url: server.url("postgres"),
    stop: async () => {
      await server.release();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function makeTemplate(url: string): Promise<void> {
  const maintenance = openPool({ url, name: "assay test" });
  await maintenance.script(`drop database if exists ${TEMPLATE} with (force)`);
  await maintenance.script(`create database ${TEMPLATE} template template0 encoding 'UTF8'`);
  await maintenance.end();
  const pool = openPool({
    url: withDatabase(url, TEMPLATE),
    name: "assay test",
  });
  await migrate(pool, createLogger("warn"));
  await pool.end();
}
