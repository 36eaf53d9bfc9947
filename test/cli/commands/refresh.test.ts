import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "../../../src/db/sql.ts";
import { anAsk, showCells } from "../../support/pricing.ts";
import { aConfiguration, aProfile } from "../../support/rows.ts";
import { callAssay } from "../../support/run-assay.ts";
import { borrowTestDatabase } from "../../support/shared-store.ts";

test("refresh calculates all configurations or the named ones, and reports which failed", async (t) => {
  const { pool, url } = await borrowTestDatabase(t);
  const environment = { DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "true" };
  const profile_id = await aProfile(pool, { minimum_listings: 1, lookback_days: 100_000 });
  const priced = await aConfiguration(pool, { profile_id });
  const thin = await aConfiguration(pool, { profile_id });
  await anAsk(pool, 10_000, { models: [priced] });

  const one = await callAssay(["refresh", priced.toUpperCase()], environment);
  const all = await callAssay(["refresh"], environment);
  await pool.execute(sql`
    update price_configuration set configuration_key = 'odd', minimum_profit_overrides = '[{"year": 2023}]'
     where id = ${thin}`);
  const failed = await callAssay(["refresh"], environment);
  const unknownId = randomUUID();
  const unknown = await callAssay(["refresh", unknownId, priced], environment);
  const malformed = await callAssay(["refresh", "daytona"], environment);

  assert.equal(one.out, "1 configurations: 1 available, 0 insufficient, 0 failed\n");
  assert.equal(one.code, 0, one.err);
  assert.equal(all.out, "2 configurations: 1 available, 1 insufficient, 0 failed\n");
  assert.deepEqual(await showCells(pool, priced), ["2023 new: available 1 1000000"]);
  assert.equal(failed.out, "2 configurations: 1 available, 0 insufficient, 1 failed\n");
  assert.equal(failed.code, 1);
  assert.match(failed.err, new RegExp(`odd \\(${thin}\\): .*override`));
  assert.equal(unknown.code, 1);
  assert.match(unknown.err, new RegExp(`no configuration with the id ${unknownId}`));
  assert.equal(malformed.code, 2);
});
