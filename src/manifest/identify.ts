/** What all plans share: ids and natural keys of declared items, and how the stored ones differ from them. */
import { isDeepStrictEqual } from "node:util";
import { toStableId } from "../base/ids.ts";
import { isPlainName } from "../base/text.ts";
import { makeConfigurationKey } from "../pricing/configurations/configuration.ts";
import { toStorable } from "./declared-filters.ts";
import type { Row } from "./parse-manifest.ts";
import { formatPlace, type Problem } from "./problem.ts";
import type { Declared, KindName } from "./schema.ts";

/** A declared item with its id and natural key. */
export interface Identified<Kind extends KindName> {
  readonly row: Row<Kind>;
  readonly id: string;
  readonly key: string;
}

interface Known {
  readonly id: string;
}

/**
 * Finds the id of every declared item: the declared id, else the id of the stored item with the same natural key, else an
 * id derived from the key. Reports items that are declared twice, and keys that a stored item has under another id.
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
    const duplicate = byKey.get(key) ?? byId.get(id);
    if (duplicate !== undefined) {
      const where = formatPlace(duplicate.problemAt([], ""));
      const member = byKey.has(key) ? keyMember : "id";
      problems.push(row.problemAt([member], `the same ${member} is already declared at ${where}`));
      continue;
    }
    byKey.set(key, row);
    byId.set(id, row);
    if (given !== undefined && freeId !== undefined && freeId !== given) {
      const text = `this ${keyMember} is already stored with another id, ${freeId}`;
      problems.push({ ...row.problemAt(["id"], text), reason: "taken" });
      continue;
    }
    identified.push({ row, id, key });
  }
  return { identified, problems };
}

/** For the kinds whose natural key is the name. `noun` is what made ids are derived from. */
export function identifyByName<
  Kind extends Exclude<KindName, "fx_rates" | "sessions" | "groups" | "configurations">,
  Stored extends Known & { readonly name: string },
>(rows: readonly Row<Kind>[], noun: string, stored: readonly Stored[]) {
  const { identified, problems } = identify(rows, {
    keyMember: "name",
    keyOf: ({ given }) => given.name,
    makeId: madeIdOf(noun),
    stored,
    storedKeyOf: ({ name }) => name,
  });
  return { identified, problems: [...problems, ...checkNames(rows, stored)] };
}

/** A name that is stored already stays, so that the rest of its item can still be changed. */
function checkNames(
  rows: readonly Row<Exclude<KindName, "fx_rates" | "sessions" | "groups" | "configurations">>[],
  stored: readonly { readonly name: string }[],
): readonly Problem[] {
  const odd = rows.filter(({ given }) => !isPlainName(given.name));
  if (odd.length === 0) return [];
  const known = new Set(stored.map(({ name }) => name));
  return odd
    .filter(({ given }) => !known.has(given.name))
    .map((row) => row.problemAt(["name"], "must not have line breaks or invisible characters"));
}

/** The declared key, or the one that is made of the other members. */
export function keyOfConfiguration(given: Declared<"configurations">): string {
  const { configuration_key: key, filters = {} } = given;
  return key ?? makeConfigurationKey({ ...given, filters: toStorable(filters) });
}

export function madeIdOf(kind: string): (key: string) => string {
  return (key) => toStableId(kind, key);
}

function declaredId(row: Row<Exclude<KindName, "fx_rates">>): string | undefined {
  return row.given.id?.toLowerCase();
}

/** The rows of a kind as they should be stored, with the problems and notes about them. */
export interface Wanted<Stored> {
  readonly wanted: readonly Stored[];
  readonly problems: readonly Problem[];
  readonly notes: readonly Problem[];
}

/** How the stored items of a kind will change. */
export interface Difference<Stored> {
  readonly created: readonly Stored[];
  readonly changed: readonly { readonly before: Stored; readonly after: Stored }[];
  readonly unchangedCount: number;
  readonly pruned: readonly Stored[];
  /** All items as they will be stored. */
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

/** Returns the created and changed rows as they will be stored. */
export function savedRows<Stored>({ created, changed }: Difference<Stored>): readonly Stored[] {
  return [...created, ...changed.map(({ after }) => after)];
}
