import { AppError } from "../base/errors.ts";
import type { Database } from "../db/database.ts";
import type { Stamp } from "../db/row.ts";
import { findDoubts, toRefused } from "./find-doubts.ts";
import type { Difference } from "./identify.ts";
import { loadNamed, type WrittenKind } from "./load-declarations.ts";
import { checkRow, type Row, type Rows } from "./parse-manifest.ts";
import { type Plan, planManifest } from "./plan.ts";
import { formatPath, type Problem } from "./problem.ts";
import { savePlan } from "./save-plan.ts";
import { type Declared, KIND_NAMES } from "./schema.ts";
import { type Judges, loadWorld } from "./world.ts";

interface DeclarationWrite<Kind extends WrittenKind> {
  readonly kind: Kind;
  /** In the members of the manifest. It is checked here. */
  readonly given: Readonly<Record<string, unknown>> & { readonly id: string };
  readonly stamp: Stamp;
  /** Refuses what it would warn of. */
  readonly isStrict: boolean;
  readonly judges: Judges;
}

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

/** A hint is slow, and a response shows no more warnings than this. */
const HINTS_MAX = 20;

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
