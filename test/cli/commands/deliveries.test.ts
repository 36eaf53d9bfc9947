import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "../../../src/db/sql.ts";
import { anAlert } from "../../support/rows.ts";
import { callAssay } from "../../support/run-assay.ts";
import { borrowTestDatabase } from "../../support/shared-store.ts";
import { NOW_MS } from "../../support/test-app.ts";

test("deliveries are listed by status, and dead deliveries can be retried", async (t) => {
  const { pool, url } = await borrowTestDatabase(t);
  const environment = { DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "true" };
  const alert = await anAlert(pool, { name: "Daytonas" });
  const [target, dead, pending] = [randomUUID(), randomUUID(), randomUUID()];
  await pool.execute(sql`
    insert into webhook_target (id, name, url, secret, created_at_ms, updated_at_ms, gone_at_ms)
    values (${target}, 'desk', 'https://example.com/secret-path', 'whsec_AAAA', 0, 0, 5)`);
  await pool.execute(sql`
    insert into webhook_delivery
           (id, target_id, alert_id, resource, resource_id, status, attempt_count, next_attempt_at_ms, last_result,
            created_at_ms, finished_at_ms)
    values (${dead}, ${target}, ${alert}, 'message', ${dead}, 'dead', 10, ${NOW_MS}, '500', ${NOW_MS}, ${NOW_MS}),
           (${pending}, ${target}, ${alert}, 'message', ${dead}, 'pending', 1, ${NOW_MS}, null, ${NOW_MS - 1}, null)`);

  const all = await callAssay(["deliveries", "list"], environment);
  assert.equal(all.code, 0, all.err);
  assert.match(all.out, /^STATUS +TARGET +KIND/);
  assert.match(all.out, /desk +standard +Daytonas/);
  assert.ok(all.out.includes(dead) && all.out.includes(pending) && all.out.includes("Daytonas"));
  assert.doesNotMatch(all.out, /secret-path|whsec/);
  const some = await callAssay(["deliveries", "list", "--status", "dead", "--json"], environment);
  assert.equal(JSON.parse(some.out).id, dead);

  const retried = await callAssay(["deliveries", "retry", "--all-dead"], environment);
  assert.equal(retried.code, 0);
  assert.match(retried.err, /1 delivery queued; a running worker sends it/);
  const rows = await pool.query(sql`
    select status, attempt_count, finished_at_ms, gone_at_ms
      from webhook_delivery join webhook_target on webhook_target.id = target_id where webhook_delivery.id = ${dead}`);
  assert.deepEqual(
    [...rows],
    [{ status: "pending", attempt_count: 0, finished_at_ms: null, gone_at_ms: null }],
  );

  for (const words of [["retry"], ["retry", "x"], ["list", "--status", "x"], ["list", "x"], []]) {
    assert.equal((await callAssay(["deliveries", ...words], environment)).code, 2, words.join(" "));
  }
});
