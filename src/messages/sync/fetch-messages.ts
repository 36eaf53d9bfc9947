import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { Database } from "../../db/database.ts";
import { saveRawEvents } from "../../intake/raw-event-store.ts";
import { textAt, timeAt } from "../gateways/payload.ts";
import { isNotFound, type MessageQuery, type WahaClient } from "../gateways/waha-client.ts";
import { isGroup, parseMessageId } from "../gateways/waha-fields.ts";
import { leaveOutOld } from "../privacy/event-age.ts";
import { ALL_CHATS, type Backfill, isDue, REGULAR_MS, sinceOf } from "./backfill.ts";
import {
  type ChatKey,
  forgetFailures,
  listBackfills,
  listReported,
  saveFailure,
  saveFetched,
  saveProgress,
} from "./backfill-store.ts";
import { addListed, type ListedMessages, storeWindow } from "./check-window.ts";

interface FetchOptions {
  readonly pool: Database;
  readonly client: WahaClient;
  readonly clock: Clock;
  readonly log: Logger;
  /** Ends the round between two requests. What is not fetched yet stays due. */
  readonly signal?: AbortSignal;
}

interface SessionToFetch {
  readonly name: string;
  readonly engine: string | undefined;
  readonly chats: readonly string[];
  /** From this time on messages may be missing. */
  readonly neededSinceMs: number;
}

const PAGE_MAX = 100;
/** Ten thousand messages. */
const PAGES_MAX = 111;
/** The rows that two pages share. If messages are deleted while pages are requested, all that follow move forward. */
const OVERLAP = 10;
/** After so many failures in a row, the other chats of the session would most likely fail too. They stay due. */
const FAILURES_MAX = 3;
const ERROR_LENGTH_MAX = 200;

/** Fetches the messages of every chat that is due. */
export async function fetchMissed(options: FetchOptions, session: SessionToFetch): Promise<void> {
  const { pool, clock } = options;
  await forgetFailures(pool, session.name, session.chats);
  const stored = await listBackfills(pool, session.name);
  const byChat = new Map(stored.map((backfill) => [backfill.chat, backfill]));
  const fetchedAtMs = stored.flatMap(({ fetched_at_ms }) => fetched_at_ms ?? []);
  // A chat that is new since the last fetch can only have messages from after it.
  const lastFetchMs = fetchedAtMs.length === 0 ? undefined : Math.max(...fetchedAtMs);
  let failures = 0;
  for (const chat of session.chats) {
    if (failures === FAILURES_MAX || options.signal?.aborted === true) return;
    const backfill = byChat.get(chat);
    const nowMs = clock.nowMs();
    if (!isDue(backfill, { nowMs, neededSinceMs: session.neededSinceMs })) continue;
    const startMs = lastFetchMs ?? byChat.get(ALL_CHATS)?.complete_to_ms ?? nowMs;
    const isWhole = await fetchChat(options, {
      key: { session: session.name, chat },
      engine: session.engine,
      backfill,
      sinceMs: sinceOf(backfill, { nowMs, startMs }),
      isRegular: backfill?.fetched_at_ms != null && backfill.fetched_at_ms >= session.neededSinceMs,
    });
    failures = isWhole ? 0 : failures + 1;
  }
}

interface ChatFetch {
  readonly key: ChatKey;
  readonly engine: string | undefined;
  readonly backfill: Backfill | undefined;
  readonly sinceMs: number;
  /** Nothing seems to be missing. Then messages that the session has reported with the same text are not stored again. */
  readonly isRegular: boolean;
}

/** Returns false if the fetch failed. Then the mark stays, and the fetch is repeated later. */
async function fetchChat(options: FetchOptions, fetch: ChatFetch): Promise<boolean> {
  const { pool, clock, log } = options;
  const { key, backfill, sinceMs } = fetch;
  const fetchedAtMs = clock.nowMs();
  try {
    const { newestMs, count, isWhole, window } = await storePages(options, fetch);
    const markMs = backfill?.complete_to_ms ?? sinceMs;
    if (!isWhole && newestMs <= markMs) throw new Error(`no end after ${count} messages`);
    const completeToMs = Math.min(Math.max(newestMs, markMs), fetchedAtMs);
    // An engine that lists one chat at a time keeps only a part of it.
    if (isWhole && window !== undefined && key.chat === ALL_CHATS) {
      const { session } = key;
      const { engine } = fetch;
      const range = { fromMs: sinceMs, askedAtMs: fetchedAtMs, listed: window };
      await storeWindow(options, { session, engine, ...range });
    }
    if (isWhole) await saveFetched(pool, key, { completeToMs, fetchedAtMs });
    else await saveProgress(pool, key, completeToMs);
    log.info({ ...key, count, sinceMs, isWhole }, "pulled the messages that may be missing");
    return true;
  } catch (error) {
    if (options.signal?.aborted === true) return false;
    const failedCount = (backfill?.failed_count ?? 0) + 1;
    const reason = error instanceof Error ? error.message : String(error);
    log.warn({ err: error, ...key, failedCount }, "pulling missed messages failed; will retry");
    await saveFailure(pool, key, {
      nowMs: clock.nowMs(),
      startMs: sinceMs,
      failedCount,
      error: reason.slice(0, ERROR_LENGTH_MAX),
    });
    return false;
  }
}

