import type { ListingChanges } from "./listing-changes.ts";
import type { MatchRequest } from "./match-queue-store.ts";
import type { MessageBatch } from "./message-batch.ts";

/** A listing or message whose id changed because contacts merged. */
interface Move {
  readonly from: string;
  readonly to: string;
}

export interface SavedBatch {
  readonly batch: MessageBatch;
  readonly changes: readonly ListingChanges[];
  /** Other listings that became a duplicate, or stopped being one. */
  readonly flippedIds: readonly string[];
  /** Listings in a group that has another name now. */
  readonly renamedIds: readonly string[];
  /** By message, the listings of this batch as they are now. */
  readonly found: ReadonlyMap<string, readonly { readonly id: string }[]>;
  /** False if no alert reads messages. */
  readonly withMessages: boolean;
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
 * their own message open an alert window, and only while that message has one. If the window of a message has just opened,
 * all of its listings are matched. Listings that moved, or whose group was renamed, keep the window in which they arrived. One
 * id may occur more than once: the store keeps the longest window.
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

interface ListingRequest {
  readonly id: string;
  readonly alertMs: number | null | undefined;
  readonly keepsWindow?: boolean;
}

function toListingRequests(
  { batch, changes, flippedIds, renamedIds, found }: SavedBatch,
  inherited: ReadonlyMap<string, number>,
): readonly MatchRequest[] {
  const alertMs = alertMsByMessage(batch);
  return [
    ...changes.flatMap((change) => [
      ...change.saved.map((row) => ({
        id: row.id,
        alertMs: alertMs.get(row.canonical_message_id),
      })),
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
    ...flippedIds.map((id) => ({ id, alertMs: null })),
    ...renamedIds.map((id) => ({ id, alertMs: null, keepsWindow: true })),
  ].map((request: ListingRequest) => ({
    resource: "watch_listing",
    resource_id: request.id,
    alert_ms: request.alertMs ?? null,
    keeps_window: request.keepsWindow ?? false,
  }));
}

/** Messages matter to alerts only, so those that cannot fire one are left out. */
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
  ].flatMap((request): readonly MatchRequest[] =>
    request.alertMs === null
      ? []
      : [{ resource: "message", resource_id: request.id, alert_ms: request.alertMs }],
  );
}

function alertMsByMessage({ queued }: MessageBatch): ReadonlyMap<string, number | null> {
  return new Map(queued.map((row) => [row.canonical_message_id, row.alert_ms]));
}
