import type { Clock } from "../base/clock.ts";
import type { Config } from "../base/config.ts";
import type { Logger } from "../base/log.ts";
import { HOUR_MS } from "../base/time.ts";
import type { ChangeFeed } from "../db/changes.ts";
import type { DatabasePool } from "../db/database.ts";
import { openFilterIndex } from "../filters/index/filter-index.ts";
import { loadCatalogue } from "../listings/load-catalogue.ts";
import { finishUpgrade } from "./finish-upgrade.ts";
import type { StepContext } from "./step.ts";

export interface OpenStepContext extends StepContext {
  close(): Promise<void>;
}

/**
 * Loads what the steps need besides the database: the catalogue, and an index of the saved filters in memory. After an
 * update that needs a replay, it starts that replay first.
 */
export async function openStepContext(options: {
  readonly pool: DatabasePool;
  readonly clock: Clock;
  readonly feed: ChangeFeed;
  readonly log: Logger;
  readonly config: Pick<Config, "alertWindowHours" | "catalogueFile">;
}): Promise<OpenStepContext> {
  const { pool, clock, feed, log, config } = options;
  const catalogue = await loadCatalogue(config.catalogueFile);
  const index = await openFilterIndex({ db: pool, feed, log });
  const context = {
    pool,
    clock,
    log,
    alertWindowMs: config.alertWindowHours * HOUR_MS,
    catalogue,
    index,
    close: () => index.close(),
  };
  await finishUpgrade(context);
  return context;
}