interface Fetched {
  /** The start of the fetch, if there was no message. */
  readonly newestMs: number;
  readonly count: number;
  readonly isWhole: boolean;
  /** All that was listed; undefined if the list may have moved so far between two pages that some were skipped. */
  readonly window?: ListedMessages;
}

/** The end is a page without anything new: the gateway leaves out what it cannot convert, so any page may be short. */
async function storePages(options: FetchOptions, fetch: ChatFetch): Promise<Fetched> {
  const { key, sinceMs } = fetch;
  const query = { session: key.session, chat: key.chat, sinceMs };
  const seenIds = new Set<string>();
  const window: ListedMessages = new Map();
  let isSteady = true;
  let newestMs = sinceMs;
  let lastLength = 0;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    options.signal?.throwIfAborted();
    const items = await requestPage(options.client, query, page);
    const added = items.filter((item) => !seenIds.has(textAt(item, "id") ?? ""));
    // Rows that the last page had past the overlap must come again.
    const isExpected = lastLength > PAGE_MAX - OVERLAP || (page > 0 && items.length > 0);
    isSteady &&= !isExpected || added.length < items.length;
    lastLength = items.length;
    const count = seenIds.size;
    if (added.length === 0) {
      return { newestMs, count, isWhole: true, ...(isSteady ? { window } : {}) };
    }
    await storeMessages(options, fetch, added);
    addListed(window, added);
    for (const item of added) seenIds.add(textAt(item, "id") ?? "");
    const times = items.flatMap((item) => timeAt(item, "timestamp") ?? []);
    newestMs = times.reduce((left, right) => Math.max(left, right), newestMs);
    // Otherwise the messages of later pages can be older than those that we have.
    if (page === PAGES_MAX - 1 && isAscending(times)) {
      return { newestMs, count: seenIds.size, isWhole: false };
    }
  }
  throw new Error(`the gateway lists more than ${seenIds.size} messages, and not the oldest first`);
}

async function requestPage(
  client: WahaClient,
  query: MessageQuery,
  page: number,
): Promise<readonly unknown[]> {
  try {
    const offset = page * (PAGE_MAX - OVERLAP);
    const answer = await client.listMessages(query, { limit: PAGE_MAX, offset });
    if (!Array.isArray(answer)) throw new Error("the gateway's answer is not a list of messages");
    return answer;
  } catch (error) {
    // The session has no such chat, so nothing is missing there.
    if (isNotFound(error)) return [];
    throw error;
  }
}

function isAscending(times: readonly number[]): boolean {
  return times.every((time, at) => at === 0 || time >= (times[at - 1] ?? 0));
}

/**
 * Stores each message as a raw event of its own, with bytes that depend on the message only. So a message that is fetched
 * again is stored once. Private chats are not stored at all. It fires alerts like one that the gateway posts: a fetch can be
 * earlier than the webhook, which waits for pictures, and which one comes first must not matter.
 */
async function storeMessages(
  { pool, clock }: FetchOptions,
  { key, isRegular }: ChatFetch,
  items: readonly unknown[],
): Promise<void> {
  const messages = items.flatMap((item) => {
    const id = parseMessageId(textAt(item, "id"));
    if (id === undefined || !isGroup(id.chat)) return [];
    return [{ item, group: id.chat, rawId: id.rawId, text: textAt(item, "body") ?? "" }];
  });
  const reported =
    isRegular && messages.length > 0 ? await listReported(pool, key.session, messages) : new Set();
  const receivedAtMs = clock.nowMs();
  const events = messages
    .filter((message) => !reported.has(message))
    .map(({ item }) => toRawEvent(item, key.session, receivedAtMs));
  const kept = await leaveOutOld(pool, events, receivedAtMs);
  // What came since the last regular fetch is processed before the backlog, like what the gateway posts.
  const isRecent = ({ sentAtMs }: { readonly sentAtMs: number }) =>
    receivedAtMs - sentAtMs <= REGULAR_MS;
  for (const lane of ["fresh", "backlog"] as const) {
    const queued = kept.filter((event) => isRecent(event) === (lane === "fresh"));
    if (queued.length > 0) await saveRawEvents(pool, queued, "window", lane);
  }
}

function toRawEvent(item: unknown, session: string, receivedAtMs: number) {
  const sentAtMs = timeAt(item, "timestamp") ?? receivedAtMs;
  const body = { assay_pull: "messages", session, at_ms: sentAtMs, data: [item] };
  return {
    gateway: "waha" as const,
    origin: "pull" as const,
    body: Buffer.from(JSON.stringify(body)),
    receivedAtMs,
    sentAtMs,
  };
}
