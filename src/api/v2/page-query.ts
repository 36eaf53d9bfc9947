import { Type } from "typebox";
import { optional } from "./schemas.ts";

export const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 200;
/** A cursor may have a name or key. The longest that an index holds has 2,704 bytes, and base64 makes 3,600 of them. */
const CURSOR_LENGTH_MAX = 4_000;

/** The query parameters of a list that is read page by page. */
export const PAGE_QUERY = {
  limit: optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT })),
  cursor: optional(
    Type.String({
      maxLength: CURSOR_LENGTH_MAX,
      description: "`next_cursor` of the previous page.",
    }),
  ),
};

export const NextCursor = optional(Type.String({ description: "Absent on the last page." }));

/** Splits rows that were read with one more than `limit` into the page and, if there are more, its last row. */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
): { readonly shown: readonly Row[]; readonly last?: Row } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return rows.length > limit && last !== undefined ? { shown, last } : { shown };
}
