/**
 * Counts the listings that a filter selects by the values of their attributes, without the clauses of the attribute that
 * is counted: a caller who has chosen Rolex still sees how many Omegas there are.
 *
 * Example: the filter asks for brand Rolex and year 2020. `brand` is counted over all watches of 2020, `year` over all
 * Rolex watches, and every other facet over the Rolex watches of 2020. So there are three passes, one for each set of
 * clauses that remain, and each may be a sample.
 */
import type { Database } from "../../db/database.ts";
import {
  countFacets as countInPass,
  FACETS,
  type FacetCounts,
  type FacetName,
  type FacetValue,
} from "../../listings/figures/facet-store.ts";
import { type Share, scaleCount } from "../../listings/figures/sample.ts";
import type { AttributeName, Clause } from "../language/clause.ts";
import { type Filter, parseFilter } from "../language/filter.ts";
import { loadDirectory } from "./directory-store.ts";
import {
  chooseShare,
  compileSample,
  divideBudget,
  findWindowStart,
  type ScanBudget,
  seenSince,
} from "./figure-scan.ts";

export interface FacetQuestion {
  readonly filters: unknown;
  readonly facets?: readonly FacetName[];
  /** Values of each facet. */
  readonly limit: number;
  readonly nowMs: number;
  readonly budget: ScanBudget;
}

export interface MarketFacets {
  readonly facets: ReadonlyMap<FacetName, readonly FacetValue[]>;
  /** Over the listings of any price. Null if none has a price. */
  readonly priceMinMinor: number | null;
  readonly priceMaxMinor: number | null;
  readonly total: number;
  /** False if any figure comes from a sample. */
  readonly isExact: boolean;
}

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
