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
