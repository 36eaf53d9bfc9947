import { assert } from "../base/assert.ts";
import { type CalculatedCell, calculateCell, hkMarkupOf, type PriceRules } from "./cell.ts";
import {
  type CellKey,
  CONDITION_BUCKETS,
  type ConditionBucket,
  compareCells,
} from "./configuration.ts";
import { type SourceMarket, toComparableAsk } from "./thresholds.ts";

/** A listing of a configuration's model that has all that a cell asks for. */
export interface Member {
  readonly listing_id: string;
  /** Null: nobody knows whose it is, and it counts by itself. */
  readonly contact_id: string | null;
  readonly year: number;
  readonly condition_bucket: ConditionBucket;
  readonly source_market: SourceMarket;
  readonly price_eur_minor: number;
  readonly last_seen_at_ms: number;
}

/** Takes the members of one configuration one by one and keeps no more of them than the cells need. */
export interface CellCalculator {
  add(member: Member): void;
  /** A cell for each year and bucket with a listing or an override: the newest year first, then new, like_new, used. */
  finish(): readonly CalculatedCell[];
}

interface LatestAsk {
  lastSeenAtMs: number;
  comparableAskEurMinor: number;
  listingId: string;
}

interface Population extends CellKey {
  readonly asks: Map<string, LatestAsk>;
}

const DAY_MS = 86_400_000;

/** Since when a listing must have been seen to count in a calculation. */
export function lookbackStartMs(lookbackDays: number, nowMs: number): number {
  return nowMs - lookbackDays * DAY_MS;
}

export function createCellCalculator(rules: PriceRules, nowMs: number): CellCalculator {
  const sinceMs = lookbackStartMs(rules.lookback_days, nowMs);
  const populations = new Map<string, Population>();
  const populationOf = ({ year, condition_bucket }: CellKey): Population => {
    const name = `${year} ${condition_bucket}`;
    const known = populations.get(name);
    if (known !== undefined) return known;
    const population = { year, condition_bucket, asks: new Map<string, LatestAsk>() };
    populations.set(name, population);
    return population;
  };
  return {
    add: (member) => {
      if (member.last_seen_at_ms >= sinceMs) addAsk(populationOf(member).asks, member, rules);
    },
    finish: () => {
      for (const override of rules.minimum_profit_overrides) {
        assert(
          CONDITION_BUCKETS.includes(override.condition_bucket) && Number.isInteger(override.year),
          "a minimum profit override names no cell",
        );
        populationOf(override);
      }
      return [...populations.values()]
        .sort(compareCells)
        .map((population) => calculateCell(population, toSortedAsks(population), rules));
    },
  };
}

/** Of one contact only the latest ask counts: by the time it was last seen, then the lower ask, then the id. */
function addAsk(asks: Map<string, LatestAsk>, member: Member, rules: PriceRules): void {
  const ask = toComparableAsk(member.price_eur_minor, member.source_market, hkMarkupOf(rules));
  const candidate = {
    lastSeenAtMs: member.last_seen_at_ms,
    comparableAskEurMinor: ask.comparableAskEurMinor,
    listingId: member.listing_id,
  };
  // A listing's id is never a contact's.
  const owner = member.contact_id ?? member.listing_id;
  const known = asks.get(owner);
  if (known === undefined || isLater(candidate, known)) asks.set(owner, candidate);
}

function isLater(left: LatestAsk, right: LatestAsk): boolean {
  if (left.lastSeenAtMs !== right.lastSeenAtMs) return left.lastSeenAtMs > right.lastSeenAtMs;
  if (left.comparableAskEurMinor !== right.comparableAskEurMinor) {
    return left.comparableAskEurMinor < right.comparableAskEurMinor;
  }
  return left.listingId < right.listingId;
}

function toSortedAsks({ asks }: Population): readonly number[] {
  const amounts = Array.from(asks.values(), ({ comparableAskEurMinor }) => comparableAskEurMinor);
  return amounts.sort((left, right) => left - right);
}
