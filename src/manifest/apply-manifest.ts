import type { Clock } from "../base/clock.ts";
import { assert } from "../base/errors.ts";
import { type Database, type DatabasePool, LONG_WORK } from "../db/database.ts";
import { takeLock } from "../db/locks.ts";
import type { ChangedFxRate } from "../rates/fx-store.ts";
import { findDoubts, toRefused } from "./find-doubts.ts";
import type { Difference } from "./identify.ts";
import { loadDeclarations } from "./load-declarations.ts";
import type { Manifest } from "./parse-manifest.ts";
import { type Plan, planManifest } from "./plan.ts";
import { ManifestError, type Problem } from "./problem.ts";
import { savePlan } from "./save-plan.ts";
import { KIND_NAMES, type KindName } from "./schema.ts";
import { type Judges, loadWorld } from "./world.ts";

interface ApplyOptions {
  readonly clock: Clock;
  /** Does everything and rolls it back. */
  readonly isDryRun?: boolean;
  /** Removes what is no longer declared, of the kinds that the files name. */
  readonly isPruning?: boolean;
  /** Refuses members of filters that no filter knows, and what is probably not meant. */
  readonly isStrict?: boolean;
  /** Used for notes about what is probably not meant. */
  readonly judges?: Judges;
  readonly onProgress?: (count: number) => void;
}

export interface KindReport {
  readonly kind: KindName;
  /** Natural keys. */
  readonly created: readonly string[];
  readonly changed: readonly string[];
  readonly unchangedCount: number;
  readonly pruned: readonly string[];
  /** Of the changed ones, those that the API managed until now. */
  readonly takenOver: readonly string[];
}

export interface ApplyReport {
  /** For each kind that the files name. */
  readonly kinds: readonly KindReport[];
  readonly notes: readonly Problem[];
}

/**
 * Brings the store to what the files declare, in one transaction. No step of the pipeline runs until the commit, so no listing is
 * matched against half of a manifest. Throws a `ManifestError` with all problems, and then changes nothing.
 */
export async function applyManifest(
  pool: DatabasePool,
  manifest: Manifest,
  options: ApplyOptions,
): Promise<ApplyReport> {
  const outcome: { report?: ApplyReport } = {};
  try {
    await pool.transaction(async (tx) => {
      await takeLock(tx, "pipeline");
      await takeLock(tx, "declarations");
      outcome.report = await applyAlone(tx, manifest, options);
      if (options.isDryRun === true) throw new DryRunEnd();
    }, LONG_WORK);
  } catch (error) {
    if (!(error instanceof DryRunEnd)) throw error;
  }
  assert(outcome.report !== undefined, "a manifest was applied without a report");
  return outcome.report;
}

/** Ends the transaction of a dry run, which rolls it back. */
class DryRunEnd extends Error {}

async function applyAlone(
  tx: Database,
  manifest: Manifest,
  options: ApplyOptions,
): Promise<ApplyReport> {
  const stored = await loadDeclarations(tx, manifest);
  const planning = { isPruning: options.isPruning === true };
  const { plan, problems, notes } = planManifest(manifest, stored, planning);
  const wrong = [...manifest.problems, ...problems];
  const judges = options.judges ?? {};
  const doubts =
    wrong.length > 0 ? [] : findDoubts(manifest.rows, await loadWorld(tx, manifest.rows, judges));
  const all = options.isStrict === true ? [...wrong, ...toRefused(notes, doubts)] : wrong;
  if (all.length > 0) throw new ManifestError(all);
  const rates = await savePlan(tx, plan, {
    stamp: { nowMs: options.clock.nowMs(), by: "apply" },
    rebuild: "now",
    ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
  });
  const reports = reportKinds(plan, rates);
  return {
    kinds: reports.filter(({ kind }) => manifest.kinds.has(kind)),
    notes: [...notes, ...doubts],
  };
}

function reportKinds(plan: Plan, rates: readonly ChangedFxRate[]): readonly KindReport[] {
  const reports: Readonly<Record<KindName, Omit<KindReport, "kind">>> = {
    profiles: report(plan.profiles, ({ name }) => name),
    views: report(plan.views, ({ name }) => name),
    configurations: report(plan.configurations, (one) => one.configuration_key),
    alerts: report(plan.alerts, ({ name }) => name),
    webhooks: report(plan.webhooks, ({ name }) => name),
    sessions: report(plan.sessions, (one) => one.gateway_name),
    groups: report(plan.groups, (one) => one.gateway_group_id),
    group_presets: report(plan.presets, ({ name }) => name),
    fx_rates: reportRates(plan, rates),
  };
  return KIND_NAMES.map((kind) => ({ kind, ...reports[kind] }));
}

function report<Stored extends object>(
  difference: Difference<Stored>,
  keyOf: (row: Stored) => string,
): Omit<KindReport, "kind"> {
  return {
    created: difference.created.map(keyOf),
    changed: difference.changed.map(({ after }) => keyOf(after)),
    unchangedCount: difference.unchangedCount,
    pruned: difference.pruned.map(keyOf),
    takenOver: difference.changed
      .filter(({ before }) => (before as { managed_by?: unknown }).managed_by === "api")
      .map(({ after }) => keyOf(after)),
  };
}

/** A rate is a fact of its day, so rates are never pruned. */
function reportRates(plan: Plan, rates: readonly ChangedFxRate[]): Omit<KindReport, "kind"> {
  const keyOf = ({ day, currency }: { day: string; currency: string }) => `${day} ${currency}`;
  const given = new Set(plan.fxRates.map(keyOf));
  const ours = rates.filter((rate) => rate.kind === "declared" && given.has(keyOf(rate)));
  return {
    created: ours.filter((rate) => rate.is_new).map(keyOf),
    changed: ours.filter((rate) => !rate.is_new).map(keyOf),
    unchangedCount: given.size - ours.length,
    pruned: [],
    takenOver: [],
  };
}
