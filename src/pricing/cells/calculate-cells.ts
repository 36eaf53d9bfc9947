import { DAY_MS } from "../../base/clock.ts";
import { assert } from "../../base/errors.ts";
import type { SourceMarket } from "../../matching/membership-store.ts";
import { toComparableAsk } from "../thresholds.ts";
import {
  type CalculatedCell,
  type CellBounds,
  type CellKey,
  CONDITION_BUCKETS,
  type ConditionBucket,
  calculateCell,
  compareCells,
  findBounds,
  hkMarkupOf,
  judgeAsk,
  type PriceRules,
} from "./cell.ts";
import { findPlausibleRange, isSuspect, type PlausibleRange } from "./statistics.ts";

/**
 * Calculates the cells of one configuration from its members.
 *
 * A cell is one year and condition bucket. In each cell a contact counts once, with the latest ask. So a dealer who
 * repeats an ask in ten messages does not move the average. Members are added one at a time and only the latest ask of
 * each contact is kept, so a large model needs little memory, and the order of the members does not matter.
 *
 * Example (minimum 2 listings, no mark-up): contact A asks 10,000 on Monday and 9,800 on Tuesday, contact B asks 10,200,
 * all for 2023 new. The cell "2023 new" counts 9,800 and 10,200: two listings, average 10,000.
 */

/** A listing of a configuration that has all that a cell requires. */
export interface Member {
  readonly listing_id: string;
  readonly contact_id: string;
  readonly year: number;
  readonly condition_bucket: ConditionBucket;
  readonly source_market: SourceMarket;
  readonly price_eur_minor: number;
  readonly last_seen_at_ms: number;
}

/** A listing that is on offer in a cell. Without a contact it does not count. */
export type OfferedMember = Omit<Member, "contact_id"> & { readonly contact_id: string | null };

export interface CellCalculator {
  add(member: OfferedMember): void;
  /** Returns a cell for each year and bucket that has a listing or an override, in the order of `compareCells`. */
  finish(): readonly CalculatedCell[];
  /** By `nameOfCell`, after `finish`: when the newest ask that counts was seen. A cell without one has no entry. */
  newestAtMs(): Readonly<Record<string, number>>;
  /** The listings whose asks are in the population of this cell, and the bounds that decide which of them count. */
  describeCell(key: CellKey): DescribedCell;
  /** The suspect asks of these members, in the order of the cells, then the lowest ask first. */
  listSuspects(): readonly SuspectAsk[];
}

/** An ask that is most likely misread, with its cell and the range that it misses. */
export interface SuspectAsk extends CellKey, PlausibleRange {
  readonly listing_id: string;
  readonly comparable_ask_eur_minor: number;
}

export interface DescribedCell extends CellBounds {
  readonly listingIds: ReadonlySet<string>;
}

interface LatestAsk {
  lastSeenAtMs: number;
  comparableAskEurMinor: number;
  listingId: string;
}

interface Population extends CellKey {
  readonly asks: Map<string, LatestAsk>;
}

function nameOfCell({ year, condition_bucket }: CellKey): string {
  return `${year} ${condition_bucket}`;
}

/** A listing last seen before this time does not count. */
export function lookbackStartMs(lookbackDays: number, nowMs: number): number {
  return nowMs - lookbackDays * DAY_MS;
}

