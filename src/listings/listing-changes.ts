import { isDeepStrictEqual } from "node:util";
import { type ListingColumns, listingIdOf } from "./listing-rows.ts";

/** What is to be done about the listings of one message. */
export interface MessageChange {
  /** Empty: the message has none now, or is no more. */
  readonly found: readonly ListingColumns[];
  /** What stands in the store. */
  readonly stored: readonly ListingColumns[];
  /** The message that took its place when contacts merged. */
  readonly movedTo?: string;
  /** It was read by another version or catalogue before, so what is not found any more was not always a mistake. */
  readonly isOtherReader: boolean;
  readonly isOwn: boolean;
}

export interface ListingChanges {
  readonly saved: readonly ListingColumns[];
  readonly removed: readonly ListingColumns[];
  readonly moves: readonly { readonly from: string; readonly to: string }[];
  /** Every state, before and after, in which a listing that changed could make others duplicates or be one. */
  readonly touched: readonly ListingColumns[];
}

/**
 * Listings follow from the message as it is now, so that any order of delivery ends in the same ones: what only an earlier
 * state of it gave is removed. What another version or catalogue found is kept, hidden.
 */
export function compareListings(change: MessageChange): ListingChanges {
  const stored = new Map(change.stored.map((row) => [row.id, row]));
  const found = new Set(change.found.map(({ id }) => id));
  const fresh = change.found.filter((row) => !isSame(stored.get(row.id), row));
  const lost = change.stored.filter((row) => !found.has(row.id));
  const isKept = !change.isOwn && change.movedTo === undefined;
  const hidden = lost
    .filter((row) => isKept && row.is_found && change.isOtherReader)
    .map((row) => ({ ...row, is_found: false, is_hidden: true }));
  const removed = lost.filter((row) => !isKept || (row.is_found && !change.isOtherReader));
  const { movedTo } = change;
  const saved = [...fresh, ...hidden];
  return {
    saved,
    removed,
    moves:
      movedTo === undefined
        ? []
        : removed.map((row) => ({ from: row.id, to: listingIdOf(movedTo, row.line, row.ordinal) })),
    touched: [
      ...removed,
      ...saved.flatMap((row) => {
        const before = stored.get(row.id);
        if (before === undefined) return [row];
        return isSameAsk(before, row) ? [] : [before, row];
      }),
    ],
  };
}

function isSame(stored: ListingColumns | undefined, row: ListingColumns): boolean {
  if (stored === undefined) return false;
  const names = Object.keys(row) as (keyof ListingColumns)[];
  return names.every((name) => isDeepStrictEqual(plain(stored[name]), plain(row[name])));
}

/** The driver's arrays and objects have prototypes of their own. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return [...value];
  return typeof value === "object" && value !== null ? { ...value } : value;
}

/** Whether both make the same listings duplicates. */
function isSameAsk(left: ListingColumns, right: ListingColumns): boolean {
  return ASK_COLUMNS.every((name) => left[name] === right[name]);
}

const ASK_COLUMNS = [
  "ask_key",
  "message_timestamp_ms",
  "side",
  "variant_folded",
  "price_amount_minor",
  "price_currency",
  "is_hidden",
  "is_revoked",
] as const satisfies readonly (keyof ListingColumns)[];
