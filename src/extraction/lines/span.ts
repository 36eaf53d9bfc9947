/** Tokens `from` up to but not including `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns the spans inside `range`. `spans` must be sorted and must not overlap. Binary search keeps long lines cheap. */
export function within<Item extends Span>(spans: readonly Item[], range: Span): readonly Item[] {
  if (spans.length === 0) return spans;
  const opening = spans[0];
  const closing = spans[spans.length - 1];
  if (opening === undefined || closing === undefined) return spans;
  if (opening.from >= range.from && closing.to <= range.to) return spans;
  const first = lowerBound(spans, (span) => span.from >= range.from);
  const last = lowerBound(spans, (span) => span.to > range.to);
  return spans.slice(first, Math.max(first, last));
}

/** Returns the first span that starts at or after `at`. */
export function firstFrom<Item extends Span>(spans: readonly Item[], at: number): Item | undefined {
  return spans[lowerBound(spans, (span) => span.from >= at)];
}

/** Returns the last span that ends at or before `at`. */
export function lastUntil<Item extends Span>(spans: readonly Item[], at: number): Item | undefined {
  return spans[lowerBound(spans, (span) => span.to > at) - 1];
}

/** Returns the index of the first span that `matches`. All spans after it must match too. */
function lowerBound<Item>(spans: readonly Item[], matches: (span: Item) => boolean): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const span = spans[middle];
    if (span !== undefined && matches(span)) high = middle;
    else low = middle + 1;
  }
  return low;
}
