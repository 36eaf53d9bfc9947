import { parseCursor, toCursor, toQueryDigest } from "../base/cursor.ts";
import { isStorableText } from "../base/text.ts";
import { type Sql, sql } from "./sql.ts";

/** A part of the rows of a table with unique names, by name. */
export interface NamePage {
  readonly afterName: string;
  readonly limit: number;
}

/** The end of a query of such a part. */
export function byName({ afterName, limit }: NamePage): Sql {
  return sql`where name collate "C" > ${afterName} order by name collate "C" limit ${limit}`;
}

/** Returns one page with the cursor of the next one. `what` tells the cursors of two lists apart. */
export async function listByName<Item extends { readonly name: string }>(
  what: string,
  page: { readonly limit: number; readonly cursor?: string | undefined },
  list: (page: NamePage) => Promise<readonly Item[]>,
): Promise<{ readonly items: readonly Item[]; readonly next_cursor?: string }> {
  const digest = toQueryDigest(what);
  const afterName = page.cursor === undefined ? "" : parseCursor(page.cursor, digest, toName);
  // One row more than the page holds shows whether there is a next page.
  const rows = await list({ afterName, limit: page.limit + 1 });
  const items = rows.slice(0, page.limit);
  const last = items.at(-1);
  if (rows.length === items.length || last === undefined) return { items };
  return { items, next_cursor: toCursor(digest, [last.name]) };
}

function toName([name]: readonly unknown[]): string | undefined {
  return typeof name === "string" && isStorableText(name) ? name : undefined;
}
