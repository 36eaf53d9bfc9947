import { type ColumnId, DEFAULT_COLUMNS } from "./column-ids.ts";

/** What a narrow table leaves out first. */
const LEAST_NEEDED: readonly ColumnId[] = ["groups", "country", "dealer", "seen"];
const PADDING = 12;

/** Leaves out some of the default columns where there is no room. Columns that were chosen stay: the table then scrolls. */
export function fitColumns(
  columns: readonly ColumnId[],
  width: number,
  widthOf: (id: ColumnId) => string,
): readonly ColumnId[] {
  if (columns.join() !== DEFAULT_COLUMNS.join()) return columns;
  const needed = (ids: readonly ColumnId[]) =>
    ids.reduce(
      (sum, id) => sum + Number.parseInt(/\d+(?=px)/.exec(widthOf(id))?.[0] ?? "0", 10),
      PADDING,
    );
  let fitting = columns;
  for (const id of LEAST_NEEDED) {
    if (needed(fitting) <= width) break;
    fitting = fitting.filter((each) => each !== id);
  }
  return fitting;
}
