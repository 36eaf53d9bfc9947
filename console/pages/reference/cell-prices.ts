/**
 * What follows from the price of a cell: its course, and the most to pay in Hong Kong. Pure, so that a test can look at it without
 * a browser.
 *
 * The course has two sources: `recorded` is what was really calculated; before the first calculation, `backcast` is what would
 * have been calculated. A value holds until the next one.
 *
 * Example: backcast on 1, 2 and 3 May, first recorded on 2 May at noon and again on 9 May. The series is backcast on 1 and
 * 2 May, then recorded from 2 May at noon and from 9 May.
 */
import type { CellPoint, Profile } from "../../../client/assay-client.ts";

const BPS = 10_000n;
const OFFER_DIGITS = 4;

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

/** Prices as a dealer in Hong Kong sees them: before freight and duty. */
export function toHongKong(
  series: readonly SeriesPoint[],
  markup: NonNullable<Profile["hk_markup"]>,
): readonly SeriesPoint[] {
  return series.map(({ consumer_min_eur_minor: _, consumer_max_eur_minor: __, ...point }) => {
    const { market_average_eur_minor: average, maximum_buy_eur_minor: most } = point;
    return {
      ...point,
      ...(average === undefined
        ? {}
        : { market_average_eur_minor: hongKongMaximum(average, markup) }),
      ...(most === undefined ? {} : { maximum_buy_eur_minor: hongKongMaximum(most, markup) }),
    };
  });
}

/** Rounded down to four digits that count, as offers of the service are: never more than the price allows. */
export function toOffer(minor: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(minor)) - (OFFER_DIGITS - 1));
  return Math.floor(minor / step) * step;
}

/**
 * The highest ask in Hong Kong that is not above the maximum once its mark-up is added; 0 if there is none. The service has
 * the same rule (`maximumHkAsk`) and a test compares the two; a cell of the API has only the maximum of the EU.
 */
export function hongKongMaximum(
  maximumMinor: number,
  { rate_bps = 0, fixed_eur_minor = 0 }: NonNullable<Profile["hk_markup"]>,
): number {
  const left = BigInt(maximumMinor) - BigInt(fixed_eur_minor);
  if (left <= 0n) return 0;
  return Number((left * BPS + BPS / 2n - 1n) / (BPS + BigInt(rate_bps)));
}
