import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  LOCKS,
  shareLock,
  takeLock,
  tryLock,
  whileLocked,
  withLockTimes,
} from "../../src/db/locks.ts";
import { openPool } from "../../src/db/pool.ts";
import { beginStep } from "../../src/db/queue.ts";
import { openFaultyNetwork } from "../support/faults/faulty-network.ts";
import { until } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";

test("each lock has its own number, and the functions of the schema take only listed ones", () => {
  const numbers: readonly number[] = Object.values(LOCKS);
  const schema = readFileSync("schema.sql", "utf8");
  const taken = [...schema.matchAll(/advisory\w*lock\w*\((\d+)/g)].map((match) => Number(match[1]));

  assert.equal(new Set(numbers).size, numbers.length);
  assert.ok(taken.length >= 3, "the schema's functions take locks");
  assert.deepEqual(
    taken.filter((number) => !numbers.includes(number)),
    [],
  );
});

test("a shared or exclusive lock is held until its transaction ends", async (t) => {
  const { pool } = await openTestDatabase(t);

  await pool.transaction(async (outer) => {
    await shareLock(outer, "pipeline");
    await pool.transaction(async (inner) => {
      await shareLock(inner, "pipeline");
      assert.equal(await tryLock(inner, "pipeline"), false);
    });
    await takeLock(outer, "merge");
    assert.equal(await pool.transaction((inner) => tryLock(inner, "merge")), false);
  });

  assert.equal(await pool.transaction((tx) => tryLock(tx, "merge")), true);
});

test("work under a lock runs in one process at a time, and the lock is released even if it fails", async (t) => {
  const { pool } = await openTestDatabase(t);
  const end = new AbortController();
  let hasBegun = false;
  const first = whileLocked(pool, "demo", async () => {
    hasBegun = true;
    await until(() => end.signal.aborted);
  });
  await until(() => hasBegun);

  const second = await whileLocked(pool, "demo", async () => 1);
  end.abort();
  await first;

  assert.equal(second, undefined);
  await assert.rejects(
    whileLocked(pool, "demo", async () => {
      throw new Error("failed");
    }),
    /failed/,
  );
  assert.deepEqual(await whileLocked(pool, "demo", async () => 2), { result: 2 });
});

test("the lock of a step whose machine vanished is free long before a minute has passed", async (t) => {
  const { pool, url } = await openTestDatabase(t);
  const network = await openFaultyNetwork(t, url);
  const vanishing = openPool({ url: network.url, name: "assay vanishing" });
  t.after(() => vanishing.end(100));
  const end = new AbortController();
  const held = vanishing.transaction(async (tx) => {
    await beginStep(tx);
    await takeLock(tx, "listings");
    // The connection stays open, as that of a machine without power does.
    network.fallSilent();
    await until(() => end.signal.aborted, 60_000);
  });
  const lost = assert.rejects(held);
  await until(async () => !(await pool.transaction((tx) => tryLock(tx, "listings"))));

  await pool.transaction((tx) => takeLock(tx, "listings"), { statementTimeoutMs: 40_000 });

  end.abort();
  await lost;
});

test("a transaction reports each lock that it waited for", async (t) => {
  const { pool } = await openTestDatabase(t);
  const waits: number[] = [];

  await withLockTimes(pool, (tookMs) => waits.push(tookMs)).transaction(async (tx) => {
    await beginStep(tx);
    await takeLock(tx, "listings");
    await shareLock(tx, "members");
  });

  assert.equal(waits.length, 3);
});
