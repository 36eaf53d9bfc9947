/**
 * Finds messages that were revoked while events were lost. NOWEB and GOWS delete a revoked message from their store, so a
 * message that a session reported and no longer lists was revoked.
 *
 * A window is all that a session lists since a time, fetched to the end. What it says is stored as a raw event of its own:
 * the ids of stored messages that it lacks, and of missing ones that it has again. So a replay ends in the same state. Most
 * windows say nothing new, and are not stored.
 *
 * Invariant: on doubt nothing is missing. A message counts only if the session itself reported it, more than two minutes
 * before it was asked; if the group still lists a message that is as old; and if it lists more than are missing. So a chat
 * that was cleared, a store that was reset and a message that is just coming in withdraw nothing.
 *
 * Example: Lena posts AA01 at 09:00 and AA02 at 09:05, and revokes AA02 at 09:06 while the service is down. At 09:30 the
 * window since 08:50 has AA01 only. AA02 is missing, and its listing is withdrawn. Had the window neither of them, nothing
 * would be said of the group.
 */
import { MINUTE_MS } from "../../base/clock.ts";
import { groupBy } from "../../base/group-by.ts";
import type { Logger } from "../../base/log.ts";
import type { Database } from "../../db/database.ts";
import { saveRawEvents } from "../../intake/raw-event-store.ts";
import { textAt, timeAt } from "../gateways/payload.ts";
import type { WahaClient } from "../gateways/waha-client.ts";
import { isGroup, parseMessageId } from "../gateways/waha-fields.ts";
import { sessionIdOf } from "../message.ts";
import { listCheckable, type StoredMessage } from "./backfill-store.ts";

interface CheckOptions {
  readonly pool: Database;
  readonly client: WahaClient;
  readonly log: Logger;
}

/** By group and raw id: when the message was sent, as the gateway lists it. */
export type ListedMessages = Map<string, Map<string, number>>;

export interface FetchedWindow {
  readonly session: string;
  readonly engine: string | undefined;
  readonly fromMs: number;
  /** Before the first page was requested. */
  readonly askedAtMs: number;
  readonly listed: ListedMessages;
}

/** A message can be posted before the gateway has stored it. */
const SETTLED_MS = 2 * MINUTE_MS;
/** More at once are more likely a fault of the gateway than revocations. */
const GROUPS_MAX = 20;
const MISSING_MAX = 500;
const PAGE_MAX = 100;

/** Adds the messages of groups to the list. Messages without a time say nothing about how far back the list goes. */
export function addListed(listed: ListedMessages, items: readonly unknown[]): void {
  for (const item of items) {
    const id = parseMessageId(textAt(item, "id"));
    if (id === undefined || !isGroup(id.chat)) continue;
    const group = listed.get(id.chat) ?? new Map<string, number>();
    group.set(id.rawId, timeAt(item, "timestamp") ?? Number.POSITIVE_INFINITY);
    listed.set(id.chat, group);
  }
}

/** Stores what a window says about messages that are stored, if that is new. */
export async function storeWindow(options: CheckOptions, window: FetchedWindow): Promise<void> {
  const { pool, log } = options;
  const { session, fromMs, askedAtMs } = window;
  const toMs = askedAtMs - SETTLED_MS;
  const messages = [...window.listed].flatMap(([group, ids]) =>
    [...ids.keys()].map((rawId) => ({ group, rawId })),
  );
  if (messages.length === 0) return;
  const limit = MISSING_MAX + 1;
  const stored = await listCheckable(pool, { session, fromMs, toMs, listed: messages, limit });
  const sessionId = sessionIdOf(session);
  const listed = stored.filter((row) => row.isListed && isKnownMissing(row));
  const missing = await confirmMissing(
    options,
    window,
    stored.filter((row) => !row.isListed && isExpected(row, { sessionId, toMs })),
  );
  if (listed.length + missing.length === 0) return;
  const byGroup = groupBy([...missing, ...listed], ({ group }) => group);
  const data = [...byGroup].map(([group, rows]) => {
    const idsOf = (isListed: boolean) =>
      rows.filter((row) => row.isListed === isListed).map(({ rawId }) => rawId);
    return { group, missing: idsOf(false), listed: idsOf(true) };
  });
  const { engine } = window;
  const range = { chat: "all", from_ms: fromMs, to_ms: toMs, at_ms: askedAtMs };
  const body = { assay_pull: "window", session, engine, ...range, data };
  const event = {
    gateway: "waha",
    origin: "pull",
    body: Buffer.from(JSON.stringify(body)),
    receivedAtMs: askedAtMs,
  } as const;
  await saveRawEvents(pool, [event], "never", "fresh");
  log.info(
    { session, missingCount: missing.length, listedCount: listed.length },
    "the gateway lists other messages than are stored",
  );
}

/** True if the latest check of the message says that it is missing. */
function isKnownMissing({ reports }: Pick<StoredMessage, "reports">): boolean {
  const checks = reports.filter((report) => report.kind === "check");
  const latest = (isListed: boolean) =>
    Math.max(
      ...checks.filter((check) => check.is_listed === isListed).map((row) => row.checked_at_ms),
    );
  return latest(false) > latest(true);
}

/**
 * True if the session should list the message. A session that once did not list it is not asked again: if another one has it
 * since then, the first one deleted it for itself only.
 */
function isExpected(
  { reports }: Pick<StoredMessage, "reports">,
  { sessionId, toMs }: { readonly sessionId: string; readonly toMs: number },
): boolean {
  const own = reports.filter(
    (report) => report.kind !== "check" || report.session_id === sessionId,
  );
  const isReported = own.some(
    (report) =>
      report.kind === "message" && report.session_id === sessionId && report.received_at_ms < toMs,
  );
  return isReported && !isKnownMissing({ reports: own });
}

/** Looks once more for each message, in the newest messages of its group, and leaves out what is in doubt. */
async function confirmMissing(
  { client, log }: CheckOptions,
  { session, listed }: FetchedWindow,
  missing: readonly StoredMessage[],
): Promise<readonly StoredMessage[]> {
  const byGroup = groupBy(missing, ({ group }) => group);
  if (byGroup.size > GROUPS_MAX || missing.length > MISSING_MAX) {
    const counts = { groupCount: byGroup.size, missingCount: missing.length };
    log.warn({ session, ...counts }, "the gateway lacks too many messages; none is withdrawn");
    return [];
  }
  const confirmed: StoredMessage[] = [];
  for (const [group, rows] of byGroup) {
    const newest = new Map([[group, new Map(listed.get(group))]]);
    const answer = await client.listNewestMessages({ session, chat: group }, PAGE_MAX);
    addListed(newest, Array.isArray(answer) ? answer : []);
    const here = newest.get(group) ?? new Map<string, number>();
    const oldestMs = Math.min(...here.values());
    const left = rows.filter(({ rawId, sentAtMs }) => !here.has(rawId) && sentAtMs >= oldestMs);
    if (left.length < here.size) confirmed.push(...left);
  }
  return confirmed;
}
