import { randomUUID } from "node:crypto";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { queueRefreshes } from "../../src/matching/refresh-queue-store.ts";
import { type RefreshOptions, refreshCells } from "../../src/pipeline/refresh-cells.ts";
import { stepContext } from "./drain.ts";
import { aListing, aModel } from "./rows.ts";
import { NOW_MS } from "./test-app.ts";

type Columns = Readonly<Record<string, unknown>>;

/** A listing for sale in euros that is a member of these configurations. */
export async function anAsk(
  db: DatabasePool,
  euros: number,
  ask: {
    readonly models: readonly string[];
    readonly market?: "EU" | "HK";
    readonly columns?: Columns;
  },
): Promise<string> {
  const listingId = await aListing(db, {
    contact_id: randomUUID(),
    price_amount_minor: euros * 100,
    price_eur_minor: euros * 100,
    ...ask.columns,
  });
  for (const configuration_id of ask.models) {
    await aModel(db, {
      listing_id: listingId,
      configuration_id,
      source_market: ask.market ?? "EU",
    });
  }
  return listingId;
}

/** Queues these configurations and calculates them. */
export async function refresh(
  db: DatabasePool,
  ids: readonly string[],
  options: Partial<RefreshOptions> = {},
) {
  await queueRefreshes(db, ids, NOW_MS);
  return refreshQueued(db, options);
}

/** Calculates the queued configurations. */
export async function refreshQueued(db: DatabasePool, options: Partial<RefreshOptions> = {}) {
  const context = await stepContext(db);
  const report = await refreshCells(db, { ...context, batchMax: 100, ...options });
  await context.close();
  return report;
}

/** Returns the stored cells of a configuration as `year bucket: status count average`. */
export async function showCells(db: DatabasePool, configurationId: string): Promise<string[]> {
  const rows = await db.query<{ line: string }>(sql`
    select concat_ws(' ', year, condition_bucket || ':', status, listing_count, market_average_eur_minor) as line
      from price_cell where configuration_id = ${configurationId}
     order by year desc, condition_bucket`);
  return rows.map(({ line }) => line);
}

/** Returns the stored history of a configuration in the same form, oldest first. */
export async function showHistory(db: DatabasePool, configurationId: string): Promise<string[]> {
  const rows = await db.query<{ line: string }>(sql`
    select concat_ws(' ', year, condition_bucket || ':', status, listing_count, market_average_eur_minor) as line
      from price_cell_history where configuration_id = ${configurationId}
     order by calculated_at_ms, year desc, condition_bucket`);
  return rows.map(({ line }) => line);
}
