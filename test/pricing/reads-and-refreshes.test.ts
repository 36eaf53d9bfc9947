import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/db/sql.ts";
import { findConfiguration } from "../../src/pricing/configurations/configuration-store.ts";
import { findModelCells } from "../../src/pricing/configurations/model-cell-store.ts";
import { anAsk, refresh } from "../support/pricing.ts";
import { aConfiguration, aProfile } from "../support/rows.ts";
import { createTestClock } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";

const ROUNDS = process.env["ASSAY_TEST_LONG"] === undefined ? 15 : 500;

test("readers always see one complete snapshot during refreshes", async (t) => {
  const { pool } = await openTestDatabase(t, { sessionsMax: 8 });
  const id = await aConfiguration(pool, {
    profile_id: await aProfile(pool, { minimum_listings: 1, minimum_profit_eur_minor: 0 }),
  });
  const years = [2020, 2021, 2022, 2023];
  for (const year of years) await anAsk(pool, 1, { models: [id], columns: { year } });
  const clock = createTestClock();
  await refresh(pool, [id], { clock });
  let isRunning = true;
  let seenCount = 0;
  const read = async () => {
    while (isRunning) {
      const configuration = await findConfiguration(pool, id);
      const key = { configuration_id: id, year: 2023, condition_bucket: "new" as const };
      const [match] = await findModelCells(pool, [key]);
      const averages = new Set(
        configuration?.cells.map((cell) => cell.market_average_eur_minor ?? 0),
      );
      const times = new Set(configuration?.cells.map((cell) => cell.calculated_at_ms));
      // All cells change together, so a reader must see one average and one time.
      assert.equal(averages.size, 1, `mixed: ${[...averages]}`);
      assert.deepEqual([...times], [configuration?.calculated_at_ms]);
      assert.equal(configuration?.last_success_at_ms, configuration?.calculated_at_ms);
      assert.equal(configuration?.cells.length, years.length);
      assert.ok(match !== undefined);
      assert.equal(match.maximum_buy_eur_minor, match.market_average_eur_minor);
      seenCount += 1;
    }
  };
  const readers = [read(), read(), read()];

  for (let round = 1; round <= ROUNDS; round += 1) {
    await pool.execute(sql`update listing set price_eur_minor = ${round * 100}`);
    clock.advance(1);
    await refresh(pool, [id], { clock });
  }
  isRunning = false;
  await Promise.all(readers);

  assert.ok(seenCount > 0);
});
