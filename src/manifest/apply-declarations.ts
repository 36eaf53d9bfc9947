/**
 * From declarations to the store: load what is stored, plan, look for doubts, save. A manifest is applied whole, by `apply` and
 * the demo (`applyManifest`); the API writes one item (`writeDeclaration`) or deletes one (`deleteDeclaration`).
 */
import type { Clock } from "../base/clock.ts";
import { AppError, assert } from "../base/errors.ts";
import { toStableId } from "../base/ids.ts";
import { type Database, type DatabasePool, LONG_WORK } from "../db/database.ts";
import { takeLock } from "../db/locks.ts";
import type { Stamp } from "../db/row.ts";
import type { Author } from "../people/activity.ts";
import { recordActivity } from "../people/activity-store.ts";
import type { ChangedFxRate } from "../rates/fx-store.ts";
import { findDoubts, type Judges, loadWorld, toRefused } from "./find-doubts.ts";
import type { Difference } from "./identify.ts";
import { checkRow, type Manifest, type Row, type Rows } from "./parse-manifest.ts";
import { type Plan, planManifest } from "./plan.ts";
import { formatPath, ManifestError, type Problem } from "./problem.ts";
import { savePlan } from "./save-plan.ts";
import { type Declared, KIND_NAMES, type KindName } from "./schema.ts";
import { loadDeclarations, loadNamed, type WrittenKind } from "./stored-declarations.ts";

interface ApplyOptions {
  readonly clock: Clock;
  /** Who applies it, in the activity. The default is `cli`. */
  readonly by?: string;
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
  await recordApply(tx, reports, { name: options.by ?? "cli", nowMs: options.clock.nowMs() });
  return {
    kinds: reports.filter(({ kind }) => manifest.kinds.has(kind)),
    notes: [...notes, ...doubts],
  };
}

/** One row for all: a file may declare thousands of objects. */
async function recordApply(
  tx: Database,
  reports: readonly KindReport[],
  author: Author,
): Promise<void> {
  const changed = reports.flatMap(({ kind, created, changed, pruned }) => {
    const counts = { created: created.length, changed: changed.length, removed: pruned.length };
    const names = [...created, ...changed, ...pruned].slice(0, NAMES_MAX);
    if (names.length === 0) return [];
    return [[kind, { ...counts, ...(NAMELESS.has(kind) ? {} : { names }) }] as const];
  });
  if (changed.length === 0) return;
  const object = { kind: "manifest", id: toStableId("manifest") } as const;
  await recordActivity(tx, author, [
    { action: "applied", object, after: Object.fromEntries(changed) },
  ]);
}

/** How many names of a kind the activity shows. */
const NAMES_MAX = 10;
/** Their keys say little, and the id of an old group begins with the number of a person. */
const NAMELESS: ReadonlySet<KindName> = new Set(["groups", "fx_rates"]);

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

interface DeclarationWrite<Kind extends WrittenKind> {
  readonly kind: Kind;
  /** In the members of the manifest. It is checked here. */
  readonly given: Readonly<Record<string, unknown>> & { readonly id: string };
  readonly stamp: Stamp;
  /** Refuses what it would warn of. */
  readonly isStrict: boolean;
  readonly judges: Judges;
}

/** A hint is slow, and a response shows no more warnings than this. */
const HINTS_MAX = 20;

/**
 * Saves one declared item for the API by the rules of the manifest, and loads only the rows that it names. The caller holds
 * the lock of declarations. Returns warnings, and throws an `AppError` if the item is wrong or its name is taken.
 */
export async function writeDeclaration<Kind extends WrittenKind>(
  tx: Database,
  write: DeclarationWrite<Kind>,
): Promise<readonly string[]> {
  const row = toRow(write);
  refuse(checkRow(row));
  const given = row.given as Declared<Kind> & { readonly id: string };
  const stored = await loadNamed(tx, write.kind, given);
  const rows = { ...emptyRows(), [write.kind]: [row] } as unknown as Rows;
  const manifest = { rows, problems: [], kinds: new Set<WrittenKind>() };
  const { plan, problems, notes } = planManifest(manifest, stored, { isPruning: false });
  refuse(problems);
  const doubts = findDoubts(rows, await loadWorld(tx, rows, write.judges));
  if (write.isStrict) refuse(toRefused(notes, doubts));
  await savePlan(tx, plan, { stamp: write.stamp, rebuild: "queued" });
  return [...notes, ...doubts].map((note, at) =>
    describe(at < HINTS_MAX ? note : { ...note, hint: () => "" }, ", ignored"),
  );
}

function toRow<Kind extends WrittenKind>({ kind, given }: DeclarationWrite<Kind>): Row<Kind> {
  return {
    kind,
    managedBy: "api",
    given: given as Row<Kind>["given"],
    problemAt: (path, text) => ({ file: "", line: 0, member: formatPath(path), text }),
    writtenAt: () => undefined,
  };
}

function emptyRows(): Readonly<Record<string, readonly never[]>> {
  return Object.fromEntries(KIND_NAMES.map((kind) => [kind, []]));
}

function refuse(problems: readonly Problem[]): void {
  const [first] = problems.filter(({ isFollowUp }) => isFollowUp !== true);
  if (first === undefined) return;
  if (first.reason === "taken") throw new AppError("already_exists", "this name is already taken");
  throw new AppError("invalid_payload", describe(first));
}

/** `effect` is what happens to an unknown member. */
function describe({ member, text, hint, reason }: Problem, effect = ""): string {
  const shown = reason === "unknown_member" ? `unknown member${effect}` : text;
  return `${member === "" ? "" : `${member}: `}${shown}${hint?.() ?? ""}`;
}

/** Deletes one declared item with what depends on it. The caller holds the lock of declarations. */
export async function deleteDeclaration(
  tx: Database,
  deleted: Partial<Plan>,
  stamp: Stamp,
): Promise<void> {
  await savePlan(tx, { ...EMPTY_PLAN, ...deleted }, { stamp, rebuild: "queued" });
}

/** The part of a plan that deletes one row. */
export function withoutRow<Stored>(row: Stored): Difference<Stored> {
  return { ...UNCHANGED, pruned: [row] };
}

const UNCHANGED = { created: [], changed: [], unchangedCount: 0, pruned: [], after: [] };

const EMPTY_PLAN: Plan = {
  profiles: UNCHANGED,
  views: UNCHANGED,
  configurations: UNCHANGED,
  alerts: UNCHANGED,
  webhooks: UNCHANGED,
  sessions: UNCHANGED,
  groups: UNCHANGED,
  presets: UNCHANGED,
  fxRates: [],
};
