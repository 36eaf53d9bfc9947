import { createHash } from "node:crypto";
import { type Clock, HOUR_MS, MINUTE_MS, sleep } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { Metrics } from "../../base/metrics.ts";
import type { ChangeFeed } from "../../db/changes.ts";
import type { Database, DatabasePool } from "../../db/database.ts";
import { whileLocked } from "../../db/locks.ts";
import { saveRawEvents } from "../../intake/raw-event-store.ts";
import { textAt, toList, toObject } from "../gateways/payload.ts";
import type { WahaClient } from "../gateways/waha-client.ts";
import { listedGroups } from "../gateways/waha-facts.ts";
import { keepSession } from "../gateways/waha-kept.ts";
import { listGroupKeys, listIgnoredGroupKeys } from "../group-store.ts";
import { findSessionTimes, listSessions as listStoredSessions } from "../session-store.ts";
import { ALL_CHATS, listsAllChats, retryDelayMs } from "./backfill.ts";
import { forgetOtherSessions, listSessionBackfills, saveFirstMarks } from "./backfill-store.ts";
import { fetchMissed } from "./fetch-messages.ts";

interface GatewaySync {
  stop(): Promise<void>;
}

interface GatewaySyncOptions {
  readonly pool: DatabasePool;
  readonly client: WahaClient;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal?: AbortSignal;
}

const INTERVAL_MS = MINUTE_MS;
/** Group lists and LIDs change slowly, and WhatsApp refuses requests for them that come too often. */
const SLOW_INTERVAL_MS = HOUR_MS;
const PAGE_MAX = 100;
const PAGES_MAX = 100;
/** An event with more groups could have more parts than are read. */
const GROUPS_PER_EVENT = 1_000;

/**
 * What this process keeps between two rounds, for the sessions of the last list. Without it, a few requests are repeated:
 * what is complete is in the store.
 */
interface Memory {
  readonly pulls: StoredPulls;
  readonly sessions: Map<string, SessionMemory>;
  /** Rounds in a row in which the gateway did not list its sessions. */
  failedRounds: number;
  backfill: { readonly failing: number; readonly failingSinceMs: number | null };
}

interface SessionMemory {
  /** Messages may be missing since then, because the session or the gateway could not be asked. */
  neededSinceMs: number;
  lastDownAtMs: number | null | undefined;
  readonly slowLists: Readonly<Record<SlowKind, SlowList>>;
  groups: readonly string[] | undefined;
}

/** Each list has a time of its own, so that one that fails does not repeat the other. */
interface SlowList {
  /** By `elapsedMs`. */
  dueAtMs: number;
  /** In a row. */
  failedCount: number;
}

type SlowKind = "groups" | "lids";

