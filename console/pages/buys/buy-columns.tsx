/** What each column of the list shows. A new column is an entry here, in `COLUMN_IDS` and in the words. */
import type { ComponentChildren } from "preact";
import type { WatchMatch } from "../../../client/assay-client.ts";
import { Age } from "../../parts/figures.tsx";
import {
  askCell,
  belowCellWithAsks,
  conditionCell,
  dealerCell,
  dialCell,
  landedCell,
  marketCell,
  none,
  offerCell,
  photoCell,
  setCell,
  watchCell,
} from "../../parts/watch/watch-cells.tsx";
import { watchDetails } from "../../parts/watch.tsx";
import { buysWords } from "../../words/buys.ts";
import { watchWords } from "../../words/watch.ts";
import type { ColumnId } from "./buys-address.ts";

interface BuyColumn {
  readonly cell: (row: WatchMatch) => ComponentChildren;
  readonly isNumber?: boolean;
  /** Left out where there is no room for all; the watch then says what it would. */
  readonly isOptional?: boolean;
}

export const BUY_COLUMNS: Readonly<Record<ColumnId, BuyColumn>> = {
  photo: { cell: photoCell },
  watch: { cell: (row) => watchCell(row, <Line row={row} />, <Marks row={row} />) },
  year: { isNumber: true, isOptional: true, cell: ({ listing }) => listing?.year ?? none() },
  condition: { isOptional: true, cell: conditionCell },
  set: { isOptional: true, cell: setCell },
  dial: { isOptional: true, cell: dialCell },
  ask: { isNumber: true, cell: (row) => askCell(row, true) },
  landed: { isNumber: true, isOptional: true, cell: landedCell },
  market: { isNumber: true, cell: (row) => marketCell(row, true) },
  below: { isNumber: true, cell: belowCellWithAsks },
  offer: { isNumber: true, cell: offerCell },
  dealer: { isOptional: true, cell: (row) => dealerCell(row, true) },
  age: { isNumber: true, cell: ({ matched_at_ms }) => <Age atMs={matched_at_ms} /> },
};

/** The brand, and what the columns that are left out would say. */
function Line({ row: { listing } }: { readonly row: WatchMatch }) {
  if (listing === undefined) return null;
  const hasName = listing.reference !== undefined || listing.model !== undefined;
  return (
    <>
      <span class="watch-brand">{hasName ? listing.brand : null}</span>
      <bdi class="watch-dial">{listing.dial_type}</bdi>
      <span class="watch-details">
        {watchDetails(listing)}
        {listing.full_set_status.length === 0 ? (
          <span class="warn-words"> · {watchWords.noSet}</span>
        ) : null}
      </span>
    </>
  );
}

/** Why it is no buy. Plain words, because nearly every row of the other matches has them. */
function Marks({ row: { no_buy_reason, reason } }: { readonly row: WatchMatch }) {
  if (no_buy_reason === undefined) return null;
  // The market's column says it too, where there is room for one.
  const isSaid = no_buy_reason === reason;
  return (
    <span class={isSaid ? "mark-reason is-said" : "mark-reason"}>
      {buysWords.noBuy(no_buy_reason)}
    </span>
  );
}
