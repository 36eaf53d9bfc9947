import { assertNever } from "../../base/errors.ts";
import { NUMBERS, type NumberName } from "../language/attributes.ts";
import type { Bounds, Clause } from "../language/clause.ts";
import type { Filter } from "../language/filter.ts";
import {
  canHaveSeveral,
  EVERY_LISTING,
  type IndexKeys,
  internKey,
  internPair,
  type KeyClause,
  type KeySpaceName,
  shareOf,
} from "./keys.ts";
import {
  ALL_BITS,
  allowedBitsOf,
  isBitAttribute,
  isYearRangeExact,
  NO_PRICE,
  NO_YEAR,
  PRICE_MAX,
  packFilterBounds,
  toPriceBracket,
  type ValueClause,
  YEAR_MIN,
  YEAR_UNBOUNDED,
} from "./packed-values.ts";

/**
 * Sorts the clauses of a filter by how the index checks them, cheapest first. A plan knows no key numbers yet.
 * Invariant: a listing matches the filter exactly if it passes every part of the plan except `implied`, which only
 * repeats the bounds.
 *
 * Example: `{brand: ["Rolex"], condition: ["NEW"], year: {gte: 2021, lte: 2023}, price: {lte: 1250000},
 * country_codes: {exclude: ["852"]}, text_search: {query: "full set", mode: "exact"}}` becomes
 *   allowedBits   condition NEW only, no duplicate, hidden or revoked listings
 *   packedBounds  years 2021 to 2023, prices up to the bracket of 12,500.00; priceHigh has the exact 1250000
 *   required      brand rolex; word full; word set          forbidden  country_code 852
 *   implied       year 2021, 2022 or 2023                   phrases    full set
 * A price in USD would go to `predicateClauses`, because it needs a rate.
 */
export interface IndexPlan {
  /** No listing can match, so the index stores only the id. */
  readonly isImpossible: boolean;
  readonly allowedBits: number;
  /** Year and price brackets; see `packed-values.ts`. */
  readonly packedBounds: number;
  readonly priceLow: number;
  readonly priceHigh: number;
  readonly required: readonly KeyClause[];
  /** Short ranges once more, as lists of values. They can be the anchor, and are not checked otherwise. */
  readonly implied: readonly KeyClause[];
  readonly forbidden: readonly KeyClause[];
  readonly times: readonly TimeClause[];
  /** Words that stand side by side in one field of the text. */
  readonly phrases: readonly (readonly string[])[];
  /** What only the predicate can decide. */
  readonly predicateClauses: readonly Clause[];
}

export interface TimeClause extends Bounds {
  readonly attribute: NumberName;
}

/** Each value of an anchor costs one record. More records than this take more memory than the time they save. */
const IMPLIED_VALUES_MAX = 6;

type PlanDraft = { -readonly [Key in keyof IndexPlan]: IndexPlan[Key] } & {
  yearLow: number;
  yearHigh: number;
  required: KeyClause[];
  forbidden: KeyClause[];
  times: TimeClause[];
  phrases: (readonly string[])[];
  predicateClauses: Clause[];
};

export function planFilter(filter: Filter): IndexPlan {
  const draft = createDraft();
  for (const clause of filter.clauses) addClause(draft, clause);
  draft.isImpossible ||= draft.yearLow > draft.yearHigh || draft.priceLow > draft.priceHigh;
  draft.packedBounds = packFilterBounds(draft);
  draft.implied = [
    ...listShortRange("year", draft.yearLow, draft.yearHigh),
    ...listShortRange(
      "price_bracket",
      toPriceBracket(draft.priceLow),
      toPriceBracket(draft.priceHigh),
    ),
  ];
  return draft;
}

/** The plan of a filter without clauses: every listing passes. */
function createDraft(): PlanDraft {
  return {
    isImpossible: false,
    allowedBits: ALL_BITS,
    packedBounds: 0,
    yearLow: NO_YEAR,
    yearHigh: YEAR_UNBOUNDED,
    priceLow: NO_PRICE,
    priceHigh: PRICE_MAX,
    required: [],
    implied: [],
    forbidden: [],
    times: [],
    phrases: [],
    predicateClauses: [],
  };
}

