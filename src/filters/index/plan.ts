import { assertNever } from "../../base/assert.ts";
import type { ListingFacts } from "../../listings/listing.ts";
import { ATTRIBUTES } from "../language/attributes.ts";
import type { AttributeName, Bounds, Clause } from "../language/clause.ts";
import type { Filter } from "../language/filter.ts";
import {
  isYearExact,
  NO_PRICE,
  NO_YEAR,
  PRICE_MAX,
  toFilterLanes,
  toPriceLane,
  YEAR_ANY,
  YEAR_MIN,
} from "./lanes.ts";

/** Where the index looks values up: the attributes that are keys, steps of the price, whole words, starts of words. */
export type KeySpace = AttributeName | "price_lane" | "word" | "word_start";

/** Of a listing's keys in that space, one of the values must be there, or none may. */
export interface KeyClause {
  readonly space: KeySpace;
  readonly values: readonly string[];
}

export interface TimeClause {
  readonly attribute: "message_timestamp_ms" | "last_seen_at_ms";
  readonly gte?: number;
  readonly lte?: number;
}

/** A filter as the index keeps it: numbers to compare, keys to look up, and the clauses that only the predicate reads. */
export interface IndexPlan {
  /** No listing can match: the index need not keep more than the id. */
  readonly isNever: boolean;
  readonly mask: number;
  readonly lanes: number;
  readonly priceLow: number;
  readonly priceHigh: number;
  readonly required: readonly KeyClause[];
  /** What the bounds say once more as keys: a filter can be found by them, and need not be asked them. */
  readonly implied: readonly KeyClause[];
  readonly forbidden: readonly KeyClause[];
  readonly times: readonly TimeClause[];
  /** Words that stand side by side in one field. */
  readonly phrases: readonly (readonly string[])[];
  readonly verified: readonly Clause[];
}

/** All bits of a mask; the sign bit stays free. */
const MASK_ALL = 0x7fff_ffff;
/** A record for each value: more would cost more room than they save time. */
const IMPLIED_VALUES_MAX = 6;

type Draft = { -readonly [Key in keyof IndexPlan]: IndexPlan[Key] } & {
  yearLow: number;
  yearHigh: number;
  required: KeyClause[];
  forbidden: KeyClause[];
  times: TimeClause[];
  phrases: (readonly string[])[];
  verified: Clause[];
};

export function planFilter(filter: Filter): IndexPlan {
  const draft: Draft = {
    isNever: false,
    mask: MASK_ALL,
    lanes: 0,
    yearLow: NO_YEAR,
    yearHigh: YEAR_ANY,
    priceLow: NO_PRICE,
    priceHigh: PRICE_MAX,
    required: [],
    implied: [],
    forbidden: [],
    times: [],
    phrases: [],
    verified: [],
  };
  for (const clause of filter.clauses) addClause(draft, clause);
  draft.isNever ||= draft.yearLow > draft.yearHigh || draft.priceLow > draft.priceHigh;
  draft.lanes = toFilterLanes(draft);
  draft.implied = [
    ...impliedBy("year", draft.yearLow, draft.yearHigh),
    ...impliedBy("price_lane", toPriceLane(draft.priceLow), toPriceLane(draft.priceHigh)),
  ];
  return draft;
}

/** A short range as the list of its values. */
function impliedBy(space: KeySpace, low: number, high: number): readonly KeyClause[] {
  // A range from 0 on is open to listings that lack the value.
  if (low < 1 || high < low || high - low >= IMPLIED_VALUES_MAX) return [];
  const values = Array.from({ length: high - low + 1 }, (_, at) => String(low + at));
  return [{ space, values }];
}

/** The bits of a listing; a filter's mask must have all of them. */
export function maskOf(listing: ListingFacts): number {
  let mask = 0;
  for (let at = 0; at < MASKS.length; at += 1) {
    const { read, bitOf, isSet, absent, shift } = MASKS[at] as MaskPlace;
    const own = read(listing);
    let has = 0;
    if (typeof own === "string") has = bitOf.get(own) ?? 0;
    else if (own !== null) for (const word of own) has |= bitOf.get(word) ?? 0;
    mask |= (isSet ? 1 << has : has === 0 ? absent : has) << shift;
  }
  return mask;
}

function addClause(draft: Draft, clause: Clause): void {
  switch (clause.kind) {
    case "any_of":
    case "none_of":
      if (ATTRIBUTES[clause.attribute].index.as === "mask") addMask(draft, clause);
      else if (clause.kind === "none_of") addForbidden(draft, clause);
      else addRequired(draft, clause);
      return;
    case "between":
      if (clause.attribute === "year") addYears(draft, clause);
      else draft.times.push({ ...clause, attribute: clause.attribute });
      return;
    case "price":
      if (clause.currency === "EUR") addPrice(draft, clause);
      else draft.verified.push(clause);
      return;
    case "text":
      addText(draft, clause);
      return;
    default:
      assertNever(clause);
  }
}

