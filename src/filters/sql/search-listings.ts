import { AppError } from "../../base/errors.ts";
import { isUuid } from "../../base/ids.ts";
import type { Database } from "../../db/database.ts";
import { parseCursor, toCursor, toQueryDigest } from "../../db/page.ts";
import type { Sql } from "../../db/sql.ts";
import { listPackedIds, type PackedIds } from "../../listings/export-store.ts";
import { countListings } from "../../listings/figures/count-store.ts";
import {
  type ListingPage,
  type ListingRow,
  listListings,
  type Position,
  positionOf,
  type Sort,
  walkListings,
} from "../../listings/listing-store.ts";
import type { AttributeName } from "../language/attributes.ts";
import { type Filter, parseFilter } from "../language/filter.ts";
import { compileSearch, compileSql, loadDirectory } from "./compile-sql.ts";

/** Takes ten milliseconds with the longest texts. */
const WALK_MAX = 1_000;

interface ListingSearch {
  readonly filters: unknown;
  /** What a cursor belongs to, if the filter may have other members on the next page; the filter otherwise. */
  readonly cursorOf?: unknown;
  readonly sort: Sort;
  readonly limit: number;
  readonly cursor?: string;
  readonly isTotalAsked: boolean;
}

export interface FoundListings {
  readonly rows: readonly ListingRow[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
  readonly total?: number;
}

/** One page of the listings that a filter selects. */
export async function searchListings(db: Database, search: ListingSearch): Promise<FoundListings> {
  const filter = parseFilter(search.filters);
  const digest = toQueryDigest([search.sort, search.cursorOf ?? filter.clauses]);
  const after =
    search.cursor === undefined ? undefined : parseCursor(search.cursor, digest, toPosition);
  // One row more than the page holds shows whether there is a next page.
  const { rows, where } = await findPage(db, filter, {
    sort: search.sort,
    limit: search.limit + 1,
    isSelective: isSelective(filter, search.sort),
    ...(after === undefined ? {} : { after }),
  });
  const shown = rows.slice(0, search.limit);
  const last = shown.at(-1);
  return {
    rows: shown,
    ...(rows.length > shown.length && last !== undefined
      ? { nextCursor: toNextCursor(last, search.sort, digest) }
      : {}),
    ...(search.isTotalAsked ? { total: await countListings(db, where) } : {}),
  };
}

/** Of common words the first listings of the order have enough, and to find all that have them would take longer. */
async function findPage(
  db: Database,
  filter: Filter,
  page: ListingPage,
): Promise<{ readonly rows: readonly ListingRow[]; readonly where: Sql }> {
  const whole = compileSql(filter, await loadDirectory(db, filter));
  const isText = filter.clauses.some(({ kind }) => kind === "text");
  if (isText) {
    const walk = { ...page, isSelective: false, walkMax: WALK_MAX };
    const rows = await walkListings(db, whole, walk);
    if (rows !== undefined) return { rows, where: whole };
  }
  const where = isText ? await compileSearch(db, filter) : whole;
  return { rows: await listListings(db, where, page), where };
}

/**
 * True if the query must use the indexes of the filter. Because of the limit, the planner would rather walk the index of
 * the sort order and expects to find enough listings soon. That takes seconds if filter and order are correlated, as a
 * reference and its price are. A brand is not in the list, because it has an index for each order.
 */
function isSelective(filter: Filter, sort: Sort): boolean {
  if (sort === "newest" || sort === "oldest") return false;
  return names(filter, SELECTIVE_ATTRIBUTES);
}

function names(filter: Filter, attributes: ReadonlySet<AttributeName>): boolean {
  return filter.clauses.some(
    (clause) => clause.kind === "any_of" && attributes.has(clause.attribute),
  );
}

/** True if the filter may select few listings and has an index for them: it is worth trying to find them first. */
export function namesFewListings(filter: Filter): boolean {
  const isText = filter.clauses.some(({ kind }) => kind === "text");
  return isText || names(filter, SELECTIVE_ATTRIBUTES) || names(filter, GROUP_ATTRIBUTES);
}

const SELECTIVE_ATTRIBUTES: ReadonlySet<AttributeName> = new Set([
  "reference",
  "model",
  "phone_number",
  "contact_id",
  "canonical_message_id",
]);

const GROUP_ATTRIBUTES: ReadonlySet<AttributeName> = new Set(["group_id", "group_name"]);

function toNextCursor(last: ListingRow, sort: Sort, digest: string): string {
  const { value, id } = positionOf(last, sort);
  return toCursor(digest, [value, id]);
}

function toPosition([value, id]: readonly unknown[]): Position | undefined {
  const isValue = value === null || Number.isSafeInteger(value);
  if (!isValue || typeof id !== "string" || !isUuid(id)) return undefined;
  return { value: value as number | null, id };
}

/** A spreadsheet still opens this many rows at once. */
const EXPORT_ROWS_MAX = 100_000;

/** The ids of all listings that a filter selects, in order. Throws `too_many_rows` above the limit. */
export async function selectForExport(
  db: Database,
  selection: { readonly filters: unknown; readonly sort: Sort },
): Promise<PackedIds> {
  const filter = parseFilter(selection.filters);
  const where = compileSql(filter, await loadDirectory(db, filter));
  const ids = await listPackedIds(db, where, { sort: selection.sort, limit: EXPORT_ROWS_MAX + 1 });
  if (ids.count > EXPORT_ROWS_MAX) {
    throw new AppError(
      "too_many_rows",
      `the filter selects more than ${EXPORT_ROWS_MAX} listings; narrow it, for example by time`,
    );
  }
  return ids;
}