function addClause(draft: PlanDraft, clause: Clause): void {
  switch (clause.kind) {
    case "any_of":
    case "none_of":
    case "absent_or_any_of":
      addValues(draft, clause);
      return;
    case "between":
      if (clause.attribute === "year") addYears(draft, clause);
      else if (NUMBERS[clause.attribute].isTime) draft.times.push(clause);
      else draft.predicateClauses.push(clause);
      return;
    case "price":
      if (clause.currency === "EUR") addPrice(draft, clause);
      else draft.predicateClauses.push(clause);
      return;
    case "text":
      addText(draft, clause);
      return;
    default:
      assertNever(clause);
  }
}

function addValues(draft: PlanDraft, clause: ValueClause): void {
  if (isBitAttribute(clause.attribute)) addBits(draft, clause);
  else if (clause.kind === "none_of") addForbidden(draft, clause);
  else if (clause.attribute === "year") addYearValues(draft, clause);
  else addRequired(draft, clause);
}

function addBits(draft: PlanDraft, clause: ValueClause): void {
  const allowed = allowedBitsOf(clause);
  if (allowed === undefined) draft.predicateClauses.push(clause);
  else draft.allowedBits &= allowed;
}

function addForbidden(draft: PlanDraft, { attribute, values }: ValueClause): void {
  if (values.length > 0) draft.forbidden.push({ space: attribute, values });
}

function addRequired(draft: PlanDraft, { attribute, values }: ValueClause): void {
  draft.isImpossible ||= values.length === 0;
  draft.required.push({ space: attribute, values });
}

function addYearValues(draft: PlanDraft, clause: ValueClause): void {
  const years = clause.values.map(Number).sort((left, right) => left - right);
  const [gte = 0] = years;
  const lte = years.at(-1) ?? 0;
  narrowYears(draft, { gte, lte });
  // The packed bounds alone decide years without a gap. 2020, 2021 and 2022 are the range 2020 to 2022.
  const isRange = lte - gte === years.length - 1 && isYearRangeExact({ gte, lte });
  if (isRange) return;
  addRequired(draft, clause);
}

function addYears(draft: PlanDraft, clause: Extract<Clause, { kind: "between" }>): void {
  narrowYears(draft, clause);
  if (!isYearRangeExact(clause)) draft.predicateClauses.push(clause);
}

function narrowYears(draft: PlanDraft, { gte, lte }: Bounds): void {
  draft.yearLow = Math.max(draft.yearLow, gte ?? YEAR_MIN, YEAR_MIN);
  draft.yearHigh = Math.min(draft.yearHigh, lte ?? YEAR_UNBOUNDED);
}

function addPrice(draft: PlanDraft, clause: Extract<Clause, { kind: "price" }>): void {
  const { gte = 0, lte = PRICE_MAX } = clause;
  draft.priceLow = Math.max(draft.priceLow, Math.min(gte, PRICE_MAX), 0);
  draft.priceHigh = Math.min(draft.priceHigh, Math.max(lte, NO_PRICE));
  // All higher prices are stored as PRICE_MAX, so the predicate decides bounds at or above it.
  if (gte >= PRICE_MAX || (clause.lte !== undefined && lte >= PRICE_MAX))
    draft.predicateClauses.push(clause);
}

function addText(draft: PlanDraft, clause: Extract<Clause, { kind: "text" }>): void {
  if (clause.mode === "broad") {
    draft.required.push({ space: "word_start", values: clause.words });
    return;
  }
  if (clause.mode === "all") {
    for (const word of clause.words) draft.required.push({ space: "word_start", values: [word] });
    return;
  }
  for (const word of new Set(clause.words)) draft.required.push({ space: "word", values: [word] });
  if (clause.words.length === 1) return;
  // The words are there. Whether they are in the right order is another check.
  if (clause.mode === "exact") draft.phrases.push(clause.words);
  else draft.predicateClauses.push(clause);
}

/** A short range as one clause with all its values; none for a long range. */
function listShortRange(space: KeySpaceName, low: number, high: number): readonly KeyClause[] {
  // A range that starts at 0 also admits listings without the value.
  if (low < 1 || high < low || high - low >= IMPLIED_VALUES_MAX) return [];
  const values = Array.from({ length: high - low + 1 }, (_, at) => String(low + at));
  return [{ space, values }];
}

