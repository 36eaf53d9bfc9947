/** What the page shows is in its address: brand, price (a configuration), year, condition, and how the chart is shown. */
import type {
  Cell,
  Configuration,
  FilterMembers,
  MarketReference,
} from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { query, setQuery } from "../../router.ts";

export const BUCKETS = ["new", "like_new", "used"] as const;
type Bucket = (typeof BUCKETS)[number];

export interface CellKey {
  readonly year: number;
  readonly bucket: Bucket;
}

/** What the market and the price engine know about a reference of one brand. */
export interface Subject {
  readonly brand: string | undefined;
  /** Undefined if it was not seen in the last 30 days. */
  readonly market: MarketReference | undefined;
  readonly configurations: readonly Configuration[];
  readonly otherBrands: readonly string[];
}

export async function readSubject(
  wanted: { readonly reference: string; readonly brand: string | undefined },
  signal: AbortSignal,
): Promise<Subject> {
  const { reference } = wanted;
  const [found, listed] = await Promise.all([
    api.searchReferences(
      { filters: { reference: [reference] } satisfies FilterMembers },
      { signal },
    ),
    api.listConfigurations({ reference, limit: 100 }, { signal }),
  ]);
  const names = new Map(
    [...listed.items, ...found.items].map(({ brand }) => [brand.toLowerCase(), brand]),
  );
  const first = found.items[0]?.brand ?? listed.items[0]?.brand;
  const key = [wanted.brand, first].map((brand) => brand?.toLowerCase()).find(isIn(names));
  const isOf = ({ brand }: { readonly brand: string }): boolean => brand.toLowerCase() === key;
  return {
    brand: key === undefined ? undefined : names.get(key),
    market: found.items.find(isOf),
    configurations: listed.items.filter(isOf),
    otherBrands: [...names].flatMap(([name, brand]) => (name === key ? [] : [brand])),
  };
}

function isIn(names: ReadonlyMap<string, string>) {
  return (key: string | undefined): key is string => key !== undefined && names.has(key);
}

/** The one that the address names, or else the one with prices that says the least: the reference as such. */
export function chooseConfiguration(
  configurations: readonly Configuration[],
): Configuration | undefined {
  const wanted = query.value.get("price");
  const byBreadth = configurations.toSorted((left, right) => breadth(left) - breadth(right));
  return byBreadth.find(({ id }) => id === wanted) ?? byBreadth[0];
}

function breadth({ filters, cell_status }: Configuration): number {
  return Object.keys(filters).length + (cell_status === "available" ? 0 : 100);
}

/** The one that the address names, or else the one with the most asks. */
export function chooseCell(cells: readonly Cell[]): Cell | undefined {
  const year = Number(query.value.get("year"));
  const bucket = query.value.get("condition");
  const named = cells.find((cell) => cell.year === year && cell.condition_bucket === bucket);
  return named ?? cells.toSorted((left, right) => right.listing_count - left.listing_count)[0];
}

export function keyOf({ year, condition_bucket }: Cell): CellKey {
  return { year, bucket: BUCKETS.find((bucket) => bucket === condition_bucket) ?? "used" };
}

/** The same page with another cell, as a link. */
export function cellQuery({ year, bucket }: CellKey): URLSearchParams {
  const next = new URLSearchParams(query.value);
  next.set("year", String(year));
  next.set("condition", bucket);
  return next;
}

export const RANGES = ["30", "90", "365"] as const;
export const WHERES = ["all", "EU", "HK"] as const;

/** How the chart is shown: how many days, and the asks of which market. */
export function readView(): {
  readonly range: (typeof RANGES)[number];
  readonly where: (typeof WHERES)[number];
} {
  const range = query.value.get("range");
  const where = query.value.get("where");
  return {
    range: RANGES.find((each) => each === range) ?? "90",
    where: WHERES.find((each) => each === where) ?? "all",
  };
}

export function changeView(name: "range" | "where", value: string): void {
  const next = new URLSearchParams(query.peek());
  next.set(name, value);
  setQuery(next);
}

export function choosePrice(id: string): void {
  const next = new URLSearchParams(query.peek());
  next.set("price", id);
  setQuery(next, { isReplacing: false });
}
