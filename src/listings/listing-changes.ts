import { isDeepStrictEqual } from "node:util";
import { type ListingColumns, listingIdOf } from "./listing-rows.ts";

/** The listings of one message: as stored, and as just read. */
export interface MessageChange {
  /** As just read. Empty if the message has no listing now, or was deleted. */
  readonly found: readonly ListingColumns[];
  readonly stored: readonly ListingColumns[];
  /** The message that replaced this one when contacts merged. */
  readonly movedTo?: string;
  /** The stored listings come from another extraction version or catalogue. */
  readonly isOtherReader: boolean;
  /** We wrote the message, or it was deleted: it has no listings. */
  readonly isOwn: boolean;
}

export interface ListingChanges {
  readonly saved: readonly ListingColumns[];
  readonly removed: readonly ListingColumns[];
  readonly moves: readonly { readonly from: string; readonly to: string }[];
  /** The changed listings that may be, or may cause, duplicates: as they were and as they are now. */
  readonly touched: readonly ListingColumns[];
}

/**
 * Compares the stored listings of one message with those just read. A stored listing that was not found again is
 *  - removed, if the same reader found it before: then the message itself changed, and any order of delivery must end in
 *    the same listings;
 *  - kept but hidden (`is_found` false), if another reader found it: then only our reading changed, and it may come back;
 *  - removed, if the message is ours or was deleted. If another message replaced it, the old id becomes an alias.
 *
 * Example: stored are A and B, read by catalogue 1. Catalogue 2 finds B at another price and a new C. Saved are B, C, and
 * A as hidden; nothing is removed. Had catalogue 1 read this, A would be removed.
 */
export function compareListings(change: MessageChange): ListingChanges {
  const { movedTo } = change;
  const storedById = new Map(change.stored.map((row) => [row.id, row]));
  const foundIds = new Set(change.found.map(({ id }) => id));
  const changed = change.found.filter((row) => !isSame(storedById.get(row.id), row));
  const lost = change.stored.filter((row) => !foundIds.has(row.id));
  const mayKeep = !change.isOwn && movedTo === undefined;
  const hidden = lost
    .filter((row) => mayKeep && row.is_found && change.isOtherReader)
    .map((row) => ({ ...row, is_found: false, is_hidden: true }));
  // A listing that was hidden earlier, because another reader does not find it, stays as it is.
  const removed = lost.filter((row) => !mayKeep || (row.is_found && !change.isOtherReader));
  const saved = [...changed, ...hidden];
  return {
    saved,
    removed,
    moves:
      movedTo === undefined
        ? []
        : removed.map((row) => ({ from: row.id, to: listingIdOf(movedTo, row.line, row.ordinal) })),
    touched: [...removed, ...saved.flatMap((row) => touchedBy(storedById.get(row.id), row))],
  };
}

function touchedBy(
  before: ListingColumns | undefined,
  row: ListingColumns,
): readonly ListingColumns[] {
  if (before === undefined) return [row];
  return isSameAsk(before, row) ? [] : [before, row];
}

function isSame(stored: ListingColumns | undefined, row: ListingColumns): boolean {
  if (stored === undefined) return false;
  const names = Object.keys(row) as (keyof ListingColumns)[];
  return names.every((name) => isDeepStrictEqual(stored[name], row[name]));
}

/** True if both states cause the same duplicates and are duplicates of the same listings. */
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
