import type { Clock } from "../../base/clock.ts";
import { toReason } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import type { Database } from "../../db/database.ts";
import { type BuySignal, toBuySignals } from "../buy-signal.ts";
import { type CellCalculator, createCellCalculator } from "./calculate-cells.ts";
import { hashCells } from "./cell-store.ts";
import {
  listFreshAsks,
  loadConfigurations,
  queueNextHeadlines,
  type RefreshedConfiguration,
  type RefreshFailure,
  readMembers,
  type Snapshot,
  saveFailures,
  saveSnapshots,
} from "./refresh-store.ts";

export interface RefreshContext {
  readonly clock: Clock;
  readonly log: Logger;
}

export interface RefreshReport {
  readonly takenCount: number;
  readonly failedCount: number;
  readonly changedCellCount: number;
}

interface Refresh {
  readonly report: RefreshReport;
  /** The fresh listings that are buys by the new cells. The caller fires their alerts in the same transaction. */
  readonly signals: readonly BuySignal[];
}

const FAILED = "a configuration could not be calculated and keeps its last good cells";

/** Calculates the cells of these configurations and saves them. A configuration that fails keeps its last good cells. */
export async function refreshConfigurations(
  tx: Database,
  ids: readonly string[],
  { clock, log }: RefreshContext,
): Promise<Refresh> {
  const nowMs = clock.nowMs();
  const configurations = await loadConfigurations(tx, ids);
  const calculations = configurations.map(
    (configuration): Calculation => ({
      configuration,
      calculator: createCellCalculator(configuration, nowMs),
      log,
      sourceSequence: 0,
    }),
  );
  const byId = new Map(calculations.map((each) => [each.configuration.id, each]));
  await readMembers(tx, configurations, {
    nowMs,
    onMember: (member) => {
      const calculation = byId.get(member.configuration_id);
      if (calculation !== undefined) attempt(calculation, () => addMember(calculation, member));
    },
  });
  const snapshots = calculations.flatMap(finish);
  const failures = calculations.flatMap(toFailure);
  const { changedCellCount, lostIds } = await saveSnapshots(tx, snapshots, nowMs);
  if (lostIds.length > 0) await queueNextHeadlines(tx, { lostIds, refreshedIds: ids }, nowMs);
  if (failures.length > 0) await saveFailures(tx, failures, nowMs);
  return {
    report: { takenCount: ids.length, failedCount: failures.length, changedCellCount },
    signals: await findBuySignals(tx, { configurations, snapshots, nowMs }),
  };
}

/** Logs and stores why a configuration could not be refreshed. */
export async function failConfiguration(
  tx: Database,
  id: string,
  error: unknown,
  { clock, log }: RefreshContext,
): Promise<RefreshReport> {
  log.error({ err: error, configurationId: id }, FAILED);
  await saveFailures(tx, [{ configuration_id: id, reason: toReason(error) }], clock.nowMs());
  return { takenCount: 1, failedCount: 1, changedCellCount: 0 };
}

interface Calculation {
  readonly configuration: RefreshedConfiguration;
  readonly calculator: CellCalculator;
  readonly log: Logger;
  sourceSequence: number;
  failure?: string;
}

function addMember(calculation: Calculation, member: Parameters<OnMember>[0]): void {
  calculation.calculator.add(member);
  if (member.contact_id === null) return;
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
      cells_hash: hashCells(cells),
      newest_at_ms: calculator.newestAtMs(),
    },
  ];
}

/** Skips the work after a failure. One configuration that cannot be calculated does not stop the others. */
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

async function findBuySignals(
  tx: Database,
  batch: {
    readonly configurations: readonly RefreshedConfiguration[];
    readonly snapshots: readonly Snapshot[];
    readonly nowMs: number;
  },
): Promise<readonly BuySignal[]> {
  const priced = batch.snapshots
    .filter(({ cells }) => cells.some(({ status }) => status === "available"))
    .map((snapshot) => snapshot.configuration_id);
  const configurations = batch.configurations.filter(
    ({ id, buy_signals_enabled }) => buy_signals_enabled && priced.includes(id),
  );
  if (configurations.length === 0) return [];
  const ids = configurations.map(({ id }) => id);
  const asks = await listFreshAsks(tx, ids, batch.nowMs);
  return toBuySignals({ ...batch, configurations, asks });
}
