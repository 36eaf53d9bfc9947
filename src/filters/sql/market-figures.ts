import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import {
  countContacts,
  countMarket,
  countMessages,
  type ListingCounts,
} from "../../listings/figures/count-store.ts";
import {
  countFacets as countInPass,
  FACETS,
  type FacetCounts,
  type FacetName,
  type FacetValue,
} from "../../listings/figures/facet-store.ts";
import { inSample, type Share, scaleCount } from "../../listings/figures/sample.ts";
import type { AttributeName } from "../language/attributes.ts";
import type { Clause } from "../language/clause.ts";
import { type Filter, joinFilters, parseFilter } from "../language/filter.ts";
import { compileSql, loadDirectory } from "./compile-sql.ts";
import {
  chooseShare,
  compileSample,
  divideBudget,
  findWindowStart,
  type ScanBudget,
  seenSince,
} from "./figure-scan.ts";

interface SummaryQuestion {
  readonly filters: unknown;
  /** Bounds on `last_seen_at_ms`, both inclusive. */
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly nowMs: number;
  readonly budget: ScanBudget;
}

interface MarketSummary extends ListingCounts {
  readonly isExact: boolean;
}

/** Counts the listings that a filter selects. A large market is sampled: listings, contacts and messages, each by itself. */
export async function summarizeMarket(
  db: Database,
  question: SummaryQuestion,
): Promise<MarketSummary> {
  const filter = boundSummary(question);
  const directory = await loadDirectory(db, filter);
  const where = compileSql(filter, directory);
  const whole = await chooseShare(db, { filter, directory }, question.budget);
  if (whole === 1) return { ...(await countMarket(db, where)), isExact: true };
  const share = await chooseShare(db, { filter, directory }, divideBudget(question.budget, 3));
  const [counts, contactCount, messageCount] = await Promise.all([
    countMarket(db, sql`${where} and ${inSample(share)}`),
    countContacts(db, sql`${where} and ${inSample(share, "contact_id")}`),
    countMessages(db, sql`${where} and ${inSample(share, "canonical_message_id")}`),
  ]);
  return {
    listing_count: scaleCount(counts.listing_count, share),
    for_sale_count: scaleCount(counts.for_sale_count, share),
    want_to_buy_count: scaleCount(counts.want_to_buy_count, share),
    contact_count: scaleCount(contactCount, share),
    // Groups are few and large, so a sample of their listings has nearly all of them.
    group_count: counts.group_count,
    message_count: scaleCount(messageCount, share),
    days: counts.days.map(({ day_start_ms, listing_count }) => ({
      day_start_ms,
      listing_count: scaleCount(listing_count, share),
    })),
    isExact: false,
  };
}

function boundSummary({ filters, fromMs, toMs, nowMs }: SummaryQuestion): Filter {
  const given = parseFilter(filters);
  if (fromMs === undefined && toMs === undefined) {
    return seenSince(given, findWindowStart(given, nowMs));
  }
  const bounds: Clause = {
    member: "from_ms",
    kind: "between",
    attribute: "last_seen_at_ms",
    ...(fromMs === undefined ? {} : { gte: fromMs }),
    ...(toMs === undefined ? {} : { lte: toMs }),
  };
  const bounded = joinFilters([given, { clauses: [bounds] }]);
  // Without a start, the window ends at `to_ms`.
  const start = fromMs === undefined ? findWindowStart(given, toMs ?? nowMs) : undefined;
  return seenSince(bounded, start);
}

interface FacetQuestion {
  readonly filters: unknown;
  readonly facets?: readonly FacetName[];
  /** Values of each facet. */
  readonly limit: number;
  readonly nowMs: number;
  readonly budget: ScanBudget;
}

interface MarketFacets {
  readonly facets: ReadonlyMap<FacetName, readonly FacetValue[]>;
  /** Over the listings of any price. Null if none has a price. */
  readonly priceMinMinor: number | null;
  readonly priceMaxMinor: number | null;
  readonly total: number;
  /** False if any figure comes from a sample. */
  readonly isExact: boolean;
}

