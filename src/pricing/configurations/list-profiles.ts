import { parseCursor, toCursor, toQueryDigest } from "../../base/cursor.ts";
import { isStorableText } from "../../base/text.ts";
import type { Database } from "../../db/database.ts";
import { listProfilePage, type ProfileRow } from "./profile-store.ts";

const DIGEST = toQueryDigest("profiles");

/** One page of the profiles, by name. */
export async function listProfilesByName(
  db: Database,
  page: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<{ readonly rows: readonly ProfileRow[]; readonly nextCursor?: string }> {
  const afterName = page.cursor === undefined ? "" : parseCursor(page.cursor, DIGEST, toName);
  // One row more than the page holds shows whether there is a next page.
  const found = await listProfilePage(db, { afterName, limit: page.limit + 1 });
  const rows = found.slice(0, page.limit);
  const last = rows.at(-1);
  if (found.length === rows.length || last === undefined) return { rows };
  return { rows, nextCursor: toCursor(DIGEST, [last.name]) };
}

function toName([name]: readonly unknown[]): string | undefined {
  return typeof name === "string" && isStorableText(name) ? name : undefined;
}
