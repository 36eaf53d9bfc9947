import { isDeepStrictEqual } from "node:util";
import { type ListingColumns, listingIdOf } from "./listing-rows.ts";
import type { FlippedAsk } from "./listing-write-store.ts";
import type { MatchRequest } from "./match-queue-store.ts";
import type { MessageBatch } from "./message-reading.ts";
import type { ReplyWindow } from "./replies/join-replies.ts";

/** The listings of one message: as stored, and as just read. */
interface MessageChange {
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

/** A listing or message whose id changed because contacts merged. */
interface Move {
  readonly from: string;
  readonly to: string;
}

export interface ListingChanges {
  readonly saved: readonly ListingColumns[];
  readonly removed: readonly ListingColumns[];
  readonly moves: readonly Move[];
  /**
   * The listings of the message with the key of a changed ask, as they were and as they are now. They may be, or may cause,
   * duplicates and price drops.
   */
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
    touched: listTouched(change, [
      ...removed,
      ...saved.flatMap((row) => changedAsks(storedById.get(row.id), row)),
    ]),
  };
}

function changedAsks(
  before: ListingColumns | undefined,
  row: ListingColumns,
): readonly ListingColumns[] {
  if (before === undefined) return [row];
  return isSameAsk(before, row) ? [] : [before, row];
}

/** Two watches of one key in a message have no price drop, so a change of one is a change of the other. */
function listTouched(
  { stored, found }: MessageChange,
  changed: readonly ListingColumns[],
): readonly ListingColumns[] {
  const keys = new Set(changed.map(({ ask_key }) => ask_key));
  return keys.size === 0 ? [] : [...stored, ...found].filter(({ ask_key }) => keys.has(ask_key));
}

function isSame(stored: ListingColumns | undefined, row: ListingColumns): boolean {
  if (stored === undefined) return false;
  const names = Object.keys(row) as (keyof ListingColumns)[];
  return names.every((name) => isDeepStrictEqual(stored[name], row[name]));
}

/** True if both states cause, and have, the same duplicates and price drops. */
function isSameAsk(left: ListingColumns, right: ListingColumns): boolean {
  return ASK_COLUMNS.every((name) => isDeepStrictEqual(left[name], right[name]));
}

const ASK_COLUMNS = [
  "ask_key",
  "message_timestamp_ms",
  "side",
  "variant_folded",
  "price_amount_minor",
  "price_currency",
  "asks",
  "is_hidden",
  "left_out_reason",
  "is_revoked",
  "is_found",
] as const satisfies readonly (keyof ListingColumns)[];

export interface SavedBatch {
  readonly batch: MessageBatch;
  readonly changes: readonly ListingChanges[];
  /** Listings that became a duplicate, or stopped being one, or have another price drop. */
  readonly flipped: readonly FlippedAsk[];
  /** Listings in a group that has another name now. */
  readonly renamedIds: readonly string[];
  /** By message, the listings of this batch as they are now. */
  readonly found: ReadonlyMap<string, readonly ListingColumns[]>;
  /** False if no alert reads messages. */
  readonly withMessages: boolean;
  /** By message, how long its replies may fire alerts. */
  readonly replyWindows: ReadonlyMap<string, ReplyWindow>;
  /** The alert windows that are still queued under old ids of the moves. */
  readonly queuedAlertMs: ReadonlyMap<string, number>;
}

/** Every id that changed because contacts merged, of listings and of messages. */
export function listMoves(
  batch: MessageBatch,
  changes: readonly ListingChanges[],
): readonly Move[] {
  const messageMoves = [...batch.movedTo].map(([from, to]) => ({ from, to }));
  return [...changes.flatMap(({ moves }) => moves), ...messageMoves];
}

/**
 * What to match again after a batch is saved. All changed listings are matched again, but only those that changed with
 * their own message open an alert window, and only while that message has one. An ask that a reply gave has the window of
 * the reply too. If the window of a message has just opened, all of its listings are matched. What moved, is in a group
 * that was renamed, or has a larger price drop, because an earlier ask came later or changed, keeps the window in which it
 * arrived. One id may occur more than once: the store keeps the longest window.
 */
