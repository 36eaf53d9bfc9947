import { foldWord, normalizeReference } from "../base/text.ts";
import type { Row, Rows } from "./parse-manifest.ts";
import type { Path } from "./problem.ts";
import type { KindName } from "./schema.ts";

/** A word of a declared item, and its place. */
export interface PlacedWord {
  readonly row: Row<KindName>;
  readonly path: Path;
  readonly word: string;
}

export interface Words {
  readonly currencies: readonly string[];
  /** Folded. */
  readonly brands: readonly string[];
  /** Normalized. */
  readonly references: readonly string[];
}

type Filters = Readonly<Record<string, unknown>>;

/** The rows with filters, and their filters. */
export function filteredRows(rows: Rows): readonly { row: Row<KindName>; filters: Filters }[] {
  return [...rows.views, ...rows.configurations, ...rows.alerts].map((row) => ({
    row,
    filters: row.given.filters ?? {},
  }));
}

export function collectWords(rows: Rows): Words {
  const unique = (placed: readonly PlacedWord[], fold: (word: string) => string) => [
    ...new Set(placed.map(({ word }) => fold(word))),
  ];
  return {
    currencies: unique(placedCurrencies(rows), (word) => word),
    brands: unique(placedBrands(rows), foldWord),
    references: unique(placedReferences(rows), normalizeReference),
  };
}

/** In capital letters. */
export function placedCurrencies(rows: Rows): readonly PlacedWord[] {
  const ofFilters = filteredRows(rows).flatMap(({ row, filters }) => {
    const currency = (filters["price"] as { currency?: unknown } | null | undefined)?.currency;
    if (typeof currency !== "string") return [];
    return [{ row, path: ["filters", "price", "currency"], word: currency.toUpperCase() }];
  });
  const ofGroups = rows.groups.flatMap((row) => {
    const { default_currency: word } = row.given;
    return word === undefined ? [] : [{ row, path: ["default_currency"], word }];
  });
  return [...ofFilters, ...ofGroups];
}

export function placedBrands(rows: Rows): readonly PlacedWord[] {
  const own = rows.configurations.map((row) => ({ row, path: ["brand"], word: row.given.brand }));
  return [...own, ...placedIn(rows, "brand")];
}

export function placedReferences(rows: Rows): readonly PlacedWord[] {
  const own = rows.configurations.map((row) => {
    const { reference, market_reference } = row.given;
    return market_reference === undefined
      ? { row, path: ["reference"], word: reference }
      : { row, path: ["market_reference"], word: market_reference };
  });
  return [...own, ...placedIn(rows, "reference")];
}

/** A filter may name thousands of words; a typing error is found among the first ones too. */
const WORDS_OF_FILTER_MAX = 200;

function placedIn(rows: Rows, member: "brand" | "reference"): readonly PlacedWord[] {
  return filteredRows(rows).flatMap(({ row, filters }) => {
    const words = filters[member];
    if (!Array.isArray(words)) return [];
    return words
      .slice(0, WORDS_OF_FILTER_MAX)
      .flatMap((word: unknown, at) =>
        typeof word === "string" ? [{ row, path: ["filters", member, at], word }] : [],
      );
  });
}
