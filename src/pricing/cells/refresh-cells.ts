import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import { HOUR_MS } from "../../base/time.ts";
import type { Database, DatabasePool, Transaction } from "../../db/database.ts";
import { beginStep } from "../../db/locks.ts";
import { isConflict, isStoreDown } from "../../db/store-error.ts";
import type { BuySignal } from "../buy-signal.ts";
import { toBuySignals } from "../to-buy-signals.ts";
import { type CellCalculator, createCellCalculator } from "./calculate-cells.ts";
import { endRebuild } from "./rebuild-store.ts";
import { queueDueRefreshes, takeRefreshes } from "./refresh-queue-store.ts";
import {
  listNews,
  loadConfigurations,
  type RefreshedConfiguration,
  type RefreshFailure,
  readMembers,
  type Snapshot,
  saveFailures,
  saveSnapshots,
} from "./refresh-store.ts";

export interface RefreshOptions {
  readonly batchMax: number;
  readonly clock: Clock;
  readonly log: Logger;
  /** Only these, of what is queued. */
  readonly configurationIds?: readonly string[];
  /** Told of every buy among what is news, in the transaction of the snapshot that makes it one. */
  readonly fire?: (tx: Database, signals: readonly BuySignal[]) => Promise<void>;
}

export interface RefreshReport {
  readonly takenCount: number;
  readonly failedCount: number;
  readonly changedCellCount: number;
}

/** Asks age out of the look-back without an event, so everything is calculated at least so often. */
const REFRESH_AT_LEAST_EVERY_MS = HOUR_MS;
const REASON_LENGTH_MAX = 300;
const FAILED = "a configuration could not be calculated and keeps its last good cells";

/**
 * Calculates a batch of the configurations that are queued, in one transaction, and queues those that are due; when there
 * was nothing else, these are calculated at once. While a replay rebuilds the market it waits: half of a market has other
 * prices, and everybody would see them.
 */
export async function refreshCells(
  pool: DatabasePool,
  options: RefreshOptions,
): Promise<RefreshReport> {
  const report = await refreshBatch(pool, options);
  if (options.configurationIds !== undefined) return report;
  const nowMs = options.clock.nowMs();
  const isRebuilt = await pool.transaction(async (tx) => {
    await beginStep(tx);
    return endRebuild(tx, nowMs);
  });
  const dueCount = await pool.transaction(async (tx) => {
    await beginStep(tx);
    return queueDueRefreshes(tx, { nowMs, attemptedBeforeMs: nowMs - REFRESH_AT_LEAST_EVERY_MS });
  });
  const isMore = isRebuilt || dueCount > 0;
  return report.takenCount > 0 || !isMore ? report : refreshBatch(pool, options);
}

function refreshBatch(pool: DatabasePool, options: RefreshOptions): Promise<RefreshReport> {
  return pool.transaction(async (tx) => {
    await beginStep(tx);
    const ids = await takeRefreshes(tx, options);
    if (ids.length === 0) return { takenCount: 0, failedCount: 0, changedCellCount: 0 };
    try {
      return await tx.savepoint((inner) => refreshConfigurations(inner, ids, options));
    } catch (error) {
      if (isPassing(error)) throw error;
      return refreshSingly(tx, ids, options);
    }
  });
}

/** Which of them it was that failed shows when each is tried by itself; the others are saved. */
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
    return await tx.savepoint((inner) => refreshConfigurations(inner, [id], options));
  } catch (error) {
    if (isPassing(error)) throw error;
    options.log.error({ err: error, configurationId: id }, FAILED);
    const failure = { configuration_id: id, reason: toReason(error) };
    await saveFailures(tx, [failure], options.clock.nowMs());
    return { takenCount: 1, failedCount: 1, changedCellCount: 0 };
  }
}

async function refreshConfigurations(
  tx: Database,
  ids: readonly string[],
  { clock, log, fire }: RefreshOptions,
): Promise<RefreshReport> {
  const nowMs = clock.nowMs();
  const configurations = await loadConfigurations(tx, ids);
  const calculations = configurations.map((configuration) => ({
    configuration,
    calculator: createCellCalculator(configuration, nowMs),
    log,
    sourceSequence: 0,
  }));
  await readMembers(tx, configurations, {
    nowMs,
    onMember: (member) => {
      const calculation = calculations[member.at];
      if (calculation !== undefined) attempt(calculation, () => take(calculation, member));
    },
  });
  const snapshots = calculations.flatMap(finish);
  const failures = calculations.flatMap(toFailure);
  const { changedCellCount } = await saveSnapshots(tx, snapshots, nowMs);
  if (failures.length > 0) await saveFailures(tx, failures, nowMs);
  if (fire !== undefined) await fireBuys(tx, { configurations, snapshots, nowMs, fire });
  return { takenCount: ids.length, failedCount: failures.length, changedCellCount };
}

interface Calculation {
  readonly configuration: RefreshedConfiguration;
  readonly calculator: CellCalculator;
  readonly log: Logger;
  sourceSequence: number;
  failure?: string;
}

function take(calculation: Calculation, member: Parameters<OnMember>[0]): void {
  calculation.calculator.add(member);
  calculation.sourceSequence = Math.max(calculation.sourceSequence, member.sequence);
}

type OnMember = Parameters<typeof readMembers>[2]["onMember"];

function finish(calculation: Calculation): readonly Snapshot[] {
  const { configuration, calculator } = calculation;
  const cells = attempt(calculation, () => calculator.finish());
  if (cells === undefined) return [];
  return [
    {
      configuration_id: configuration.id,
      revision: configuration.revision,
      source_sequence: calculation.sourceSequence,
      cells,
    },
  ];
}

/** Once it failed, nothing more is tried: one configuration that cannot be calculated does not stop the others. */
function attempt<Result>(calculation: Calculation, work: () => Result): Result | undefined {
  if (calculation.failure !== undefined) return undefined;
  try {
    return work();
  } catch (error) {
    calculation.log.error({ err: error, configurationId: calculation.configuration.id }, FAILED);
    calculation.failure = toReason(error);
    return undefined;
  }
}

function toFailure({ configuration, failure }: Calculation): readonly RefreshFailure[] {
  return failure === undefined ? [] : [{ configuration_id: configuration.id, reason: failure }];
}

async function fireBuys(
  tx: Database,
  batch: {
    readonly configurations: readonly RefreshedConfiguration[];
    readonly snapshots: readonly Snapshot[];
    readonly nowMs: number;
    readonly fire: NonNullable<RefreshOptions["fire"]>;
  },
): Promise<void> {
  const priced = batch.snapshots
    .filter(({ cells }) => cells.some(({ status }) => status === "available"))
    .map((snapshot) => snapshot.configuration_id);
  const configurations = batch.configurations.filter(
    ({ id, buy_signals_enabled }) => buy_signals_enabled && priced.includes(id),
  );
  if (configurations.length === 0) return;
  const ids = configurations.map(({ id }) => id);
  const news = await listNews(tx, ids, batch.nowMs);
  const signals = toBuySignals({ ...batch, configurations, news });
  if (signals.length > 0) await batch.fire(tx, signals);
}

/** Whether trying again later is all there is to do. A statement that takes too long is the configuration's own fault. */
function isPassing(error: unknown): boolean {
  if (isConflict(error)) return true;
  return isStoreDown(error) && (error as { code?: unknown }).code !== "57014";
}

function toReason(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  const message = error instanceof Error ? error.message : String(error);
  const reason = typeof code === "string" ? `${message} (${code})` : message;
  return reason.slice(0, REASON_LENGTH_MAX);
}
