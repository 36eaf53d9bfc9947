/**
 * The price of a cell over time, from two sources: `recorded` is what was really calculated; before the first calculation,
 * `backcast` is what would have been calculated. A value holds until the next one.
 *
 * Example: backcast on 1, 2 and 3 May, first recorded on 2 May at noon and again on 9 May. The series is backcast on 1 and
 * 2 May, then recorded from 2 May at noon and from 9 May.
 */
import type { CellPoint } from "../../../client/assay-client.ts";

export interface SeriesPoint extends CellPoint {
  readonly basis: "backcast" | "recorded";
}

/** Oldest first, none before `fromMs`: a value that held then begins there. */
export function joinSeries(options: {
  readonly backcast: readonly CellPoint[];
  readonly recorded: readonly CellPoint[];
  readonly fromMs: number;
}): readonly SeriesPoint[] {
  const firstMs = options.recorded[0]?.calculated_at_ms ?? Number.POSITIVE_INFINITY;
  const before = options.backcast.filter(({ calculated_at_ms }) => calculated_at_ms < firstMs);
  const all = [
    ...before.map((point) => ({ ...point, basis: "backcast" as const })),
    ...options.recorded.map((point) => ({ ...point, basis: "recorded" as const })),
  ];
  const shown = all.filter(({ calculated_at_ms }) => calculated_at_ms >= options.fromMs);
  const held = all.findLast(({ calculated_at_ms }) => calculated_at_ms < options.fromMs);
  if (held === undefined || shown[0]?.calculated_at_ms === options.fromMs) return shown;
  return [{ ...held, calculated_at_ms: options.fromMs }, ...shown];
}