export function createCellCalculator(rules: PriceRules, nowMs: number): CellCalculator {
  const sinceMs = lookbackStartMs(rules.lookback_days, nowMs);
  const populations = new Map<string, Population>();
  /** By `nameOfCell`: all comparable asks, also those that do not count. */
  const offered = new Map<string, number[]>();
  const newestAtMs: Record<string, number> = {};
  const populationOf = ({ year, condition_bucket }: CellKey): Population => {
    const name = nameOfCell({ year, condition_bucket });
    const known = populations.get(name);
    if (known !== undefined) return known;
    const population = { year, condition_bucket, asks: new Map<string, LatestAsk>() };
    populations.set(name, population);
    return population;
  };
  return {
    add: (member) => {
      if (member.last_seen_at_ms < sinceMs) return;
      const markup = hkMarkupOf(rules);
      const ask = toComparableAsk(member.price_eur_minor, member.source_market, markup);
      addOffered(offered, nameOfCell(member), ask.comparableAskEurMinor);
      if (member.contact_id === null) return;
      addAsk(populationOf(member).asks, member.contact_id, {
        lastSeenAtMs: member.last_seen_at_ms,
        comparableAskEurMinor: ask.comparableAskEurMinor,
        listingId: member.listing_id,
      });
    },
    finish: () => {
      for (const override of rules.minimum_profit_overrides) {
        assert(
          CONDITION_BUCKETS.includes(override.condition_bucket) && Number.isInteger(override.year),
          "a minimum profit override has no valid year and condition bucket",
        );
        populationOf(override);
      }
      return [...populations.values()].sort(compareCells).map((population) => {
        const asks = toSortedAsks(population);
        const bounds = findBounds(asks, rules);
        const newest = findNewest(population, bounds);
        if (newest > 0) newestAtMs[nameOfCell(population)] = newest;
        const all = offered.get(nameOfCell(population)) ?? [];
        return calculateCell(population, asks, rules, { bounds, offered: all });
      });
    },
    newestAtMs: () => newestAtMs,
    describeCell: (key) => {
      const population = populationOf(key);
      const listingIds = new Set(
        Array.from(population.asks.values(), ({ listingId }) => listingId),
      );
      return { listingIds, ...findBounds(toSortedAsks(population), rules) };
    },
    listSuspects: () =>
      [...populations.values()]
        .sort(compareCells)
        .flatMap((population) => selectSuspects(population, rules)),
  };
}

/** Keeps the latest ask of each contact. Of two with the same time the lower one, then the one with the lower id. */
function addAsk(asks: Map<string, LatestAsk>, contactId: string, candidate: LatestAsk): void {
  const known = asks.get(contactId);
  if (known === undefined || isLater(candidate, known)) asks.set(contactId, candidate);
}

function addOffered(offered: Map<string, number[]>, name: string, comparableAsk: number): void {
  const known = offered.get(name);
  if (known === undefined) offered.set(name, [comparableAsk]);
  else known.push(comparableAsk);
}

function isLater(left: LatestAsk, right: LatestAsk): boolean {
  if (left.lastSeenAtMs !== right.lastSeenAtMs) return left.lastSeenAtMs > right.lastSeenAtMs;
  return isLower(left, right);
}

function isLower(left: LatestAsk, right: LatestAsk): boolean {
  if (left.comparableAskEurMinor !== right.comparableAskEurMinor) {
    return left.comparableAskEurMinor < right.comparableAskEurMinor;
  }
  return left.listingId < right.listingId;
}

/** 0 if no ask counts. */
function findNewest({ asks }: Population, bounds: CellBounds): number {
  let newest = 0;
  for (const { lastSeenAtMs, comparableAskEurMinor } of asks.values()) {
    if (lastSeenAtMs > newest && judgeAsk(comparableAskEurMinor, bounds) === "counted")
      newest = lastSeenAtMs;
  }
  return newest;
}

function toSortedAsks({ asks }: Population): readonly number[] {
  const amounts = Array.from(asks.values(), ({ comparableAskEurMinor }) => comparableAskEurMinor);
  return amounts.sort((left, right) => left - right);
}

function selectSuspects(population: Population, rules: PriceRules): readonly SuspectAsk[] {
  const range = findPlausibleRange(toSortedAsks(population), rules);
  if (range === undefined) return [];
  const { year, condition_bucket, asks } = population;
  return [...asks.values()]
    .filter(({ comparableAskEurMinor }) => isSuspect(comparableAskEurMinor, range))
    .sort((left, right) => (isLower(left, right) ? -1 : 1))
    .map(({ listingId, comparableAskEurMinor }) => ({
      year,
      condition_bucket,
      ...range,
      listing_id: listingId,
      comparable_ask_eur_minor: comparableAskEurMinor,
    }));
}
