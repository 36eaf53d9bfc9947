import { isStorableText } from "../../base/text.ts";
import type { Database } from "../../db/database.ts";
import { parseCursor, toCursor, toQueryDigest } from "../../db/page.ts";
import {
  listReferences,
  type ReferencePosition,
  type ReferenceRow,
  type ReferenceSort,
} from "../../listings/figures/reference-store.ts";
import { isShare, type Share, scaleCount } from "../../listings/figures/sample.ts";
import { parseFilter } from "../language/filter.ts";
import { loadDirectory } from "./compile-sql.ts";
import {
  chooseShare,
  compileSample,
  findWindowStart,
  LATER_PAGES_BUDGET,
  type ScanBudget,
  seenSince,
} from "./figure-scan.ts";

interface ReferenceSearch {
  readonly filters: unknown;
  readonly sort: ReferenceSort;
  readonly limit: number;
  readonly cursor?: string;
  readonly nowMs: number;
  readonly budget: ScanBudget;
}

interface FoundReferences {
  readonly rows: readonly ReferenceRow[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
  readonly isExact: boolean;
}

/** A cursor keeps the window and the sample of the first page, so that all pages are about the same listings. */
interface Start {
  readonly sinceMs: number | undefined;
  readonly share: Share;
  readonly after: ReferencePosition;
}

/** One page of the references of the listings that a filter selects. */
export async function searchReferences(
  db: Database,
  search: ReferenceSearch,
): Promise<FoundReferences> {
  const given = parseFilter(search.filters);
  const digest = toQueryDigest(["references", search.sort, given.clauses]);
  const start =
    search.cursor === undefined ? undefined : parseCursor(search.cursor, digest, toStart);
  const windowStart = findWindowStart(given, search.nowMs);
  const sinceMs = windowStart === undefined ? undefined : (start?.sinceMs ?? windowStart);
  const filter = seenSince(given, sinceMs);
  const directory = await loadDirectory(db, filter);
  const budget = start === undefined ? search.budget : LATER_PAGES_BUDGET;
  const share = Math.min(await chooseShare(db, { filter, directory }, budget), start?.share ?? 1);
  const rows = await listReferences(db, compileSample(filter, directory, share), {
    sort: search.sort,
    limit: search.limit + 1,
    ...(start === undefined ? {} : { after: start.after }),
  });
  const shown = rows.slice(0, search.limit);
  const last = shown.at(-1);
  return {
    rows: shown.map((row) => scaleRow(row, share)),
    ...(rows.length > shown.length && last !== undefined
      ? {
          nextCursor: toCursor(digest, [
            sinceMs ?? null,
            share,
            last.value,
            last.brand_folded,
            last.reference_normalized,
          ]),
        }
      : {}),
    isExact: share === 1,
  };
}

function toStart(values: readonly unknown[]): Start | undefined {
  const [sinceMs, share, value, brandFolded, referenceNormalized] = values;
  const isTime = sinceMs === null || Number.isSafeInteger(sinceMs);
  const isValue = value === null || Number.isSafeInteger(value);
  if (!isTime || !isValue || !isShare(share)) return undefined;
  if (!isName(brandFolded) || !isName(referenceNormalized)) return undefined;
  return {
    sinceMs: (sinceMs as number | null) ?? undefined,
    share,
    after: { value: value as number | null, brandFolded, referenceNormalized },
  };
}

function isName(value: unknown): value is string {
  return typeof value === "string" && isStorableText(value);
}

/** Distinct contacts cannot be scaled: a contact with many listings is in every sample. */
function scaleRow(row: ReferenceRow, share: Share): ReferenceRow {
  return {
    ...row,
    listing_count: scaleCount(row.listing_count, share),
    for_sale_count: scaleCount(row.for_sale_count, share),
    want_to_buy_count: scaleCount(row.want_to_buy_count, share),
  };
}
