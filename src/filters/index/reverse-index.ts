import type { ListingFacts } from "../../listings/listing.ts";
import type { Clause } from "../language/clause.ts";
import type { Filter } from "../language/filter.ts";
import { type FilterContext, holds } from "../language/predicate.ts";
import { chooseAnchor, internAnchor, isMetTwice } from "./anchor.ts";
import {
  createIndexKeys,
  EVERY_LISTING,
  type IndexKeys,
  internKey,
  observeListing,
} from "./keys.ts";
import { type IndexPlan, type KeyClause, planFilter } from "./plan.ts";
import { probeKeys } from "./probe.ts";
import { addRecords, countRecords, createRecords, type Records, removeRecords } from "./records.ts";
import { releaseRest, STEP, step, timeStep, writeRest } from "./rests.ts";
import { createScan, type Scan, scanListing } from "./scan.ts";

/** Listing in, ids of all matching filters out. */
export interface ReverseIndex {
  /** Adds a filter, or puts it in the place of the one that has this id. */
  save(id: string, filter: Filter): void;
  remove(id: string): boolean;
  /** In no particular order, each once. */
  match(listing: ListingFacts): readonly string[];
  /** Tells the index what listings are like; filters that are saved later are found by their rarest value. */
  observe(listing: ListingFacts): void;
  stats(): IndexStats;
  readonly parts: IndexParts;
}

export interface IndexStats {
  readonly filterCount: number;
  readonly recordCount: number;
  readonly keyCount: number;
  /** Filters that no key narrows: each listing is compared with all of them. */
  readonly everyListingCount: number;
  /** Of the numbers; ids and the texts of keys come on top. */
  readonly bytes: number;
}

export interface IndexOptions extends FilterContext {
  /** A filter whose clause throws does not match, and does not stop the others. */
  readonly onFailure: (id: string, error: unknown) => void;
}

/** What the index is made of, for the files of this folder. */
interface IndexParts {
  readonly keys: IndexKeys;
  readonly records: Records;
  readonly scan: Scan;
  /** By slot, a filter's number in the index. */
  readonly ids: (string | undefined)[];
  readonly headOf: number[];
  readonly slotOf: Map<string, number>;
  readonly freeSlots: number[];
  /** What the record does not express, by slot. */
  readonly verifiedOf: Map<number, readonly Clause[]>;
}

export function createReverseIndex(options: IndexOptions): ReverseIndex {
  const parts = createParts();
  const verify = (slot: number, listing: ListingFacts): boolean => {
    try {
      for (const clause of parts.verifiedOf.get(slot) ?? []) {
        if (!holds(clause, listing, options)) return false;
      }
      return true;
    } catch (error) {
      options.onFailure(parts.ids[slot] ?? "", error);
      return false;
    }
  };
  return {
    parts,
    save: (id, filter) => saveFilter(parts, id, planFilter(filter)),
    remove: (id) => removeFilter(parts, id),
    match: (listing) => {
      probeKeys(parts.keys, listing);
      const count = scanListing(parts, { listing, verify });
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
    ids: [],
    headOf: [],
    slotOf: new Map(),
    freeSlots: [],
    verifiedOf: new Map(),
  };
}

function saveFilter(parts: IndexParts, id: string, plan: IndexPlan): void {
  removeFilter(parts, id);
  const slot = parts.freeSlots.pop() ?? parts.ids.length;
  parts.ids[slot] = id;
  parts.headOf[slot] = 0;
  parts.slotOf.set(id, slot);
  if (plan.isNever) return;
  const anchor = chooseAnchor(parts.keys, [...plan.required, ...plan.implied]);
  const anchors = internAnchor(parts.keys, anchor);
  const others = plan.required.filter((clause) => anchor.every((own) => own !== clause));
  const [first, second] = others.filter(({ values }) => values.length === 1);
  const steps = [
    ...others
      .filter((clause) => clause !== first && clause !== second)
      .flatMap((clause) => step(STEP.anyKey, internAll(parts.keys, clause))),
    ...plan.forbidden.flatMap((clause) => step(STEP.noKey, internAll(parts.keys, clause))),
    ...plan.times.flatMap(timeStep),
    ...plan.phrases.flatMap((values) =>
      step(STEP.phrase, internAll(parts.keys, { space: "word", values })),
    ),
    ...(plan.verified.length > 0 ? step(STEP.verify, []) : []),
  ];
  if (plan.verified.length > 0) parts.verifiedOf.set(slot, plan.verified);
  parts.headOf[slot] = addRecords(parts.records, anchors, {
    slot,
    plan,
    isOnce: isMetTwice(parts.keys, anchor),
    firstKey: internSingle(parts.keys, first),
    secondKey: internSingle(parts.keys, second),
    rest: writeRest(parts.records.rests, steps),
  });
}

function removeFilter(parts: IndexParts, id: string): boolean {
  const slot = parts.slotOf.get(id);
  if (slot === undefined) return false;
  const rest = removeRecords(parts.records, parts.headOf[slot] ?? 0);
  releaseRest(parts.records.rests, rest);
  parts.slotOf.delete(id);
  parts.verifiedOf.delete(slot);
  parts.ids[slot] = undefined;
  parts.headOf[slot] = 0;
  parts.freeSlots.push(slot);
  return true;
}

function internAll(keys: IndexKeys, { space, values }: KeyClause): readonly number[] {
  return values.map((value) => internKey(keys, space, value));
}

function internSingle(keys: IndexKeys, clause: KeyClause | undefined): number {
  return clause === undefined ? EVERY_LISTING : (internAll(keys, clause)[0] ?? EVERY_LISTING);
}

function toIds({ ids, scan }: IndexParts, count: number): readonly string[] {
  const found: string[] = new Array(count);
  for (let at = 0; at < count; at += 1) found[at] = ids[scan.found[at] ?? 0] ?? "";
  return found;
}

function toStats({ keys, records, slotOf, scan }: IndexParts): IndexStats {
  const arrays = [
    records.pool.words,
    records.entryOf,
    records.rests.pool.words,
    records.blocks,
    records.entryKey,
    records.entryPlace,
    records.entryNext,
    keys.stamps,
    keys.hits,
    keys.pairs.table,
    scan.seen,
    scan.found,
  ];
  return {
    filterCount: slotOf.size,
    recordCount: records.entryEnd - 1 - records.freeEntries.length,
    keyCount: keys.names.length - 1,
    everyListingCount: countRecords(records, EVERY_LISTING),
    bytes: arrays.reduce((sum, { byteLength }) => sum + byteLength, 0),
  };
}
