import { AppError } from "../../base/errors.ts";
import type { Database } from "../../db/database.ts";
import { listPackedIds, type PackedIds } from "../../listings/export-store.ts";
import type { Sort } from "../../listings/listing-store.ts";
import { parseFilter } from "../language/filter.ts";
import { compileSql } from "./compile-sql.ts";
import { loadDirectory } from "./directory-store.ts";

/** A spreadsheet still opens this many rows at once. */
const ROWS_MAX = 100_000;

/** The ids of all listings that a filter selects, in order. Throws `too_many_rows` above the limit. */
export async function selectForExport(
  db: Database,
  selection: { readonly filters: unknown; readonly sort: Sort },
): Promise<PackedIds> {
  const filter = parseFilter(selection.filters);
  const where = compileSql(filter, await loadDirectory(db, filter));
  const ids = await listPackedIds(db, where, { sort: selection.sort, limit: ROWS_MAX + 1 });
  if (ids.count > ROWS_MAX) {
    throw new AppError(
      "too_many_rows",
      `the filter selects more than ${ROWS_MAX} listings; narrow it, for example by time`,
    );
  }
  return ids;
}
