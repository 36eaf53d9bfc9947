import { createHash } from "node:crypto";
import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import { sleep } from "../base/sleep.ts";
import { HOUR_MS, MINUTE_MS } from "../base/time.ts";
import type { ChangeFeed } from "../db/changes.ts";
import type { DatabasePool } from "../db/database.ts";
import { whileLocked } from "../db/locks.ts";
import { saveRawEvents } from "../intake/raw-event-store.ts";
import { at, textAt, toList, toObject } from "./gateways/json.ts";
import type { MessageQuery, Page, WahaClient } from "./gateways/waha-client.ts";
import { listGroupKeys } from "./groups/group-store.ts";
import { listSessions } from "./sessions/session-store.ts";

export interface GatewaySync {
  stop(): Promise<void>;
}

export interface GatewaySyncOptions {
  readonly pool: DatabasePool;
  readonly client: WahaClient;
  readonly clock: Clock;
  readonly log: Logger;
}

const INTERVAL_MS = MINUTE_MS;
/** Group lists and LIDs change slowly, and WhatsApp refuses requests for them that come too often. */
const SLOW_INTERVAL_MS = HOUR_MS;
const PAGE_MAX = 100;
const PAGES_MAX = 100;
/** A session may have missed messages older than its last one, because messages can arrive out of order. */
const OVERLAP_MS = 10 * MINUTE_MS;
/** Engines that can list the messages of all chats at once. */
const LISTS_ALL_CHATS: ReadonlySet<string> = new Set(["GOWS", "NOWEB"]);

/** What this process keeps between two rounds. Without it, a few requests are repeated. */
interface Memory {
  readonly statuses: Map<string, string>;
  readonly stored: Map<string, string>;
  readonly slowAtMs: Map<string, number>;
}

/** Pulls from the gateway at the start, every minute, and when the status of a session changes. */
export function startGatewaySync(
  options: GatewaySyncOptions & { readonly feed: ChangeFeed },
): GatewaySync {
  const stop = new AbortController();
  let wake = new AbortController();
  const memory = newMemory();
  options.feed.subscribe("session_status", () => wake.abort());
  stop.signal.addEventListener("abort", () => wake.abort());
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      wake = new AbortController();
      try {
        await syncOnce(options, memory);
      } catch (error) {
        options.log.warn({ err: error }, "pulling from the gateway failed");
      }
      await sleep(INTERVAL_MS, wake.signal);
      // If a status changes several times within a second, one round is enough.
      await sleep(1_000, stop.signal);
    }
  };
  const running = run();
  return {
    stop: async () => {
      stop.abort();
      await running;
    },
  };
}

export function newMemory(): Memory {
  return { statuses: new Map(), stored: new Map(), slowAtMs: new Map() };
}

/** Runs one round, in one process at a time. */
export async function syncOnce(options: GatewaySyncOptions, memory: Memory): Promise<void> {
  await whileLocked(options.pool, "gateway", async () => {
    const sessions = toList(await options.client.listSessions());
    await store(options, memory, { kind: "sessions", data: sessions });
    for (const session of sessions) {
      const name = textAt(session, "name");
      if (name === undefined) continue;
      const status = textAt(session, "status") ?? "";
      const wasWorking = memory.statuses.get(name) === "WORKING";
      memory.statuses.set(name, status);
      if (status === "WORKING") await syncSession(options, memory, { name, session, wasWorking });
    }
  });
}

interface WorkingSession {
  readonly name: string;
  readonly session: unknown;
  readonly wasWorking: boolean;
}

async function syncSession(
  options: GatewaySyncOptions,
  memory: Memory,
  { name, session, wasWorking }: WorkingSession,
): Promise<void> {
  const nowMs = options.clock.elapsedMs();
  try {
    const slowAtMs = memory.slowAtMs.get(name) ?? Number.NEGATIVE_INFINITY;
    if (nowMs - slowAtMs >= SLOW_INTERVAL_MS) {
      await store(options, memory, {
        kind: "groups",
        session: name,
        data: await options.client.listGroups(name),
      });
      await storePages(options, memory, { kind: "lids", session: name }, (page) =>
        options.client.listLids(name, page),
      );
      memory.slowAtMs.set(name, nowMs);
    }
    if (!wasWorking)
      await backfill(options, memory, { name, engine: textAt(session, "engine", "engine") });
  } catch (error) {
    options.log.warn({ err: error, session: name }, "pulling from a session failed");
  }
}

/** Pulls the messages that the session may have missed since its last one. */
async function backfill(
  options: GatewaySyncOptions,
  memory: Memory,
  { name, engine }: { readonly name: string; readonly engine: string | undefined },
): Promise<void> {
  const stored = (await listSessions(options.pool, undefined)).find(
    (row) => row.gateway_name === name,
  );
  if (stored?.last_message_at_ms == null) return;
  const sinceMs = stored.last_message_at_ms - OVERLAP_MS;
  const chats = LISTS_ALL_CHATS.has(engine ?? stored.engine ?? "")
    ? ["all"]
    : await listGroupKeys(options.pool);
  let count = 0;
  for (const chat of chats) {
    const query: MessageQuery = { session: name, chat, sinceMs };
    count += await storePages(options, memory, { kind: "messages", session: name }, (page) =>
      options.client.listMessages(query, page),
    );
  }
  options.log.info(
    { session: name, count, sinceMs },
    "pulled the messages that the session may have missed",
  );
}

interface Pull {
  readonly kind: "sessions" | "groups" | "lids" | "messages";
  readonly session?: string;
  readonly data: unknown;
}

async function storePages(
  options: GatewaySyncOptions,
  memory: Memory,
  pull: Omit<Pull, "data">,
  request: (page: Page) => Promise<unknown>,
): Promise<number> {
  let count = 0;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const items = toList(await request({ limit: PAGE_MAX, offset: page * PAGE_MAX }));
    count += items.length;
    const data = pull.kind === "messages" ? items.filter(isGroupMessage) : items;
    if (data.length > 0) await store(options, memory, { ...pull, data });
    if (items.length < PAGE_MAX) return count;
  }
  options.log.warn(
    { ...pull, count },
    "the gateway has more pages than the limit; the rest is skipped",
  );
  return count;
}

/** Private chats are not stored at all. */
function isGroupMessage(item: unknown): boolean {
  return (textAt(item, "id") ?? "").includes("@g.us_");
}

/** Stores the answer as a raw event. An answer that has not changed since the last round is not stored again. */
async function store(options: GatewaySyncOptions, memory: Memory, pull: Pull): Promise<void> {
  const text = JSON.stringify(pull.data);
  const key = `${pull.kind} ${pull.session ?? ""} ${pull.kind === "messages" ? text.length : ""}`;
  const hash = createHash("sha256").update(text).digest("hex");
  if (memory.stored.get(key) === hash) return;
  const nowMs = options.clock.nowMs();
  const body = Buffer.from(
    JSON.stringify({
      assay_pull: pull.kind,
      ...(pull.session === undefined ? {} : { session: pull.session }),
      at_ms: nowMs,
      data: pull.data,
    }),
  );
  const event = { gateway: "waha", origin: "pull", body, receivedAtMs: nowMs } as const;
  await saveRawEvents(options.pool, [event], "never");
  memory.stored.set(key, hash);
  const count = Array.isArray(pull.data)
    ? pull.data.length
    : Object.keys(toObject(at(pull, "data")) ?? {}).length;
  options.log.info({ kind: pull.kind, session: pull.session, count }, "pulled from the gateway");
}
