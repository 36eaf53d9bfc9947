/**
 * A cursor tells a list where the previous page ended, so that the next page starts after it. It is the JSON array
 * `[digest, ...position]` in base64url. `position` holds the sort values of the last row, and `digest` identifies the
 * query (filters and sort), because a position makes no sense in the result of another query.
 * A cursor is not signed and holds no secret, so the caller of `parseCursor` checks every value in it.
 *
 * Example: a search for Rolex, newest first, ends its page at the listing `b7…` of time 1700. Its cursor is
 * `["x3Zk…", 1700, "b7…"]`. The same search with this cursor continues after that listing. A search for Omega with this
 * cursor has another digest, and is refused.
 */
import { createHash } from "node:crypto";
import { AppError } from "../base/errors.ts";
import { isStorableText } from "../base/text.ts";
import { type Sql, sql } from "./sql.ts";

/** Long enough that two queries of one client never share a digest by accident. */
const DIGEST_LENGTH = 12;

/** Identifies a query by its JSON; `query` must list its members in a fixed order. */
export function toQueryDigest(query: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(query))
    .digest("base64url")
    .slice(0, DIGEST_LENGTH);
}

export function toCursor(digest: string, position: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([digest, ...position])).toString("base64url");
}

/**
 * Returns the position in the cursor, or throws `invalid_payload`. `toPosition` returns undefined if the values are not a
 * position of the list.
 */
export function parseCursor<Position>(
  cursor: string,
  digest: string,
  toPosition: (values: readonly unknown[]) => Position | undefined,
): Position {
  const [cursorDigest, ...values] = parseArray(Buffer.from(cursor, "base64url").toString());
  const position = toPosition(values);
  if (typeof cursorDigest !== "string" || position === undefined) {
    throw new AppError(
      "invalid_payload",
      "cursor: is not one that this list returned; send next_cursor of the previous page unchanged",
    );
  }
  if (cursorDigest !== digest) {
    throw new AppError(
      "invalid_payload",
      "cursor: belongs to a request with other filters or another sort; start again without a cursor",
    );
  }
  return position;
}

function parseArray(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    // Text that is not JSON is not a cursor; the caller reports that.
    return [];
  }
}

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
