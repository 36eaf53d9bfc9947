import { randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import { type DatabasePool, openPool } from "../../src/db/database.ts";
import { TEMPLATE, withDatabase } from "./test-server.ts";

export interface TestDatabase {
  readonly url: string;
  readonly pool: DatabasePool;
}

/** A migrated, empty database that belongs to this test alone and goes with it. */
export async function openTestDatabase(
  t: TestContext,
  options: {
    readonly template?: string;
    readonly connectionsMax?: number;
    /** False: commits do not wait for the disk, for tests that make thousands of them. */
    readonly isDurable?: boolean;
  } = {},
): Promise<TestDatabase> {
  const serverUrl = process.env["ASSAY_TEST_SERVER_URL"];
  if (serverUrl === undefined) {
    throw new Error("run tests by `npm test -- WORD…`: it starts the server that they share");
  }
  const name = `assay_test_${randomBytes(6).toString("hex")}`;
  const maintenance = openPool({ url: serverUrl, connectionsMax: 1, name: "assay test" });
  await maintenance.unsafe(`create database ${name} template ${options.template ?? TEMPLATE}`);
  if (options.isDurable === false) {
    await maintenance.unsafe(`alter database ${name} set synchronous_commit = off`);
  }
  const url = withDatabase(serverUrl, name);
  const pool = openPool({ url, connectionsMax: options.connectionsMax ?? 4, name: "assay test" });
  t.after(async () => {
    await pool.end({ timeout: 1 });
    await maintenance.unsafe(`drop database if exists ${name} with (force)`);
    await maintenance.end();
  });
  return { url, pool };
}