export function toMatchRequests(saved: SavedBatch): readonly MatchRequest[] {
  const inherited = inheritAlertMs(saved);
  const listings = toListingRequests(saved, inherited);
  return saved.withMessages
    ? [...listings, ...toMessageRequests(saved.batch, inherited)]
    : listings;
}

/** An alert that was not fired yet under the old id is to be fired under the new one. */
function inheritAlertMs({
  batch,
  changes,
  queuedAlertMs,
}: SavedBatch): ReadonlyMap<string, number> {
  const inherited = new Map<string, number>();
  for (const { from, to } of listMoves(batch, changes)) {
    const alertMs = queuedAlertMs.get(from);
    if (alertMs !== undefined) inherited.set(to, Math.max(alertMs, inherited.get(to) ?? 0));
  }
  return inherited;
}

interface RequestDraft {
  readonly id: string;
  readonly alertMs: number | null | undefined;
  readonly keepsWindow?: boolean;
}

function toListingRequests(
  { batch, changes, flipped, renamedIds, found, replyWindows }: SavedBatch,
  inherited: ReadonlyMap<string, number>,
): readonly MatchRequest[] {
  const alertMs = alertMsByMessage(batch);
  return [
    ...changes.flatMap((change) => [
      ...change.saved.flatMap((row) => [
        { id: row.id, alertMs: alertMs.get(row.canonical_message_id) },
        ...(row.asks === null
          ? []
          : [{ id: row.id, alertMs: replyWindows.get(row.canonical_message_id)?.alertMs }]),
      ]),
      ...change.removed.map(({ id }) => ({ id, alertMs: null })),
      ...change.moves.map(({ to }) => ({ id: to, alertMs: inherited.get(to), keepsWindow: true })),
    ]),
    ...batch.queued
      .filter((row) => row.has_new_window)
      .flatMap((row) =>
        (found.get(row.canonical_message_id) ?? []).map(({ id }) => ({
          id,
          alertMs: row.alert_ms,
        })),
      ),
    ...[...replyWindows].flatMap(([messageId, window]) =>
      (window.isNew ? (found.get(messageId) ?? []) : [])
        .filter(({ asks }) => asks !== null)
        .map(({ id }) => ({ id, alertMs: window.alertMs })),
    ),
    ...flipped.map(({ id, has_fallen }) => ({ id, alertMs: null, keepsWindow: has_fallen })),
    ...renamedIds.map((id) => ({ id, alertMs: null, keepsWindow: true })),
  ].map((request: RequestDraft) => ({
    resource: "watch_listing",
    resource_id: request.id,
    alert_ms: request.alertMs ?? null,
    keeps_window: request.keepsWindow ?? false,
  }));
}

/**
 * Messages matter to alerts only, so those that cannot fire one are left out. What moved is queued under its old id too, and
 * takes its window along.
 */
function toMessageRequests(
  batch: MessageBatch,
  inherited: ReadonlyMap<string, number>,
): readonly MatchRequest[] {
  const alertMs = alertMsByMessage(batch);
  return [
    ...batch.messages
      .filter((message) => !message.is_own)
      .map(({ id }) => ({ id, alertMs: alertMs.get(id) ?? null })),
    ...[...new Set(batch.movedTo.values())].map((id) => ({
      id,
      alertMs: inherited.get(id) ?? null,
    })),
    ...batch.queued
      .filter((row) => row.has_new_names)
      .map((row) => ({ id: row.canonical_message_id, alertMs: null, keepsWindow: true })),
  ].flatMap(({ id, alertMs: alert_ms, keepsWindow }: RequestDraft): readonly MatchRequest[] =>
    alert_ms == null && keepsWindow !== true
      ? []
      : [
          {
            resource: "message",
            resource_id: id,
            alert_ms: alert_ms ?? null,
            keeps_window: keepsWindow ?? false,
          },
        ],
  );
}

function alertMsByMessage({ queued }: MessageBatch): ReadonlyMap<string, number | null> {
  return new Map(queued.map((row) => [row.canonical_message_id, row.alert_ms]));
}
