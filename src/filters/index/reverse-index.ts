import type { ListingFacts } from "../../listings/listing.ts";
import type { Clause } from "../language/clause.ts";
import type { Filter } from "../language/filter.ts";
import { type FilterContext, holds } from "../language/predicate.ts";
import {
  createIndexKeys,
  EVERY_LISTING,
  type IndexKeys,
  internKey,
  type KeyClause,
  observeListing,
} from "./keys.ts";
import {
  type Anchor,
  canMatchTwice,
  chooseAnchor,
  type IndexPlan,
  internAnchor,
  planFilter,
} from "./plan.ts";
import { probeListing } from "./probe.ts";
import {
  addRecords,
  CHECK,
  countRecords,
  createRecords,
  encodeCheck,
  encodeTimeCheck,
  type Records,
  releaseChecks,
  removeRecords,
  storeChecks,
} from "./records.ts";
import { createScan, type Scan, scanListing } from "./scan.ts";

/**
 * Finds all saved filters that match a listing, without asking each of them. Each filter is stored under its rarest
 * value, so a listing reads only the filters that are stored under values it has. `match` returns exactly the filters
 * for which the predicate (`language/predicate.ts`) holds.
 *
 *   save     plan.ts           sorts the clauses (bits, bounds, keys, the rest), chooses the rarest one or two as the anchor
 *            packed-values.ts  side, condition, marks … as bits of one integer; year and price bounds as another
 *            keys.ts           gives every value a number, its key
 *            records.ts        stores eight integers under each anchor key, and the conditions that do not fit into them
 *            int-tables.ts     what keys and records are kept in: an allocator and two hash tables
 *   match    probe.ts          turns the listing into its keys
 *            scan.ts           compares it with the records under these keys
 *
 * `filter-index.ts` keeps one such index up to date with the database.
 *
 * Example: `{brand: ["Rolex"], reference: ["126610LN"], year: {gte: 2021}}`. Few listings have this reference, so it is
 * the anchor. The record there says: year bracket of 2021 or later, and the key of brand rolex. A listing with the
 * reference 126610LN reads the record, and any other listing does not. `scan.ts` follows such a listing to the end.
 */
export interface ReverseIndex {
  /** Adds a filter, or replaces the filter with this id. */
  save(id: string, filter: Filter): void;
  /** Returns false if there is no filter with this id. */
  remove(id: string): boolean;
  /** Returns the ids of all matching filters, each once, in no particular order. */
  match(listing: ListingFacts): readonly string[];
  /** Counts the listing's values. Filters that are saved later use the counts to choose their rarest value. */
  observe(listing: ListingFacts): void;
  stats(): IndexStats;
  readonly parts: IndexParts;
}

export interface IndexStats {
  readonly filterCount: number;
  readonly recordCount: number;
  readonly keyCount: number;
  /** Filters without a key: they are compared with every listing. */
  readonly everyListingCount: number;
  /** Size of the integer arrays. Ids and the texts of keys are not included. */
  readonly bytes: number;
}

interface IndexOptions extends FilterContext {
  /** Called when a clause throws. That filter does not match, and the others are still matched. */
  readonly onFailure: (id: string, error: unknown) => void;
}

/** The data of the index. A slot is a filter's number in the index; a removed filter's slot is reused. */
interface IndexParts {
  readonly keys: IndexKeys;
  readonly records: Records;
  readonly scan: Scan;
  readonly slotById: Map<string, number>;
  readonly idBySlot: (string | undefined)[];
  /** The start of the filter's chain of records, or 0 if it has none. */
  readonly firstHandleBySlot: number[];
  readonly freeSlots: number[];
  /** Only slots that have clauses for the predicate. */
  readonly predicateClausesBySlot: Map<number, readonly Clause[]>;
}

export function createReverseIndex(options: IndexOptions): ReverseIndex {
  const parts = createParts();
  const predicateHolds = (slot: number, listing: ListingFacts): boolean => {
    try {
      for (const clause of parts.predicateClausesBySlot.get(slot) ?? []) {
        if (!holds(clause, listing, options)) return false;
      }
      return true;
    } catch (error) {
      options.onFailure(parts.idBySlot[slot] ?? "", error);
      return false;
    }
  };
  return {
    parts,
    save: (id, filter) => saveFilter(parts, id, planFilter(filter)),
    remove: (id) => removeFilter(parts, id),
    match: (listing) => {
      if (listing.is_not_offered) return [];
      probeListing(parts.keys, listing);
      const count = scanListing(parts, { listing, predicateHolds });
      return toIds(parts, count);
    },
    observe: (listing) => observeListing(parts.keys, listing),
    stats: () => toStats(parts),
  };
}

