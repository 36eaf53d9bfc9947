import { parseCursor, toCursor, toQueryDigest } from "../base/cursor.ts";
import type { Database } from "../db/database.ts";
import { listViewObjects, type View } from "./view-store.ts";

const DIGEST = toQueryDigest("views");

/** One page of the views, by name. */
export async function listViewPage(
  db: Database,
  page: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<{ readonly items: readonly View[]; readonly next_cursor?: string }> {
  const afterName = page.cursor === undefined ? "" : parseCursor(page.cursor, DIGEST, toName);
  // One row more than the page holds shows whether there is a next page.
  const rows = await listViewObjects(db, { afterName, limit: page.limit + 1 });
  const items = rows.slice(0, page.limit);
  const last = items.at(-1);
  if (rows.length === items.length || last === undefined) return { items };
  return { items, next_cursor: toCursor(DIGEST, [last.name]) };
}

function toName([name]: readonly unknown[]): string | undefined {
  return typeof name === "string" && name.isWellFormed() && !name.includes("\u0000")
    ? name
    : undefined;
}
