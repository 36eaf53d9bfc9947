import { DAY_MS } from "../../base/clock.ts";
import type { Database } from "../../db/database.ts";
import { type Sql, sql } from "../../db/sql.ts";
import { estimateListings, inSample, type Share, shareOf } from "../../listings/figures/sample.ts";
import { type AttributeName, type Directory, NUMBERS } from "../language/attributes.ts";
import type { Clause } from "../language/clause.ts";
import type { Filter } from "../language/filter.ts";
import { compileSql } from "./compile-sql.ts";

/** How much one response may read. */
export interface ScanBudget {
  /** Below this cost, all listings are read. It is about 30,000 listings in any order, or a table of 300,000. */
  readonly costMax: number;
  /** A sample has at most about this many listings to look at. */
  readonly rowsMax: number;
}

const WHOLE_BUDGET: ScanBudget = { costMax: 30_000, rowsMax: 20_000 };
/** About ten milliseconds. */
const CROWDED_BUDGET: ScanBudget = { costMax: 1_000, rowsMax: 1_500 };

/**
 * For later pages of a list, which keep the sample of the first: a crowd or a market that grows between two pages changes nothing, up to
 * twice the whole budget. It bounds a share that a client wrote into its cursor.
 */
export const LATER_PAGES_BUDGET: ScanBudget = {
  costMax: 2 * WHOLE_BUDGET.costMax,
  rowsMax: 2 * WHOLE_BUDGET.rowsMax,
};

export function scanBudget(isCrowded: boolean): ScanBudget {
  return isCrowded ? CROWDED_BUDGET : WHOLE_BUDGET;
}

/** A part of the budget, for a response that reads several times. */
export function divideBudget({ costMax, rowsMax }: ScanBudget, parts: number): ScanBudget {
  return { costMax: costMax / parts, rowsMax: rowsMax / parts };
}

/** Figures are about what was seen in this time, unless the filter bounds a time. */
const WINDOW_MS = 30 * DAY_MS;

/** Returns undefined if the filter bounds a time itself. */
export function findWindowStart(filter: Filter, nowMs: number): number | undefined {
  return filter.clauses.some(isAboutTime) ? undefined : nowMs - WINDOW_MS;
}

export function seenSince(filter: Filter, sinceMs: number | undefined): Filter {
  if (sinceMs === undefined) return filter;
  const clause: Clause = {
    member: "last_seen_at_ms",
    kind: "between",
    attribute: "last_seen_at_ms",
    gte: sinceMs,
  };
  return { clauses: [...filter.clauses, clause] };
}

/**
 * Chooses the share of the listings to read: all if the planner expects that to be cheap, otherwise a sample. A sample
 * costs what its index has to walk through, so the clauses that a B-tree holds in order are counted, and no others.
 */
export async function chooseShare(
  db: Database,
  scan: { readonly filter: Filter; readonly directory: Directory },
  budget: ScanBudget,
): Promise<Share> {
  const { filter, directory } = scan;
  const { cost } = await estimateListings(db, compileSql(filter, directory));
  if (cost <= budget.costMax) return 1;
  const walked = { clauses: filter.clauses.filter(isInTree) };
  const { rowCount } = await estimateListings(db, compileSql(walked, directory));
  return shareOf(rowCount, budget.rowsMax);
}

/** The listings of a sample that a filter selects. */
export function compileSample(filter: Filter, directory: Directory, share: Share): Sql {
  return sql`${compileSql(filter, directory)} and ${inSample(share)}`;
}

function isAboutTime(clause: Clause): boolean {
  return clause.kind === "between" && NUMBERS[clause.attribute].isTime;
}

function isInTree(clause: Clause): boolean {
  if (clause.kind === "between") return clause.attribute === "last_seen_at_ms";
  return clause.kind === "any_of" && TREE_ATTRIBUTES.has(clause.attribute);
}

const TREE_ATTRIBUTES: ReadonlySet<AttributeName> = new Set([
  "brand",
  "model",
  "reference",
  "phone_number",
  "contact_id",
  "canonical_message_id",
]);
