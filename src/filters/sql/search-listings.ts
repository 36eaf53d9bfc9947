import { createHash } from "node:crypto";
import { AppError } from "../../base/errors.ts";
import { isUuid } from "../../base/ids.ts";
import type { Database } from "../../db/database.ts";
import {
  countListings,
  type ListingRow,
  listListings,
  type Position,
  positionOf,
  type Sort,
} from "../../listings/listing-store.ts";
import type { AttributeName } from "../language/clause.ts";
import { type Filter, parseFilter } from "../language/filter.ts";
import { compileSql } from "./compile-sql.ts";
import { loadDirectory } from "./directory-store.ts";

export interface ListingSearch {
  readonly filters: unknown;
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
  const digest = digestOf(filter, search.sort);
  const after = search.cursor === undefined ? undefined : parseCursor(search.cursor, digest);
  const where = compileSql(filter, await loadDirectory(db, filter));
  // One row more than requested shows whether there is a next page.
  const rows = await listListings(db, where, {
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
      ? { nextCursor: toCursor(positionOf(last, search.sort), digest) }
      : {}),
    ...(search.isTotalAsked ? { total: await countListings(db, where) } : {}),
  };
}

/**
 * True if the query must use the indexes of the filter. Because of the limit, the planner would rather walk the index of
 * the sort order and expects to find enough listings soon. That takes seconds if filter and order are correlated, as a
 * reference and its price are. A brand is not in the list, because it has an index for each order.
 */
function isSelective(filter: Filter, sort: Sort): boolean {
  if (sort === "newest" || sort === "oldest") return false;
  return filter.clauses.some(
    (clause) => clause.kind === "any_of" && SELECTIVE_ATTRIBUTES.has(clause.attribute),
  );
}

const SELECTIVE_ATTRIBUTES: ReadonlySet<AttributeName> = new Set([
  "reference",
  "model",
  "phone_number",
  "contact_id",
  "canonical_message_id",
]);

/** A cursor contains the last position of a page and a digest of the search. It is not secret, and it is validated when it comes back. */
function toCursor({ value, id }: Position, digest: string): string {
  return Buffer.from(JSON.stringify([digest, value, id])).toString("base64url");
}

function parseCursor(text: string, digest: string): Position {
  const [ownDigest, value, id] = readArray(Buffer.from(text, "base64url").toString());
  const isValue = value === null || Number.isSafeInteger(value);
  if (typeof ownDigest !== "string" || !isValue || typeof id !== "string" || !isUuid(id)) {
    throw new AppError("invalid_payload", "cursor: is not one that a search returned");
  }
  if (ownDigest !== digest) {
    throw new AppError("invalid_payload", "cursor: belongs to a search with other filters or sort");
  }
  return { value: value as number | null, id };
}

function readArray(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    // Text that is not JSON is not a cursor; the caller reports that.
    return [];
  }
}

function digestOf(filter: Filter, sort: Sort): string {
  const text = JSON.stringify([sort, filter.clauses]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 12);
}
