import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/base/clock.ts";
import { queueDueRefreshes } from "../../src/pricing/cells/schedule-store.ts";
import { aConfiguration } from "../support/rows.ts";
import { NOW_MS, openTestApp } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";

/** The clock was wrong by this much, and is right again. */
const JUMP_MS = 31 * DAY_MS;

test("a clock that was set forward and back does not use up the rate limit", async (t) => {
  const { call, clock } = await openTestApp(t, {
    environment: { ASSAY_RATE_LIMIT_PER_MINUTE: "60" },
  });
  clock.set(NOW_MS + JUMP_MS);
  for (let at = 0; at < 50; at += 1) assert.equal((await call("GET", "/v2/alerts")).status, 200);

  clock.set(NOW_MS);
  clock.advance(MINUTE_MS);

  for (let at = 0; at < 60; at += 1) assert.equal((await call("GET", "/v2/alerts")).status, 200);
  assert.equal((await call("GET", "/v2/alerts")).status, 429);
});

test("cells that were calculated while the clock was ahead are calculated again on schedule", async (t) => {
  const { pool } = await openTestDatabase(t);
  await aConfiguration(pool, { last_attempt_at_ms: NOW_MS + JUMP_MS });
  await aConfiguration(pool, { last_attempt_at_ms: NOW_MS + MINUTE_MS });

  const count = await pool.transaction((tx) =>
    queueDueRefreshes(tx, { nowMs: NOW_MS, everyMs: HOUR_MS }),
  );

  assert.equal(count, 1, "only the one whose time another worker's clock cannot explain");
});
