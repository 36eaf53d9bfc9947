/**
 * The order "best first": by what an ask is below the average of its headline, in euros or as a share of the average. Ties go to
 * the higher profit, then to the lower id. Within a cell and a market this is the order of the asks, so a cell that is read from
 * its lowest ask on is read best first.
 *
 * Example: the average is 10,320.00 and the landed ask 9,600.00. The profit is 720.00, which is 697 bps (6.97 %, rounded down).
 */
import type { SourceMarket } from "../matching/membership-store.ts";
import { hkMarkupOf } from "./cells/cell.ts";
import { isSuspect } from "./cells/statistics.ts";
import { maximumHkAsk, toComparableAsk } from "./thresholds.ts";

export const RANKINGS = ["profit", "profit_bps"] as const;
export type Ranking = (typeof RANKINGS)[number];

/** What of a cell decides the rank of its asks. */
export interface RankingCell {
  readonly market_average_eur_minor: number;
  readonly plausible_min_eur_minor: number | null;
  readonly plausible_max_eur_minor: number | null;
  readonly hk_markup_rate_bps: number;
  readonly hk_markup_fixed_eur_minor: number;
}

export interface Rank {
  readonly profitEurMinor: number;
  /** Of the average, rounded down. */
  readonly discountBps: number;
}

/** What an ask must reach. An absent minimum admits losses too. */
export interface Minima {
  readonly minimumProfitEurMinor?: number;
  readonly minimumDiscountBps?: number;
}

/** A place in the order. `value` is what is sorted by. */
export interface RankPosition {
  readonly value: number;
  readonly profitEurMinor: number;
  readonly id: string;
}

const BPS = 10_000n;

/** Undefined if the ask is suspect. */
export function rankAsk(
  askEurMinor: number,
  market: SourceMarket,
  cell: RankingCell,
): Rank | undefined {
  const { comparableAskEurMinor: landed } = toComparableAsk(askEurMinor, market, hkMarkupOf(cell));
  return isSuspect(landed, cell) ? undefined : toRank(cell.market_average_eur_minor, landed);
}

/** Without a check whether the ask is suspect. */
export function toRank(averageEurMinor: number, landedEurMinor: number): Rank {
  const profit = averageEurMinor - landedEurMinor;
  return { profitEurMinor: profit, discountBps: toBps(profit, averageEurMinor) };
}

/** A share of 0 is lower than any other, unless nothing is lost. */
function toBps(profitEurMinor: number, averageEurMinor: number): number {
  if (averageEurMinor === 0) return profitEurMinor === 0 ? 0 : Number.MIN_SAFE_INTEGER;
  const product = profitEurMinor * Number(BPS);
  // The quotient of integers up to here is never rounded up to the next integer.
  if (Number.isSafeInteger(product)) return Math.floor(product / averageEurMinor);
  const bps = divideDown(BigInt(profitEurMinor) * BPS, BigInt(averageEurMinor));
  return Math.max(Number(bps), Number.MIN_SAFE_INTEGER);
}

function divideDown(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}

export function reaches(rank: Rank, minima: Minima): boolean {
  const { minimumProfitEurMinor: profit, minimumDiscountBps: discount } = minima;
  if (profit !== undefined && rank.profitEurMinor < profit) return false;
  return discount === undefined || rank.discountBps >= discount;
}

export function positionOf(id: string, rank: Rank, ranking: Ranking): RankPosition {
  const { profitEurMinor, discountBps } = rank;
  return { value: ranking === "profit" ? profitEurMinor : discountBps, profitEurMinor, id };
}

/** Negative if the left one comes first. */
export function comparePositions(left: RankPosition, right: RankPosition): number {
  if (left.value !== right.value) return right.value - left.value;
  if (left.profitEurMinor !== right.profitEurMinor)
    return right.profitEurMinor - left.profitEurMinor;
  return left.id < right.id ? -1 : left.id > right.id ? 1 : 0;
}

/**
 * An ask in euros below which no ask of the cell has this value or a lower one: where to go on reading behind a place of the
 * order. It may be a little too low, never too high.
 */
export function firstAskAt(
  value: number,
  { ranking, cell, market }: AskPlace & { readonly ranking: Ranking },
): number {
  const average = BigInt(cell.market_average_eur_minor);
  // With v the value and a the average, the highest profit p with floor(10,000 p / a) <= v is below a(v + 1) / 10,000.
  const profit =
    ranking === "profit" ? BigInt(value) : divideDown((BigInt(value) + 1n) * average, BPS);
  const landed = average - profit;
  return firstAskLanded(toAmountWithin(landed), { cell, market });
}

/** Behind the lowest share of all, the asks of other cells would have to be above what an amount can be. */
function toAmountWithin(landed: bigint): number {
  if (landed < 0n) return 0;
  return landed > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(landed);
}

interface AskPlace {
  readonly cell: RankingCell;
  readonly market: SourceMarket;
}

/** An ask in euros below which no ask is landed at this amount or above. It may be a little too low. */
export function firstAskLanded(landedEurMinor: number, { cell, market }: AskPlace): number {
  if (market === "EU" || landedEurMinor === 0) return landedEurMinor;
  return maximumHkAsk(landedEurMinor - 1, hkMarkupOf(cell));
}
