import { EVERY_LISTING, type IndexKeys, internKey, internPair, isMany, shareOf } from "./keys.ts";
import type { KeyClause, KeySpace } from "./plan.ts";

/** Where a filter hangs in the index: the values of one clause, or each value of one with each of another. */
export type Anchor = readonly [] | readonly [KeyClause] | readonly [KeyClause, KeyClause];

interface Candidate {
  readonly clause: KeyClause;
  /** Of the listings. */
  readonly share: number;
}

/**
 * What says much the same of a watch is no pair: a reference has one brand. Spaces that are not here are rare enough
 * by themselves, or have many values for each listing.
 */
const FAMILY: Readonly<Partial<Record<KeySpace, string>>> = {
  brand: "watch",
  model: "watch",
  reference: "watch",
  dial_type: "dial",
  year: "year",
  price_lane: "price",
  country_code: "sender",
};

/** A pair takes a record for each of its combinations, and each kind of pair a look-up for every listing. */
const PAIR_RECORDS_MAX = 8;
/** So it must be worth it: a clause that is rare by itself needs no other, and a common other adds little. */
const PAIR_SHARE_MIN = 0.005;
const PAIR_GAIN_MIN = 4;

/** The clause that the fewest listings fulfil, or the two. */
export function chooseAnchor(keys: IndexKeys, clauses: readonly KeyClause[]): Anchor {
  const candidates = clauses
    .map((clause) => ({ clause, share: shareOf(keys, clause) }))
    .sort((left, right) => left.share - right.share);
  const [rarest] = candidates;
  if (rarest === undefined) return [];
  if (rarest.share < PAIR_SHARE_MIN) return [rarest.clause];
  return choosePair(candidates, rarest.share / PAIR_GAIN_MIN) ?? [rarest.clause];
}

/** The rarest pair below that share. */
function choosePair(candidates: readonly Candidate[], shareMax: number): Anchor | undefined {
  let best: Anchor | undefined;
  let bestShare = shareMax;
  for (const [at, first] of candidates.entries()) {
    for (const second of candidates.slice(at + 1)) {
      const share = first.share * second.share;
      if (share >= bestShare || !canPair(first.clause, second.clause)) continue;
      bestShare = share;
      // In one order, whoever asks: the same two values are one key.
      best =
        first.clause.space < second.clause.space
          ? [first.clause, second.clause]
          : [second.clause, first.clause];
    }
  }
  return best;
}

function canPair(first: KeyClause, second: KeyClause): boolean {
  const [family, other] = [FAMILY[first.space], FAMILY[second.space]];
  return (
    family !== undefined &&
    other !== undefined &&
    family !== other &&
    first.values.length * second.values.length <= PAIR_RECORDS_MAX
  );
}

/** The keys at which the filter has a record. */
export function internAnchor(keys: IndexKeys, [first, second]: Anchor): readonly number[] {
  if (first === undefined) return [EVERY_LISTING];
  if (second === undefined) return first.values.map((value) => internKey(keys, first.space, value));
  return first.values.flatMap((value) =>
    second.values.map((other) =>
      internPair(keys, { space: first.space, value }, { space: second.space, value: other }),
    ),
  );
}

/** Whether a listing may meet the filter at two of its records. */
export function isMetTwice(keys: IndexKeys, anchor: Anchor): boolean {
  return anchor.some(({ space, values }) => values.length > 1 && isMany(keys, space));
}
