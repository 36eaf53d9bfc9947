import { randomUUID } from "node:crypto";
import { getEventListeners } from "node:events";
import type { FastifyInstance } from "fastify";
import type { Timeouts } from "../../src/api/http/client-error.ts";
import { type Clock, sleep } from "../../src/base/clock.ts";
import { parseConfig } from "../../src/base/config.ts";
import { createLogger, type Logger } from "../../src/base/log.ts";
import { createMetrics } from "../../src/base/metrics.ts";
import { type ChangeFeed, openChangeFeed } from "../../src/db/changes.ts";
import type { Database, DatabasePool } from "../../src/db/database.ts";
import { openHosts } from "../../src/db/driver/hosts.ts";
import { openReads } from "../../src/db/reads.ts";
import { sql } from "../../src/db/sql.ts";
import { createIntake } from "../../src/intake/receive-event.ts";
import { loadCatalogue } from "../../src/listings/dealer-catalogue.ts";
import { createAgeCheck } from "../../src/messages/privacy/event-age.ts";
import type { Role } from "../../src/people/role.ts";
import { createTokenText } from "../../src/people/token.ts";
import { saveToken } from "../../src/people/token-store.ts";
import { type Lifetime, openTestDatabase } from "./test-database.ts";

export interface TestApp {
  readonly app: FastifyInstance;
  readonly db: DatabasePool;
  readonly feed: ChangeFeed;
  readonly url: string;
  readonly clock: TestClock;
  /** A token that may do everything. */
  readonly token: string;
  /** Sends a request with that token, or with the given headers. */
  call(method: "GET" | "HEAD" | "POST" | "DELETE", url: string, headers?: Headers): Promise<Answer>;
  /** Sends a JSON body with that token, or with the given headers besides. */
  send(method: Method, url: string, body?: object, headers?: Headers): Promise<Answer>;
}

export interface TestClock extends Clock {
  /** Lets time pass. */
  advance(ms: number): void;
  /** Sets the wall clock, as an operator or NTP does. */
  set(ms: number): void;
}

interface AppSettings {
  readonly environment?: Headers;
  /** What the database is a copy of; an empty store if it is not given. */
  readonly template?: string;
  readonly log?: Logger;
  readonly openFeed?: typeof openChangeFeed;
  readonly timeouts?: Timeouts;
}

type Method = "POST" | "PUT" | "PATCH" | "DELETE";

type Headers = Readonly<Record<string, string>>;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on whatever it receives.
  readonly body: any;
}

export const NOW_MS = Date.UTC(2026, 10, 15, 12);

/** The whole HTTP side on its own database. Most tests can do with `borrowTestApp`. */
export async function openTestApp(t: Lifetime, options: AppSettings = {}): Promise<TestApp> {
  const { template } = options;
  const { pool: db, url } = await openTestDatabase(t, template === undefined ? {} : { template });
  const log = options.log ?? createLogger("silent");
  const clock = createTestClock();
  const { app, feed } = await openAppOn(t, { db, url, clock }, { ...options, log });
  const token = await addToken(db, {});
  await until(() => feed.isLive());
  return toTestApp({ app, db, feed, url, clock, token });
}

export function toTestApp(parts: Omit<TestApp, "call" | "send">): TestApp {
  const { app, token } = parts;
  return {
    ...parts,
    call: async (method, path, headers = { authorization: `Bearer ${token}` }) => {
      await hearAll(parts);
      return toAnswer(await app.inject({ method, url: path, headers }));
    },
    send: async (method, path, body, headers = {}) => {
      await hearAll(parts);
      const all = { authorization: `Bearer ${token}`, ...headers };
      const payload = body === undefined ? {} : { payload: body };
      return toAnswer(await app.inject({ method, url: path, headers: all, ...payload }));
    },
  };
}

function toAnswer(response: Awaited<ReturnType<FastifyInstance["inject"]>>): Answer {
  const isJson = String(response.headers["content-type"]).startsWith("application/json");
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    body: isJson && response.body !== "" ? JSON.parse(response.body) : undefined,
  };
}

let markerCount = 0;

/** Waits until the app has heard of every change so far: cached answers are dropped, and a new stream gets no old news. */
export async function hearAll({ db, feed }: Pick<TestApp, "db" | "feed">): Promise<void> {
  if (!feed.isLive()) return;
  markerCount += 1;
  const marker = `marker_${markerCount}`;
  const heard = new Promise<void>((settle) => feed.subscribe(marker, () => settle()));
  const isSent = await db.query(sql`select pg_notify('assay_changes', ${marker})`).then(
    () => true,
    () => false,
  );
  // If the test has stopped the store, no notification can arrive. Otherwise a busy machine may take a while.
  if (isSent) await Promise.race([heard, sleep(5_000)]);
}

