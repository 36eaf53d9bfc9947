import { firePriceAlerts } from "../alerts/fire-alerts.ts";
import { HOUR_MS } from "../base/clock.ts";
import type { DatabasePool, Transaction } from "../db/database.ts";
import { beginStep, type Lane } from "../db/queue.ts";
import { isItemFault } from "../db/store-error.ts";
import type { FilterIndex } from "../filters/index/filter-index.ts";
import {
  failConfiguration,
  type RefreshContext,
  type RefreshReport,
  refreshConfigurations,
} from "../pricing/cells/refresh-configurations.ts";
import {
  endRebuild,
  queueDueRefreshes,
  takeQueuedConfigurations,
} from "../pricing/cells/schedule-store.ts";
import { repairAfterReplay } from "./replay.ts";

export interface RefreshOptions extends RefreshContext {
  readonly batchMax: number;
  readonly index: FilterIndex;
  /** Only these of the queued configurations. */
  readonly configurationIds?: readonly string[];
  /** Without a lane it takes configurations of both. */
  readonly lane?: Lane;
}

/** Asks leave the look-back without an event, so every configuration is calculated at least this often. */
const REFRESH_AT_LEAST_EVERY_MS = HOUR_MS;

/**
 * Calculates a batch of queued configurations and fires the alerts of their buys, in one transaction. Then queues those
 * that are due; if nothing else was queued, it calculates these at once. While a replay rebuilds the market it waits:
 * prices of half a market would be wrong, and visible.
 */
export async function refreshCells(
  pool: DatabasePool,
  options: RefreshOptions,
): Promise<RefreshReport> {
  const report = await refreshBatch(pool, options);
  if (options.configurationIds !== undefined || options.lane === "fresh") return report;
  const nowMs = options.clock.nowMs();
  const isRebuilt = await pool.transaction(async (tx) => {
    await beginStep(tx);
    return endRebuild(tx);
  });
  await repairAfterReplay(pool, nowMs);
  const dueCount = await pool.transaction(async (tx) => {
    await beginStep(tx);
    return queueDueRefreshes(tx, { nowMs, everyMs: REFRESH_AT_LEAST_EVERY_MS });
  });
  const isMore = isRebuilt || dueCount > 0;
  return report.takenCount > 0 || !isMore ? report : refreshBatch(pool, options);
}

function refreshBatch(pool: DatabasePool, options: RefreshOptions): Promise<RefreshReport> {
  return pool.transaction(async (tx) => {
    await beginStep(tx, options.lane);
    const ids = await takeQueuedConfigurations(tx, options);
    if (ids.length === 0) return { takenCount: 0, failedCount: 0, changedCellCount: 0 };
    try {
      return await refreshAndFire(tx, ids, options);
    } catch (error) {
      if (!isItemFault(error)) throw error;
      return refreshSingly(tx, ids, options);
    }
  });
}

/** The savepoint undoes the cells of a configuration whose alerts could not be fired. */
function refreshAndFire(
  tx: Transaction,
  ids: readonly string[],
  options: RefreshOptions,
): Promise<RefreshReport> {
  return tx.savepoint(async (inner) => {
    const { report, signals } = await refreshConfigurations(inner, ids, options);
    await firePriceAlerts(inner, signals, { ...options, nowMs: options.clock.nowMs() });
    return report;
  });
}

/** Refreshes each configuration on its own, to find the one that fails and save the others. */
async function refreshSingly(
  tx: Transaction,
  ids: readonly string[],
  options: RefreshOptions,
): Promise<RefreshReport> {
  const total = { takenCount: 0, failedCount: 0, changedCellCount: 0 };
  for (const id of ids) {
    const report = await refreshOne(tx, id, options);
    total.takenCount += 1;
    total.failedCount += report.failedCount;
    total.changedCellCount += report.changedCellCount;
  }
  return total;
}

async function refreshOne(
  tx: Transaction,
  id: string,
  options: RefreshOptions,
): Promise<RefreshReport> {
  try {
    return await refreshAndFire(tx, [id], options);
  } catch (error) {
    if (!isItemFault(error)) throw error;
    return failConfiguration(tx, id, error, options);
  }
}
