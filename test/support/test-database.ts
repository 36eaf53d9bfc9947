import { randomBytes } from "node:crypto";
import { after } from "node:test";
import type { DatabasePool } from "../../src/db/database.ts";
import { openPool } from "../../src/db/pool.ts";
import type { Sql } from "../../src/db/sql.ts";
import { TEMPLATE, withDatabase } from "./test-server.ts";

/** What something opened belongs to and is closed with: a test, or all tests of a process. */
export interface Lifetime {
  after(close: () => unknown): void;
}

// A hook that is registered while a test runs belongs to that test, so these are kept until the last one has ended.
const closers: (() => unknown)[] = [];
after(async () => {
  for (const close of closers) await close();
});

export const untilLastTest: Lifetime = { after: (close) => closers.push(close) };

export interface TestDatabase {
  readonly url: string;
  readonly pool: DatabasePool;
}

/** Takes half the processor time of a copy through the log, as long as the server need not wait for the disk. */
const STRATEGY =
  process.env["TEST_DATABASE_URL"] === undefined ? "strategy file_copy" : "strategy wal_log";

/**
 * A migrated, empty database that belongs to this test alone and goes with it. Most tests can do with
 * `borrowTestDatabase`.
 */
export async function openTestDatabase(
  t: Lifetime,
  options: {
    readonly template?: string;
    readonly sessionsMax?: number;
  } = {},
): Promise<TestDatabase> {
  const serverUrl = process.env["ASSAY_TEST_SERVER_URL"];
  if (serverUrl === undefined) {
    throw new Error("run tests by `npm test -- WORD…`: it starts the server that they share");
  }
  const name = `assay_test_${randomBytes(6).toString("hex")}`;
  const maintenance = openPool({ url: serverUrl, name: "assay test", sharedCount: 1 });
  await maintenance.script(
    `create database ${name} template ${options.template ?? TEMPLATE} ${STRATEGY}`,
  );
  const url = withDatabase(serverUrl, name);
  const pool = openPool({ url, name: "assay test", sessionsMax: options.sessionsMax ?? 4 });
  t.after(async () => {
    await pool.end(1_000);
    await maintenance.script(`drop database if exists ${name} with (force)`);
    await maintenance.end();
  });
  return { url, pool };
}

/** Runs a statement that takes a lock, and keeps the lock until `release` is called. */
export function holdTable(
  db: DatabasePool,
  lock: Sql,
): { readonly held: Promise<void>; release(): Promise<void> } {
  let isHeld = (): void => undefined;
  let letGo = (): void => undefined;
  const held = new Promise<void>((settle) => {
    isHeld = settle;
  });
  const released = new Promise<void>((settle) => {
    letGo = settle;
  });
  const holding = db.transaction(async (tx) => {
    await tx.execute(lock);
    isHeld();
    await released;
  });
  return {
    held,
    release: () => {
      letGo();
      return holding;
    },
  };
}
