import assert from "node:assert/strict";
import { test } from "node:test";
import { createLogger } from "../../src/base/log.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import type { BuySignal } from "../../src/pricing/buy-signal.ts";
import { refreshConfigurations } from "../../src/pricing/cells/refresh-configurations.ts";
import { anAsk } from "../support/pricing.ts";
import { aConfiguration, aProfile } from "../support/rows.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { createTestClock, NOW_MS } from "../support/test-app.ts";

/** Refreshes and returns the signals. */
function fired(db: DatabasePool, ids: readonly string[]): Promise<readonly BuySignal[]> {
  const context = { clock: createTestClock(), log: createLogger("silent") };
  return db.transaction(async (tx) => (await refreshConfigurations(tx, ids, context)).signals);
}

async function makeFresh(db: DatabasePool, listingId: string, untilMs = NOW_MS): Promise<void> {
  await db.execute(
    sql`insert into fresh_listing (listing_id, until_ms) values (${listingId}, ${untilMs})`,
  );
}

test("a new ask that is a buy fires a signal with its calculation", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const mapping = "3c2b1a09-0000-4000-8000-000000000001";
  const id = await aConfiguration(pool, {
    profile_id: await aProfile(pool, { minimum_listings: 5 }),
    calculator_mapping_id: mapping,
    configuration_key: "rolex:126610LN",
  });
  for (const euros of [10_000, 10_400, 11_000, 10_600]) {
    await makeFresh(pool, await anAsk(pool, euros, { models: [id] }));
  }
  const cheap = await anAsk(pool, 9_000, { models: [id], market: "HK" });
  await makeFresh(pool, cheap);

  const signals = await fired(pool, [id]);

  const [listing] = await pool.query(
    sql`select canonical_message_id, sequence, came_sequence
          from listing join fresh_listing on listing_id = id
         where id = ${cheap}`,
  );
  assert.deepEqual(signals, [
    {
      listing_id: cheap,
      canonical_message_id: listing?.["canonical_message_id"],
      // Another worker may delete the row before the alerts fire.
      came_sequence: listing?.["came_sequence"],
      configuration_id: id,
      configuration_key: "rolex:126610LN",
      calculator_mapping_id: mapping,
      brand: "rolex",
      reference: "126610LN",
      year: 2023,
      condition_bucket: "new",
      source_market: "HK",
      baseline_average_eur_minor: 1_032_000,
      baseline_median_eur_minor: 1_040_000,
      original_ask_eur_minor: 900_000,
      hk_markup_eur_minor: 60_000,
      comparable_ask_eur_minor: 960_000,
      profit_opportunity_eur_minor: 72_000,
      minimum_profit_eur_minor: 50_000,
      snapshot_at_ms: NOW_MS,
      source_sequence: listing?.["sequence"],
      calculation_version: "price-engine.v1",
    },
  ]);
});

test("an ask exactly at the threshold is a buy, one minor unit above it is not", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const id = await aConfiguration(pool, {
    profile_id: await aProfile(pool, { minimum_listings: 1 }),
  });
  // Two asks of one dealer: only the later one counts in the average, but both are in the model.
  await anAsk(pool, 10_000, { models: [id] });
  const earlier = async (askMinor: number) => {
    const contact = "1d5c1b9e-0000-4000-8000-000000000007";
    const columns = (last_seen_at_ms: number, price_eur_minor: number) => ({
      columns: {
        contact_id: contact,
        first_seen_at_ms: last_seen_at_ms,
        last_seen_at_ms,
        price_amount_minor: price_eur_minor,
        price_eur_minor,
      },
      models: [id],
    });
    await pool.execute(sql`delete from listing where contact_id = ${contact}`);
    await anAsk(pool, 0, columns(NOW_MS, 1_000_000));
    const listingId = await anAsk(pool, 0, columns(NOW_MS - 1, askMinor));
    await makeFresh(pool, listingId);
    return (await fired(pool, [id])).map(({ listing_id }) => listing_id === listingId);
  };

  assert.deepEqual(await earlier(950_000), [true]);
  assert.deepEqual(await earlier(950_001), []);
});

test("old listings, hidden asks, cells without prices and configurations without signals fire nothing", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const profile_id = await aProfile(pool, { minimum_listings: 2 });
  const id = await aConfiguration(pool, { profile_id });
  const silent = await aConfiguration(pool, { profile_id, buy_signals_enabled: false });
  const models = [id, silent];
  for (const euros of [112_000, 20_000, 21_000]) await anAsk(pool, euros, { models });
  await makeFresh(pool, await anAsk(pool, 12_000, { models }), NOW_MS - 1);
  await makeFresh(pool, await anAsk(pool, 12_000, { models, columns: { is_hidden: true } }));
  await makeFresh(pool, await anAsk(pool, 12_000, { models, columns: { is_revoked: true } }));
  await makeFresh(pool, await anAsk(pool, 12_000, { models, columns: { side: "want_to_buy" } }));
  await makeFresh(pool, await anAsk(pool, 12_000, { models, columns: { year: 2020 } }));
  await makeFresh(pool, await anAsk(pool, 12_000, { models, columns: { condition: "USED" } }));
  await makeFresh(pool, await anAsk(pool, 12_000, { models: [silent] }));

  assert.deepEqual(await fired(pool, models), []);
});

test("an ask outside the look-back is not a buy even if it just arrived, and a repeated ask may be one", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const id = await aConfiguration(pool, {
    profile_id: await aProfile(pool, { minimum_listings: 1 }),
  });
  await anAsk(pool, 10_000, { models: [id] });
  const old = { first_seen_at_ms: 0, last_seen_at_ms: 1, message_timestamp_ms: 0 };
  const oldId = await anAsk(pool, 7_000, { models: [id], columns: old });
  const listingId = await anAsk(pool, 7_000, { models: [id] });
  const repeatedId = await anAsk(pool, 7_000, { models: [id], columns: { is_duplicate: true } });
  for (const id of [oldId, listingId, repeatedId]) await makeFresh(pool, id);

  const signals = await fired(pool, [id]);

  assert.deepEqual(
    signals.map(({ listing_id }) => listing_id).sort(),
    [listingId, repeatedId].sort(),
  );
});

test("with a maximum of 0 nothing is a buy, not even an ask of 0", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  for (const minimum_profit_eur_minor of [500_000, 500_001]) {
    const id = await aConfiguration(pool, {
      profile_id: await aProfile(pool, { minimum_listings: 1, minimum_profit_eur_minor }),
    });
    await anAsk(pool, 10_000, { models: [id] });
    await makeFresh(pool, await anAsk(pool, 0, { models: [id] }));

    const signals = await fired(pool, [id]);

    const [cell] = await pool.query(
      sql`select maximum_buy_eur_minor as maximum from price_cell where configuration_id = ${id}`,
    );
    assert.deepEqual([cell?.["maximum"], signals], [0, []]);
  }
});