/** Pulls from the gateway at the start, every minute, and when the status of a session changes. */
export function startGatewaySync(
  options: GatewaySyncOptions & { readonly feed: ChangeFeed; readonly metrics: Metrics },
): GatewaySync {
  const stop = new AbortController();
  let wake = new AbortController();
  const memory = newMemory();
  addGauges(options, memory);
  options.feed.subscribe("session_status", () => wake.abort());
  stop.signal.addEventListener("abort", () => wake.abort());
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      wake = new AbortController();
      try {
        await syncOnce({ ...options, signal: stop.signal }, memory);
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
  return {
    pulls: new Map(),
    sessions: new Map(),
    failedRounds: 0,
    backfill: { failing: 0, failingSinceMs: null },
  };
}

function addGauges(
  { metrics, clock }: { readonly metrics: Metrics; readonly clock: Clock },
  memory: Memory,
): void {
  metrics.addGauge(
    "assay_gateway_failed_rounds",
    "Rounds in a row in which the gateway could not be asked for its sessions.",
    () => memory.failedRounds,
  );
  metrics.addGauge(
    "assay_backfill_failing_chats",
    "Chats whose missed messages could not be fetched at the last attempt.",
    () => memory.backfill.failing,
  );
  metrics.addGauge(
    "assay_backfill_failing_seconds",
    "Time since the first failure of the chat that has been failing longest.",
    () => {
      const sinceMs = memory.backfill.failingSinceMs;
      return sinceMs === null ? 0 : Math.max(0, (clock.nowMs() - sinceMs) / 1000);
    },
  );
}

/** Runs one round, in one process at a time. */
export async function syncOnce(options: GatewaySyncOptions, memory: Memory): Promise<void> {
  await whileLocked(options.pool, "gateway", async () => {
    // Before the gateway is asked, because it may be down too.
    await saveFirstMarks(options.pool, { names: [], nowMs: options.clock.nowMs() });
    // An event that comes while the gateway answers is newer than the answer.
    const atMs = options.clock.nowMs();
    const sessions = toList(await listSessions(options, memory));
    const names = sessions.flatMap((session) => textAt(session, "name") ?? []);
    await saveFirstMarks(options.pool, { names, nowMs: options.clock.nowMs() });
    forgetOthers(memory, names);
    await forgetOtherSessions(options.pool, names);
    const isNews = await differsFromStored(options, sessions, atMs);
    const data = sessions.map(keepSession);
    await savePull(options, memory.pulls, { kind: "sessions", data, atMs, isNews });
    for (const session of sessions) {
      const name = textAt(session, "name");
      if (name === undefined || options.signal?.aborted === true) continue;
      const state = await noteSession(options, memory, { name, status: textAt(session, "status") });
      if (textAt(session, "status") !== "WORKING") continue;
      try {
        await syncSession(options, memory, { name, session, state });
      } catch (error) {
        options.log.warn({ err: error, session: name }, "pulling from a session failed");
      }
    }
  });
  memory.backfill = await sumUp(options.pool);
}

/** If the gateway cannot be asked, its events most likely do not arrive either. */
async function listSessions({ client, clock }: GatewaySyncOptions, memory: Memory) {
  try {
    const sessions = await client.listSessions();
    memory.failedRounds = 0;
    return sessions;
  } catch (error) {
    memory.failedRounds += 1;
    for (const state of memory.sessions.values()) state.neededSinceMs = clock.nowMs();
    throw error;
  }
}

/**
 * Returns true if the list says another status than the store, and is newer. Then an event, or a list of another process, came
 * after the last list of this process, and what took it back was lost.
 */
async function differsFromStored(
  { pool }: GatewaySyncOptions,
  sessions: readonly unknown[],
  atMs: number,
): Promise<boolean> {
  const stored = await listStoredSessions(pool, undefined);
  const byName = new Map(stored.map((session) => [session.gateway_name, session]));
  return sessions.some((session) => {
    const known = byName.get(textAt(session, "name") ?? "");
    const status = textAt(session, "status");
    if (known === undefined || status === undefined) return false;
    return known.status !== status && (known.last_status_at_ms ?? 0) < atMs;
  });
}

function forgetOthers(memory: Memory, names: readonly string[]): void {
  const isListed = new Set(names);
  for (const name of memory.sessions.keys()) if (!isListed.has(name)) memory.sessions.delete(name);
  for (const key of memory.pulls.keys()) {
    const session = key.split(" ")[1] ?? "";
    if (session !== "" && !isListed.has(session)) memory.pulls.delete(key);
  }
}

/** Messages may be missing if this process is new, and if the session was not working, even for a moment. */
async function noteSession(
  { pool, clock }: GatewaySyncOptions,
  memory: Memory,
  { name, status }: { readonly name: string; readonly status: string | undefined },
): Promise<SessionMemory> {
  const nowMs = clock.nowMs();
  const lastDownAtMs = (await findSessionTimes(pool, name))?.last_down_at_ms ?? null;
  const state = memory.sessions.get(name) ?? {
    neededSinceMs: nowMs,
    lastDownAtMs,
    slowLists: {
      groups: { dueAtMs: Number.NEGATIVE_INFINITY, failedCount: 0 },
      lids: { dueAtMs: Number.NEGATIVE_INFINITY, failedCount: 0 },
    },
    groups: undefined,
  };
  if (status !== "WORKING" || state.lastDownAtMs !== lastDownAtMs) state.neededSinceMs = nowMs;
  state.lastDownAtMs = lastDownAtMs;
  memory.sessions.set(name, state);
  return state;
}

interface WorkingSession {
  readonly name: string;
  readonly session: unknown;
  readonly state: SessionMemory;
}

async function syncSession(
  options: GatewaySyncOptions,
  memory: Memory,
  working: WorkingSession,
): Promise<void> {
  const { name, session, state } = working;
  const stored = await findSessionTimes(options.pool, name);
  const engine = textAt(session, "engine", "engine") ?? stored?.engine;
  // Without this list, an engine that lists one chat at a time would be asked for the groups of all sessions.
  if (state.groups === undefined && !listsAllChats(engine))
    await syncSlowList(options, memory, working, "groups");
  await fetchMissed(options, {
    name,
    engine: engine ?? undefined,
    chats: listsAllChats(engine) ? [ALL_CHATS] : await listChats(options.pool, state.groups),
    neededSinceMs: state.neededSinceMs,
  });
  // After the messages, which must not wait until a list has failed.
  await syncSlowList(options, memory, working, "groups");
  await syncSlowList(options, memory, working, "lids");
}

/** Pulls the list if it is due. One that fails is due again after a delay that grows with each failure. */
async function syncSlowList(
  options: GatewaySyncOptions,
  memory: Memory,
  session: WorkingSession,
  kind: SlowKind,
): Promise<void> {
  const { clock, log, signal } = options;
  const list = session.state.slowLists[kind];
  if (signal?.aborted === true || clock.elapsedMs() < list.dueAtMs) return;
  try {
    await (kind === "groups" ? syncGroups : syncLids)(options, memory, session);
    list.failedCount = 0;
    list.dueAtMs = clock.elapsedMs() + SLOW_INTERVAL_MS;
  } catch (error) {
    if (options.signal?.aborted === true) return;
    list.failedCount += 1;
    list.dueAtMs = clock.elapsedMs() + retryDelayMs(list.failedCount);
    const fields = { err: error, session: session.name, kind, failedCount: list.failedCount };
    log.warn(fields, "pulling groups or LIDs failed; will retry");
  }
}

async function syncGroups(
  options: GatewaySyncOptions,
  memory: Memory,
  { name, state }: WorkingSession,
): Promise<void> {
  const groups = await options.client.listGroups(name);
  state.groups = listedGroups(groups);
  const items = Array.isArray(groups) ? groups : Object.values(toObject(groups) ?? {});
  for (let page = 0; page * GROUPS_PER_EVENT < items.length; page += 1) {
    const data = items.slice(page * GROUPS_PER_EVENT, (page + 1) * GROUPS_PER_EVENT);
    await savePull(options, memory.pulls, { kind: "groups", session: name, page, data });
  }
}

async function syncLids(
  options: GatewaySyncOptions,
  memory: Memory,
  { name }: WorkingSession,
): Promise<void> {
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const request = { limit: PAGE_MAX, offset: page * PAGE_MAX };
    const data = toList(await options.client.listLids(name, request));
    if (data.length > 0)
      await savePull(options, memory.pulls, { kind: "lids", session: name, page, data });
    if (data.length < PAGE_MAX) return;
  }
  options.log.warn({ session: name }, "the gateway has more LIDs than the limit; skipped the rest");
}