function createParts(): IndexParts {
  return {
    keys: createIndexKeys(),
    records: createRecords(),
    scan: createScan(),
    slotById: new Map(),
    idBySlot: [],
    firstHandleBySlot: [],
    freeSlots: [],
    predicateClausesBySlot: new Map(),
  };
}

function saveFilter(parts: IndexParts, id: string, plan: IndexPlan): void {
  removeFilter(parts, id);
  const slot = takeSlot(parts, id);
  if (plan.isImpossible) return;
  const { keys, records } = parts;
  const anchor = chooseAnchor(keys, [...plan.required, ...plan.implied]);
  const anchorKeys = internAnchor(keys, anchor);
  const { first, second, others } = splitRequired(plan, anchor);
  const checks = encodeResidual(keys, plan, others);
  if (plan.predicateClauses.length > 0)
    parts.predicateClausesBySlot.set(slot, plan.predicateClauses);
  parts.firstHandleBySlot[slot] = addRecords(records, anchorKeys, {
    slot,
    plan,
    canMatchTwice: canMatchTwice(keys, anchor),
    firstKey: internSingle(keys, first),
    secondKey: internSingle(keys, second),
    residual: storeChecks(records.residuals, checks),
  });
}

function takeSlot(parts: IndexParts, id: string): number {
  const slot = parts.freeSlots.pop() ?? parts.idBySlot.length;
  parts.idBySlot[slot] = id;
  parts.firstHandleBySlot[slot] = 0;
  parts.slotById.set(id, slot);
  return slot;
}

interface RequiredParts {
  readonly first: KeyClause | undefined;
  readonly second: KeyClause | undefined;
  readonly others: readonly KeyClause[];
}

/** A record has room for two clauses of one value each, besides the anchor. The others become residual checks. */
function splitRequired({ required }: IndexPlan, anchor: Anchor): RequiredParts {
  const unanchored = required.filter((clause) => anchor.every((anchored) => anchored !== clause));
  const [first, second] = unanchored.filter(({ values }) => values.length === 1);
  const others = unanchored.filter((clause) => clause !== first && clause !== second);
  return { first, second, others };
}

function encodeResidual(
  keys: IndexKeys,
  plan: IndexPlan,
  required: readonly KeyClause[],
): readonly number[] {
  return [
    ...required.flatMap((clause) => encodeCheck(CHECK.anyKey, internValues(keys, clause))),
    ...plan.forbidden.flatMap((clause) => encodeCheck(CHECK.noKey, internValues(keys, clause))),
    ...plan.times.flatMap(encodeTimeCheck),
    ...plan.phrases.flatMap((values) =>
      encodeCheck(CHECK.phrase, internValues(keys, { space: "word", values })),
    ),
    ...(plan.predicateClauses.length > 0 ? encodeCheck(CHECK.predicate, []) : []),
  ];
}

function internValues(keys: IndexKeys, { space, values }: KeyClause): readonly number[] {
  return values.map((value) => internKey(keys, space, value));
}

function internSingle(keys: IndexKeys, clause: KeyClause | undefined): number {
  return clause === undefined ? EVERY_LISTING : (internValues(keys, clause)[0] ?? EVERY_LISTING);
}

function removeFilter(parts: IndexParts, id: string): boolean {
  const slot = parts.slotById.get(id);
  if (slot === undefined) return false;
  const residual = removeRecords(parts.records, parts.firstHandleBySlot[slot] ?? 0);
  releaseChecks(parts.records.residuals, residual);
  parts.slotById.delete(id);
  parts.predicateClausesBySlot.delete(slot);
  parts.idBySlot[slot] = undefined;
  parts.firstHandleBySlot[slot] = 0;
  parts.freeSlots.push(slot);
  return true;
}

function toIds({ idBySlot, scan }: IndexParts, count: number): readonly string[] {
  const ids: string[] = new Array(count);
  for (let at = 0; at < count; at += 1) ids[at] = idBySlot[scan.foundSlots[at] ?? 0] ?? "";
  return ids;
}

function toStats({ keys, records, slotById, scan }: IndexParts): IndexStats {
  const arrays = [
    records.pool.ints,
    records.handleByRecord,
    records.residuals.pool.ints,
    records.blocks,
    records.keyByHandle,
    records.positionByHandle,
    records.nextHandle,
    keys.stamps,
    keys.listingKeys,
    keys.pairs.table,
    scan.foundEpochs,
    scan.foundSlots,
  ];
  return {
    filterCount: slotById.size,
    recordCount: records.handleEnd - 1 - records.freeHandles.length,
    keyCount: keys.keyCount - 1,
    everyListingCount: countRecords(records, EVERY_LISTING),
    bytes: arrays.reduce((sum, { byteLength }) => sum + byteLength, 0),
  };
}