/** The HTTP side of another process on the same store. */
export async function openAppOn(
  t: Lifetime,
  store: Pick<TestApp, "db" | "url" | "clock">,
  options: AppSettings = {},
): Promise<Pick<TestApp, "app" | "feed">> {
  const { db, url, clock } = store;
  const log = options.log ?? createLogger("silent");
  const feed = (options.openFeed ?? openChangeFeed)({ url, log });
  const metrics = createMetrics();
  // Loaded only here, because it takes most of a second, and most tests need only the clock of this file.
  const { buildApp } = await import("../../src/api/app.ts");
  // The clock of a test stands still, so nothing would come back.
  const config = parseConfig({ ASSAY_WORK_MS_PER_SECOND: "0", ...options.environment });
  const app = await buildApp({
    config,
    db,
    access: db,
    checks: db,
    hosts: openHosts(url),
    ...openReads({ primary: db, figures: db, connectionsMax: 1, log, metrics }),
    intake: createIntake(db),
    ages: createAgeCheck({ db, clock, log }),
    feed,
    clock,
    catalogue: () => loadCatalogue(config.catalogueFile),
    log,
    metrics,
    isStopping: () => false,
    ...(options.timeouts === undefined ? {} : { timeouts: options.timeouts }),
  });
  t.after(async () => {
    await app.close();
    await feed.close();
  });
  return { app, feed };
}

export async function addToken(
  db: DatabasePool,
  token: {
    readonly role?: Role;
    /** The role `market`. */
    readonly isReadOnly?: boolean;
    readonly expiresAtMs?: number;
  },
): Promise<string> {
  const text = createTokenText();
  const { isReadOnly = false, role = isReadOnly ? "market" : "owner", expiresAtMs } = token;
  const name = `test ${randomUUID()}`;
  await saveToken(db, { text, name, role, createdAtMs: NOW_MS, expiresAtMs });
  return text;
}

/** Revokes a token by its name or prefix, also the last owner. */
export async function revokeAnyway(db: Database, which: string, nowMs = NOW_MS): Promise<void> {
  await db.execute(sql`
    update api_token set revoked_at_ms = ${nowMs} where revoked_at_ms is null and ${which} in (name, prefix)`);
}

export function createTestClock(): TestClock {
  let nowMs = NOW_MS;
  let elapsedMs = 0;
  return {
    nowMs: () => nowMs,
    elapsedMs: () => elapsedMs,
    advance: (ms) => {
      nowMs += ms;
      elapsedMs += ms;
    },
    set: (ms) => {
      nowMs = ms;
    },
  };
}

/** What waits for `opened` goes on once the test calls `open`. */
export function createGate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((settle) => {
    open = settle;
  });
  return { open: () => open(), opened };
}

/** Polls until the condition is true. The time is for a busy machine: it costs nothing unless something is wrong. */
export async function until(
  isDone: () => boolean | Promise<boolean>,
  timeoutMs = 60_000,
): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  while (!(await isDone())) {
    if (performance.now() > deadlineMs) throw new Error(`not within ${timeoutMs} ms`);
    await sleep(20);
  }
}

/** Listeners, and signals that `AbortSignal.any` made from this one, which Node keeps in a set of its own. */
export function countDependants(signal: AbortSignal): number {
  const isSet = ({ description }: symbol) => description === "kDependantSignals";
  const key = Object.getOwnPropertySymbols(signal).find(isSet);
  const made = key === undefined ? undefined : (signal as never)[key];
  return (
    getEventListeners(signal, "abort").length + ((made as Set<unknown> | undefined)?.size ?? 0)
  );
}

/** A change feed that the test controls. */
export function aFeed() {
  const subscribers: ((ids?: readonly string[]) => void)[] = [];
  let isLive = true;
  return {
    isLive: () => isLive,
    subscribe: (_topic: string, onChange: (ids?: readonly string[]) => void) => {
      subscribers.push(onChange);
    },
    close: async () => undefined,
    announce: (ids?: readonly string[]) => {
      for (const onChange of subscribers) onChange(ids);
    },
    cut: () => {
      isLive = false;
    },
  };
}