/** The groups of the session if the gateway has listed them, else all groups that are known. */
async function listChats(
  pool: Database,
  groups: readonly string[] | undefined,
): Promise<readonly string[]> {
  if (groups === undefined) return listGroupKeys(pool);
  const ignored = new Set(await listIgnoredGroupKeys(pool));
  return groups.filter((group) => !ignored.has(group));
}

async function sumUp(pool: Database): Promise<Memory["backfill"]> {
  const sessions = await listSessionBackfills(pool);
  const failingSince = sessions.flatMap(({ failing_since_ms }) => failing_since_ms ?? []);
  return {
    failing: sessions.reduce((sum, { failing_count }) => sum + failing_count, 0),
    failingSinceMs: failingSince.length === 0 ? null : Math.min(...failingSince),
  };
}

/** An answer of the gateway. Messages are stored by `fetch-messages.ts`. */
interface Pull {
  readonly kind: "sessions" | "groups" | "lids";
  readonly session?: string;
  /** A long answer comes in pages. */
  readonly page?: number;
  readonly data: unknown;
  /** When it was asked for; now if that does not matter. */
  readonly atMs?: number;
  /** Stored even if it is what the last round stored. */
  readonly isNews?: boolean;
}

/** Hashes of the answers of the last round, by kind, session and page: as many as there are answers in a round. */
type StoredPulls = Map<string, string>;

/** Stores the answer as a raw event. An answer that has not changed since the last round is not stored again. */
async function savePull(
  { pool, clock, log }: GatewaySyncOptions,
  stored: StoredPulls,
  { kind, session, page, data, atMs, isNews = false }: Pull,
): Promise<void> {
  const key = `${kind} ${session ?? ""} ${page ?? 0}`;
  const hash = createHash("sha256").update(JSON.stringify(data)).digest("hex");
  if (stored.get(key) === hash && !isNews) return;
  const nowMs = clock.nowMs();
  const body = Buffer.from(
    JSON.stringify({
      assay_pull: kind,
      ...(session === undefined ? {} : { session }),
      at_ms: atMs ?? nowMs,
      data,
    }),
  );
  const event = { gateway: "waha", origin: "pull", body, receivedAtMs: nowMs } as const;
  await saveRawEvents(pool, [event], "never");
  stored.set(key, hash);
  const count = Array.isArray(data) ? data.length : Object.keys(toObject(data) ?? {}).length;
  log.info({ kind, session, count }, "pulled from the gateway");
}
