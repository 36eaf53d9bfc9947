/** Tokens `from` up to but without `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Of spans in order and without overlaps, those that lie within; found by halving, so a long line costs no more. */
export function within<Item extends Span>(spans: readonly Item[], range: Span): readonly Item[] {
  const first = lowerBound(spans, (span) => span.from >= range.from);
  const last = lowerBound(spans, (span) => span.to > range.to);
  return first === 0 && last === spans.length ? spans : spans.slice(first, Math.max(first, last));
}

/** Index of the first span for which `holds`, which must hold for all behind it. */
function lowerBound<Item>(spans: readonly Item[], holds: (span: Item) => boolean): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const span = spans[middle];
    if (span !== undefined && holds(span)) high = middle;
    else low = middle + 1;
  }
  return low;
}
