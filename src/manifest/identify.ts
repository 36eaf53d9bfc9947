import { isDeepStrictEqual } from "node:util";
import { idOf } from "../base/ids.ts";
import type { Row } from "./parse-manifest.ts";
import { formatProblem, type Problem } from "./problem.ts";
import type { KindName } from "./schema.ts";

/** A declared thing with its id and natural key. */
export interface Identified<Kind extends KindName> {
  readonly row: Row<Kind>;
  readonly id: string;
  readonly key: string;
}

interface Known {
  readonly id: string;
}

/**
 * Gives every declared thing its id: the declared one, else that of the stored thing with the same natural key, else one
 * made from the key. What is declared twice, or takes a key away from another thing, is a problem.
 */
export function identify<Kind extends Exclude<KindName, "fx_rates">, Stored extends Known>(
  rows: readonly Row<Kind>[],
  options: {
    readonly keyMember: string;
    readonly keyOf: (row: Row<Kind>) => string;
    readonly makeId: (key: string) => string;
    readonly stored: readonly Stored[];
    readonly storedKeyOf: (stored: Stored) => string;
  },
): { readonly identified: readonly Identified<Kind>[]; readonly problems: readonly Problem[] } {
  const { keyMember, keyOf, makeId, storedKeyOf } = options;
  const storedByKey = new Map(options.stored.map((stored) => [storedKeyOf(stored), stored.id]));
  const claimed = new Set(rows.flatMap((row) => declaredId(row) ?? []));
  const problems: Problem[] = [];
  const byKey = new Map<string, Row<Kind>>();
  const byId = new Map<string, Row<Kind>>();
  const identified: Identified<Kind>[] = [];
  for (const row of rows) {
    const key = keyOf(row);
    const storedId = storedByKey.get(key);
    const given = declaredId(row);
    const freeId = storedId !== undefined && !claimed.has(storedId) ? storedId : undefined;
    const id = given ?? freeId ?? makeId(key);
    const twin = byKey.get(key) ?? byId.get(id);
    if (twin !== undefined) {
      const where = formatProblem(twin.problemAt([], "")).replace(/: $/, "");
      const member = byKey.has(key) ? keyMember : "id";
      problems.push(row.problemAt([member], `the same ${member} is declared at ${where} already`));
      continue;
    }
    byKey.set(key, row);
    byId.set(id, row);
    if (given !== undefined && freeId !== undefined && freeId !== given) {
      problems.push(
        row.problemAt(["id"], `the store knows this ${keyMember} by another id, ${freeId}`),
      );
      continue;
    }
    identified.push({ row, id, key });
  }
  return { identified, problems };
}

export function madeIdOf(kind: string): (key: string) => string {
  return (key) => idOf(kind, key);
}

function declaredId(row: Row<Exclude<KindName, "fx_rates">>): string | undefined {
  return row.given.id?.toLowerCase();
}

/** What becomes of the stored things of a kind. */
export interface Difference<Stored> {
  readonly created: readonly Stored[];
  readonly changed: readonly { readonly before: Stored; readonly after: Stored }[];
  readonly unchangedCount: number;
  readonly pruned: readonly Stored[];
  /** The stored things as they will be. */
  readonly after: readonly Stored[];
}

export function compareRows<Stored extends Known>(
  stored: readonly Stored[],
  wanted: readonly Stored[],
  isPruned: (row: Stored) => boolean,
): Difference<Stored> {
  const storedById = new Map(stored.map((row) => [row.id, row]));
  const wantedIds = new Set(wanted.map(({ id }) => id));
  const others = stored.filter(({ id }) => !wantedIds.has(id));
  const pairs = wanted.map((after) => ({ before: storedById.get(after.id), after }));
  const changed = pairs.flatMap(({ before, after }) =>
    before === undefined || isDeepStrictEqual({ ...before }, after) ? [] : [{ before, after }],
  );
  const created = pairs.filter(({ before }) => before === undefined).map(({ after }) => after);
  return {
    created,
    changed,
    unchangedCount: wanted.length - created.length - changed.length,
    pruned: others.filter(isPruned),
    after: [...others.filter((row) => !isPruned(row)), ...wanted],
  };
}

/** Created and changed rows as they will be. */
export function savedRows<Stored>({ created, changed }: Difference<Stored>): readonly Stored[] {
  return [...created, ...changed.map(({ after }) => after)];
}