type ValueClause = Extract<Clause, { kind: "any_of" | "none_of" }>;

function addRequired(draft: Draft, { attribute, values }: ValueClause): void {
  draft.isNever ||= values.length === 0;
  if (attribute !== "year") {
    draft.required.push({ space: attribute, values });
    return;
  }
  const years = values.map(Number).sort((left, right) => left - right);
  const [gte = 0] = years;
  const lte = years.at(-1) ?? 0;
  narrowYears(draft, { gte, lte });
  // Years without a gap are a range, which the record compares by itself.
  const isRange = lte - gte === years.length - 1 && isYearExact({ gte, lte });
  if (!isRange) draft.required.push({ space: "year", values });
}

function addForbidden(draft: Draft, { attribute, values }: ValueClause): void {
  if (values.length > 0) draft.forbidden.push({ space: attribute, values });
}

function addYears(draft: Draft, clause: Extract<Clause, { kind: "between" }>): void {
  narrowYears(draft, clause);
  if (!isYearExact(clause)) draft.verified.push(clause);
}

function narrowYears(draft: Draft, { gte, lte }: Bounds): void {
  draft.yearLow = Math.max(draft.yearLow, gte ?? YEAR_MIN, YEAR_MIN);
  draft.yearHigh = Math.min(draft.yearHigh, lte ?? YEAR_ANY);
}

function addPrice(draft: Draft, clause: Extract<Clause, { kind: "price" }>): void {
  const { gte = 0, lte = PRICE_MAX } = clause;
  draft.priceLow = Math.max(draft.priceLow, Math.min(gte, PRICE_MAX), 0);
  draft.priceHigh = Math.min(draft.priceHigh, Math.max(lte, NO_PRICE));
  // Dearer listings are all recorded as the greatest price, so bounds from there on need the predicate.
  if (gte >= PRICE_MAX || (clause.lte !== undefined && lte >= PRICE_MAX))
    draft.verified.push(clause);
}

function addText(draft: Draft, clause: Extract<Clause, { kind: "text" }>): void {
  if (clause.mode === "broad") {
    draft.required.push({ space: "word_start", values: clause.words });
    return;
  }
  for (const word of new Set(clause.words)) draft.required.push({ space: "word", values: [word] });
  // That the words stand there is not yet that they stand in order.
  if (clause.words.length === 1) return;
  if (clause.mode === "exact") draft.phrases.push(clause.words);
  else draft.verified.push(clause);
}

interface MaskPlace {
  readonly name: AttributeName;
  readonly shift: number;
  readonly width: number;
  readonly read: (listing: ListingFacts) => string | readonly string[] | null;
  /** The bit of each word, and the one of none of them. */
  readonly bitOf: ReadonlyMap<string, number>;
  readonly absent: number;
  /** There is a bit for each set of words. */
  readonly isSet: boolean;
}

const MASKS: readonly MaskPlace[] = placeMasks();

function placeMasks(): readonly MaskPlace[] {
  let shift = 0;
  return (Object.keys(ATTRIBUTES) as AttributeName[]).flatMap((name) => {
    const { read, index } = ATTRIBUTES[name];
    if (index.as !== "mask") return [];
    const place = {
      name,
      shift,
      width: widthOf(index.holds, index.words.length),
      read,
      bitOf: new Map(index.words.map((word, at) => [word, 1 << at])),
      absent: index.holds === "optional" ? 1 << index.words.length : 0,
      isSet: index.holds === "set",
    };
    shift += place.width;
    return [place];
  });
}

/** A bit for each word, one more for their absence, or one for each set of them. */
function widthOf(holds: "one" | "optional" | "set" | "marks", wordCount: number): number {
  if (holds === "set") return 2 ** wordCount;
  return holds === "optional" ? wordCount + 1 : wordCount;
}

function addMask(draft: Draft, clause: ValueClause): void {
  const { index } = ATTRIBUTES[clause.attribute];
  const place = MASKS.find(({ name }) => name === clause.attribute);
  if (index.as !== "mask" || place === undefined) return;
  const all = 2 ** place.width - 1;
  const asked = toBits(index.words, clause.values);
  const hit = index.holds === "set" ? setsThatMeet(asked, place.width) : asked;
  if (index.holds === "marks" && clause.kind === "any_of") {
    // A mask can let a mark pass or not; it cannot ask for one.
    draft.verified.push(clause);
    return;
  }
  const allowed = clause.kind === "any_of" ? hit : all & ~hit;
  draft.mask &= ~(all << place.shift) | (allowed << place.shift);
}

/** The sets of words, each a bit, that have a word in common with those asked for. */
function setsThatMeet(asked: number, setCount: number): number {
  let bits = 0;
  for (let set = 0; set < setCount; set += 1) if ((set & asked) !== 0) bits |= 1 << set;
  return bits;
}

function toBits(words: readonly string[], values: readonly string[]): number {
  return words.reduce((bits, word, at) => (values.includes(word) ? bits | (1 << at) : bits), 0);
}
