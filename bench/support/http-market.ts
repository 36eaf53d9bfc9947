import { randomUUID } from "node:crypto";
import { DAY_MS, dayStartOf } from "../../src/base/clock.ts";
import type { Database, DatabasePool } from "../../src/db/database.ts";
import {
  aCell,
  aConfiguration,
  aGroup,
  aListing,
  aMatch,
  aMessage,
  aModel,
  anAlert,
  aProfile,
  aRollup,
  aSession,
  aSnapshot,
} from "../../test/support/rows.ts";
import { NOW_MS } from "../../test/support/test-app.ts";

const CONFIGURATIONS = 150;
const LISTINGS = 600;
const MATCHES = 60;
const DAY_START_MS = dayStartOf(NOW_MS);

/** Inserts a small market, so that each endpoint returns a response of ordinary size. */
export async function insertMarket(pool: DatabasePool): Promise<void> {
  await pool.transaction(insertRowsOfMarket);
  await pool.script("vacuum analyze");
}

async function insertRowsOfMarket(pool: Database): Promise<void> {
  const sessions = [];
  for (const name of ["recv-eu-1", "recv-hk-1", "send-1"]) {
    sessions.push(
      await aSession(pool, { gateway_name: name, status: "WORKING", last_message_at_ms: NOW_MS }),
    );
  }
  const groups = [];
  for (let at = 0; at < 20; at += 1) groups.push(await aGroup(pool, { name: `Dealers ${at}` }));
  const configurations = await insertConfigurations(pool);
  for (let at = 0; at < 20; at += 1) {
    const alertId = await anAlert(pool, { name: `alert ${at}` });
    for (let match = 0; match < MATCHES; match += 1) {
      await aMatch(pool, { alert_id: alertId, match_context: A_CONTEXT });
    }
  }
  for (let at = 0; at < LISTINGS; at += 1) {
    const message = await aMessage(pool);
    for (let day = 0; day < 2; day += 1) {
      for (const group_id of groups.slice(at % 10, (at % 10) + 3)) {
        await aRollup(pool, {
          canonical_message_id: message,
          day_start_ms: DAY_START_MS - day * DAY_MS,
          group_id,
          session_ids: sessions.slice(0, 2),
        });
      }
    }
    const listing_id = await aListing(pool, { canonical_message_id: message });
    for (const of of [0, 1]) {
      const configuration_id = configurations[(at + of) % CONFIGURATIONS];
      await aModel(pool, { listing_id, configuration_id, source_market: "EU" });
    }
  }
}

async function insertConfigurations(pool: Database): Promise<readonly string[]> {
  const profile_id = await aProfile(pool, { stale_after_ms: 10 * 365 * DAY_MS });
  const ids = [];
  for (let at = 0; at < CONFIGURATIONS; at += 1) {
    const id = await aConfiguration(pool, { profile_id, label: `Submariner ${at}` });
    await aSnapshot(pool, id);
    for (const year of [2021, 2022, 2023, 2024, 2025]) {
      for (const condition_bucket of ["new", "like_new", "used"]) {
        await aCell(pool, { configuration_id: id, year, condition_bucket });
      }
    }
    await anAlert(pool, {
      name: `Submariner ${at}`,
      strategy: "price_engine",
      is_system: true,
      configuration_id: id,
      managed_by: "price_engine",
      filters: { configuration_ids: [id] },
    });
    ids.push(id);
  }
  return ids;
}

const A_CONTEXT = {
  strategy: "price_engine",
  configuration_id: randomUUID(),
  baseline_average_eur_minor: 1_032_000,
  baseline_median_eur_minor: 1_040_000,
  original_ask_eur_minor: 900_000,
  hk_markup_eur_minor: 60_000,
  comparable_ask_eur_minor: 960_000,
  profit_opportunity_eur_minor: 72_000,
  minimum_profit_eur_minor: 50_000,
  year: 2023,
  condition_bucket: "new",
  brand: "rolex",
  reference: "126610LN",
  source_market: "EU",
  snapshot_at_ms: NOW_MS,
  source_sequence: 77,
  calculation_version: "price-engine.v1",
  configuration_key: "rolex:126610LN",
};