/**
 * Counts the listings that a filter selects by the values of their attributes, without the clauses of the attribute that
 * is counted: a caller who has chosen Rolex still sees how many Omegas there are.
 *
 * Example: the filter asks for brand Rolex and year 2020. `brand` is counted over all watches of 2020, `year` over all
 * Rolex watches, and every other facet over the Rolex watches of 2020. So there are three passes, one for each set of
 * clauses that remain, and each may be a sample.
 */
export async function countFacets(db: Database, question: FacetQuestion): Promise<MarketFacets> {
  const given = parseFilter(question.filters);
  const filter = seenSince(given, findWindowStart(given, question.nowMs));
  const directory = await loadDirectory(db, filter);
  const passes = toPasses(filter, question.facets ?? FACETS);
  const budget = divideBudget(question.budget, passes.length);
  const counted = await Promise.all(
    passes.map(async (pass) => {
      const share = await chooseShare(db, { filter: pass.filter, directory }, budget);
      const where = compileSample(pass.filter, directory, share);
      const counts = await countInPass(db, where, { facets: pass.facets, limit: question.limit });
      return { pass, share, counts };
    }),
  );
  const totals = counted.find(({ pass }) => pass.hasTotal);
  const prices = counted.find(({ pass }) => pass.hasPrices)?.counts;
  const values = new Map(counted.flatMap(({ counts, share }) => scaleFacets(counts, share)));
  return {
    facets: new Map((question.facets ?? FACETS).map((facet) => [facet, values.get(facet) ?? []])),
    priceMinMinor: prices?.priceMinMinor ?? null,
    priceMaxMinor: prices?.priceMaxMinor ?? null,
    total: totals === undefined ? 0 : scaleCount(totals.counts.total, totals.share),
    isExact: counted.every(({ share }) => share === 1),
  };
}

interface Pass {
  readonly filter: Filter;
  readonly facets: readonly FacetName[];
  readonly hasTotal: boolean;
  readonly hasPrices: boolean;
}

/** One pass with all clauses, and one for each facet that the filter has clauses about. */
function toPasses(filter: Filter, facets: readonly FacetName[]): readonly Pass[] {
  const without = (isOwn: (clause: Clause) => boolean): Filter => ({
    clauses: filter.clauses.filter((clause) => !isOwn(clause)),
  });
  const isAsked = (isOwn: (clause: Clause) => boolean) => filter.clauses.some(isOwn);
  const hasPrice = isAsked(isAboutPrice);
  return [
    {
      filter,
      facets: facets.filter((facet) => !isAsked(isAbout(facet))),
      hasTotal: true,
      hasPrices: !hasPrice,
    },
    ...(hasPrice
      ? [{ filter: without(isAboutPrice), facets: [], hasTotal: false, hasPrices: true }]
      : []),
    ...facets
      .filter((facet) => isAsked(isAbout(facet)))
      .map((facet) => ({
        filter: without(isAbout(facet)),
        facets: [facet],
        hasTotal: false,
        hasPrices: false,
      })),
  ];
}

function isAboutPrice(clause: Clause): boolean {
  return clause.kind === "price";
}

/** Whether a clause reads the attribute of a facet, whatever member it comes from: `year` and `years` are twins. */
function isAbout(facet: FacetName): (clause: Clause) => boolean {
  const attributes: readonly AttributeName[] =
    facet === "group" ? ["group_id", "group_name"] : [facet];
  return (clause) => "attribute" in clause && attributes.some((name) => name === clause.attribute);
}

function scaleFacets(
  { facets }: FacetCounts,
  share: Share,
): readonly (readonly [FacetName, readonly FacetValue[]])[] {
  return [...facets].map(([facet, values]) => [
    facet,
    values.map((value) => ({ ...value, count: scaleCount(value.count, share) })),
  ]);
}
