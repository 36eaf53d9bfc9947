import { isDeepStrictEqual } from "node:util";
import { type ListingColumns, listingIdOf } from "./listing-rows.ts";

/** The listings of one message: as they were just read, and as they are stored. */
export interface MessageChange {
  /** Empty if the message has no listings now, or was deleted. */
  readonly found: readonly ListingColumns[];
  readonly stored: readonly ListingColumns[];
  /** The message that replaced this one when contacts were merged. */
  readonly movedTo?: string;
  /** Another version or catalogue read the message before. A listing that is not found now may have been correct. */
  readonly isOtherReader: boolean;
  readonly isOwn: boolean;
}

export interface ListingChanges {
  readonly saved: readonly ListingColumns[];
  readonly removed: readonly ListingColumns[];
  readonly moves: readonly { readonly from: string; readonly to: string }[];
  /** Changed listings, before and after the change, for finding duplicates again. */
  readonly touched: readonly ListingColumns[];
}

/**
 * Returns what to save and remove, so that the listings follow from the current message only. Then every order of delivery
 * ends in the same listings. A listing that only another version or catalogue found is kept, but hidden.
 */
export function compareListings(change: MessageChange): ListingChanges {
  const stored = new Map(change.stored.map((row) => [row.id, row]));
  const found = new Set(change.found.map(({ id }) => id));
  const changed = change.found.filter((row) => !isSame(stored.get(row.id), row));
  const lost = change.stored.filter((row) => !found.has(row.id));
  const isKept = !change.isOwn && change.movedTo === undefined;
  const hidden = lost
    .filter((row) => isKept && row.is_found && change.isOtherReader)
    .map((row) => ({ ...row, is_found: false, is_hidden: true }));
  const removed = lost.filter((row) => !isKept || (row.is_found && !change.isOtherReader));
  const { movedTo } = change;
  const saved = [...changed, ...hidden];
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
  return names.every((name) =>
    isDeepStrictEqual(withPlainPrototype(stored[name]), withPlainPrototype(row[name])),
  );
}

/** Copies arrays and objects, because those of the driver have other prototypes. */
function withPlainPrototype(value: unknown): unknown {
  if (Array.isArray(value)) return [...value];
  return typeof value === "object" && value !== null ? { ...value } : value;
}

/** Returns true if both have the same duplicates. */
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
