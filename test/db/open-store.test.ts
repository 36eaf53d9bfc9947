import assert from "node:assert/strict";
import { test } from "node:test";
import { parseConfig } from "../../src/base/config.ts";
import { createLogger } from "../../src/base/log.ts";
import { openStore } from "../../src/db/open-store.ts";
import { sql } from "../../src/db/sql.ts";
import { openFaultyNetwork } from "../support/faults/faulty-network.ts";
import { openTransactionPooler } from "../support/faults/transaction-pooler.ts";
import { openTestDatabase } from "../support/test-database.ts";

const log = createLogger("silent");

test("a pooler that gives each transaction another session is refused by its name, and a plain relay is not", async (t) => {
  const { url } = await openTestDatabase(t);
  const pooled = await openTransactionPooler(t, url);
  const { url: relayed } = await openFaultyNetwork(t, url);

  await assert.rejects(openStore(toConfig(pooled), log), /PgBouncer in transaction mode.*session/);

  const store = await openStore(toConfig(relayed), log);
  await store.close();
});

test("the server notices a vanished machine by its own keep-alives", async (t) => {
  const { url } = await openTestDatabase(t);
  const store = await openStore(toConfig(url), log);
  t.after(() => store.close());

  const [shown] = await store.pool.query(sql`
    select current_setting('tcp_keepalives_idle') as idle, current_setting('tcp_keepalives_interval') as interval,
           current_setting('tcp_keepalives_count') as count, current_setting('tcp_user_timeout') as timeout`);

  assert.deepEqual(shown, { idle: "10", interval: "5", count: "3", timeout: "25000" });
});

function toConfig(url: string) {
  return parseConfig({ DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "true" });
}
