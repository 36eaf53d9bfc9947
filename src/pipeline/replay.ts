import { moveDeliveries } from "../alerts/deliveries/delivery-store.ts";
import { beginMatches, matchedResources, moveMatches } from "../alerts/match-write-store.ts";
import type { Logger } from "../base/log.ts";
import { type Database, type DatabasePool, LONG_WORK } from "../db/database.ts";
import { takeLock } from "../db/locks.ts";
import { beginStep } from "../db/queue.ts";
import { joinSql, sql } from "../db/sql.ts";
import { beginDeals, dealtResources } from "../deals/deal-write-store.ts";
import { settleDeals } from "../deals/follow-deals.ts";
import { clearQuarantine } from "../intake/quarantine-store.ts";
import { type Alerting, requeueRawEvents } from "../intake/raw-event-store.ts";
import {
  clearListings,
  removeVoidListingAliases,
  saveListingAliases,
} from "../listings/listing-write-store.ts";
import {
  type MatchRequest,
  queuedAlerts,
  queueMatchRequests,
} from "../listings/match-queue-store.ts";
import { hasAnchors, saveAnchors, takeMoves } from "../matching/anchor-store.ts";
import { freshResources, saveFresh } from "../matching/fresh-resource-store.ts";
import { clearMatching } from "../matching/membership-store.ts";
import type { Move } from "../matching/resource-store.ts";
import { clearMessages, removeVoidAliases } from "../messages/clear-messages.ts";
import {
  carriedResources,
  carryAlerts,
  settleCarriedAlerts,
} from "../messages/message-queue-store.ts";
import { saveMessageAliases } from "../messages/message-write-store.ts";
import { dropCarriedEdits } from "../messages/occurrences/reported-message-store.ts";
import { beginRebuild, isRebuilding } from "../pricing/cells/schedule-store.ts";
import { clearSetAsideItems, setAsideAlerts } from "./set-aside-store.ts";

interface Replay {
  readonly eventCount: number;
  /** Of the rebuild that it began; undefined if it deleted nothing. */
  readonly rebuildId: string | undefined;
}

/**
 * Queues raw events again and returns how many. Without `fromMs` it first deletes everything that was made from them, and
 * keeps what is declared. An alert that was about to fire fires when its message is made again. With `fromMs` it queues only
 * what was received since then and deletes nothing, which changes nothing unless a step has changed.
 */
export function requestReplay(
  pool: DatabasePool,
  options: { readonly fromMs?: number; readonly alerting: Alerting },
): Promise<Replay> {
  return pool.transaction(async (tx) => {
    await takeLock(tx, "backup");
    await takeLock(tx, "pipeline");
    const rebuildId = options.fromMs === undefined ? await clearAll(tx) : undefined;
    const eventCount = await requeueRawEvents(tx, options.fromMs ?? 0, options.alerting);
    return { eventCount, rebuildId };
  }, LONG_WORK);
}

/** Returns the id of the rebuild that it begins. */
async function clearAll(tx: Database): Promise<string> {
  await tx.execute(sql`delete from replay_request`);
  const rebuildId = await beginRebuild(tx);
  await beginDeals(tx);
  await carryAlerts(tx, joinSql([queuedAlerts(), setAsideAlerts()], " union all "));
  const known = [matchedResources(), dealtResources(), freshResources(), carriedResources()];
  await saveAnchors(tx, joinSql(known, " union "));
  await clearQuarantine(tx);
  await clearMessages(tx);
  await clearListings(tx);
  await clearMatching(tx);
  await clearSetAsideItems(tx);
  return rebuildId;
}

/** Starts the replay that a migration asked for, unless another process has done so. */
export async function startRequestedReplay(pool: DatabasePool, log: Logger): Promise<void> {
  const requested = await pool.transaction(async (tx) => {
    await takeLock(tx, "backup");
    await takeLock(tx, "pipeline");
    const [request] = await listRequests(tx);
    if (request === undefined) return undefined;
    await clearAll(tx);
    return { ...request, count: await requeueRawEvents(tx, 0, "never") };
  }, LONG_WORK);
  if (requested !== undefined)
    log.info(requested, "the stored events are replayed after an update");
}

export async function isReplayRequested(db: Database): Promise<boolean> {
  return (await listRequests(db)).length > 0;
}

function listRequests(db: Database): Promise<readonly { readonly reason: string }[]> {
  return db.query<{ reason: string }>(sql`select reason from replay_request limit 1`);
}

/**
 * Finishes a replay once the market is rebuilt, so everything that it queued is processed: matches and deals move to the listings
 * and messages that took the place of theirs, old ids lead to these, and aliases that lead nowhere are deleted. What could still
 * fire alerts under its old id is matched again under its new one.
 *
 * Example: an earlier version took two dealers for one, because they used the same raw id. The replay separates them, and
 * the second dealer's listing has a new id. The match of that listing moves there, and its old id becomes an alias.
 */
export async function repairAfterReplay(pool: DatabasePool, nowMs: number): Promise<void> {
  if (!(await hasAnchors(pool))) return;
  await pool.transaction(async (tx) => {
    await beginStep(tx);
    if (await isRebuilding(tx)) return;
    const moves = await takeMoves(tx);
    const listings = moves.filter(({ resource }) => resource === "watch_listing");
    const messages = moves.filter(({ resource }) => resource === "message");
    if (listings.length > 0) await saveListingAliases(tx, listings);
    if (messages.length > 0) await saveMessageAliases(tx, messages);
    await removeVoidListingAliases(tx);
    await removeVoidAliases(tx);
    await settleCarriedAlerts(tx, messages);
    await dropCarriedEdits(tx);
    await settleDeals(tx, moves, nowMs);
    if (moves.length === 0) return;
    await saveFresh(tx, "watch_listing", { fresh: [], moves: listings }, nowMs);
    await saveFresh(tx, "message", { fresh: [], moves: messages }, nowMs);
    await queueMatchRequests(tx, moves.map(toMatchRequest));
    await beginMatches(tx);
    await moveMatches(tx, moves);
    await moveDeliveries(tx, moves);
  }, LONG_WORK);
}

function toMatchRequest({ resource, to }: Move): MatchRequest {
  return { resource, resource_id: to, alert_ms: null, keeps_window: true };
}
