import { useMemo } from "preact/hooks";
import type { Listing, ListingMatch } from "../../../../client/assay-client.ts";
import type { ColumnId } from "./column-ids.ts";
import { MARKET_COLUMNS } from "./market-columns.tsx";

/** Without a listing it holds the place of one that is still read. */
export function MarketRow(props: {
  readonly at: number;
  readonly listing: Listing | undefined;
  readonly price: ListingMatch | null | undefined;
  readonly columns: readonly ColumnId[];
  readonly isSelected: boolean;
}) {
  const { at, listing, price, columns, isSelected } = props;
  // The same element as before is not compared again: while the reader scrolls, only rows that appear cost something.
  return useMemo(
    () => (
      <tr
        class={listing === undefined ? "is-waiting" : ""}
        // The first row is the head.
        aria-rowindex={at + 2}
        aria-current={isSelected ? "true" : undefined}
        data-at={at}
      >
        {columns.map((id) => (
          <td key={id} class={MARKET_COLUMNS[id].isNumber === true ? "num" : ""} data-column={id}>
            {listing === undefined ? null : MARKET_COLUMNS[id].cell(listing, price)}
          </td>
        ))}
      </tr>
    ),
    [at, listing, price, columns, isSelected],
  );
}