/**
 * The anchor of a filter is what the index stores it under: the values of its rarest clause. Only listings that have
 * one of these values look at the filter. If even the rarest clause is common, the anchor is two clauses, and the
 * filter is stored under each pair of their values. A filter without any key clause has no anchor and is stored under
 * `EVERY_LISTING`.
 *
 * Example: `{brand: ["Rolex"], country_codes: {include: ["852", "49"]}}`. One listing in ten is a Rolex and one in five
 * is from these countries. Both hold for about one in fifty, so the anchor is the pairs rolex + 852 and rolex + 49.
 */
export type Anchor = readonly [] | readonly [KeyClause] | readonly [KeyClause, KeyClause];

interface Candidate {
  readonly clause: KeyClause;
  /** The share of listings that fulfil the clause. */
  readonly share: number;
}

/**
 * Clauses of one family say much the same about a watch, so a pair of them gains nothing: a reference implies its
 * brand. Spaces that are not listed here are never paired. They are rare enough, or a listing has many of their values.
 */
const FAMILY: Readonly<Partial<Record<KeySpaceName, string>>> = {
  brand: "watch",
  model: "watch",
  reference: "watch",
  dial_type: "dial",
  year: "year",
  price_bracket: "price",
  country_code: "sender",
};

/** A pair costs one record for each combination of values, and each kind of pair costs a lookup for every listing. */
const PAIR_RECORDS_MAX = 8;
/** So a pair must be worth it. A clause that is rarer than this needs no partner. */
const PAIR_SHARE_MIN = 0.005;
/** The pair must be at least this many times as rare as the rarest clause. */
const PAIR_GAIN_MIN = 4;

/** Chooses the clause that the fewest listings fulfil, or two clauses. */
export function chooseAnchor(keys: IndexKeys, clauses: readonly KeyClause[]): Anchor {
  const candidates = clauses
    .map((clause) => ({ clause, share: shareOf(keys, clause) }))
    .sort((left, right) => left.share - right.share);
  const [rarest] = candidates;
  if (rarest === undefined) return [];
  if (rarest.share < PAIR_SHARE_MIN) return [rarest.clause];
  return choosePair(candidates, rarest.share / PAIR_GAIN_MIN) ?? [rarest.clause];
}

/** The rarest pair whose share is below `shareMax`. */
function choosePair(candidates: readonly Candidate[], shareMax: number): Anchor | undefined {
  let best: Anchor | undefined;
  let bestShare = shareMax;
  for (const [at, first] of candidates.entries()) {
    for (const second of candidates.slice(at + 1)) {
      const share = first.share * second.share;
      if (share >= bestShare || !canPair(first.clause, second.clause)) continue;
      bestShare = share;
      // Sorted by name, so that all filters use the same key for the same two values.
      best =
        first.clause.space < second.clause.space
          ? [first.clause, second.clause]
          : [second.clause, first.clause];
    }
  }
  return best;
}

function canPair(first: KeyClause, second: KeyClause): boolean {
  const [firstFamily, secondFamily] = [FAMILY[first.space], FAMILY[second.space]];
  return (
    firstFamily !== undefined &&
    secondFamily !== undefined &&
    firstFamily !== secondFamily &&
    first.values.length * second.values.length <= PAIR_RECORDS_MAX
  );
}

/** Returns the keys under which the filter is stored, one record each. */
export function internAnchor(keys: IndexKeys, [first, second]: Anchor): readonly number[] {
  if (first === undefined) return [EVERY_LISTING];
  if (second === undefined) return first.values.map((value) => internKey(keys, first.space, value));
  return first.values.flatMap((value) =>
    second.values.map((other) =>
      internPair(keys, { space: first.space, value }, { space: second.space, value: other }),
    ),
  );
}

/** Whether one listing can match two records of the filter, for example because it is in two of its groups. */
export function canMatchTwice(keys: IndexKeys, anchor: Anchor): boolean {
  return anchor.some(({ space, values }) => values.length > 1 && canHaveSeveral(keys, space));
}
