import { createHash, createHmac } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { sleep, systemClock } from "../../../src/base/clock.ts";
import type { DatabasePool } from "../../../src/db/database.ts";
import { openPool } from "../../../src/db/pool.ts";
import { sql } from "../../../src/db/sql.ts";
import { type RunningAssay, runAssay, startAssay } from "../run-assay.ts";
import { until } from "../test-app.ts";
import { aMessageEvent } from "../waha.ts";
import { type ReplicatedServer, startReplicatedServer } from "./replicated-server.ts";

/** Two API processes and two workers on a primary with a read replica, and a market. */
export interface ScaledOut {
  readonly server: ReplicatedServer;
  readonly apis: readonly RunningAssay[];
  readonly workers: readonly RunningAssay[];
  readonly token: string;
  apply(alerts: readonly string[]): Promise<void>;
}

export async function startScaledOut(
  t: Pick<TestContext, "after">,
  folder: string,
  options: { readonly isSynchronous: boolean },
): Promise<ScaledOut> {
  const server = await startReplicatedServer(join(folder, "servers"), options);
  const environment = {
    DATABASE_URL: server.url,
    DATABASE_READ_URL: server.replica.url,
    LOG_LEVEL: "warn",
    ASSAY_LAME_DUCK_MS: "0",
    ASSAY_WAHA_UNSIGNED: "true",
  };
  const manifest = join(folder, "market.json");
  mkdirSync(folder, { recursive: true });
  const apply = async (alerts: readonly string[]): Promise<void> => {
    writeFileSync(manifest, JSON.stringify(toManifest(alerts)));
    const applied = await runAssay(["apply", manifest], environment);
    if (applied.code !== 0) throw new Error(applied.err);
  };
  const start = (role: string) => startAssay(t, ["serve", "--role", role], environment);
  const starting = ["api", "api", "worker", "worker"].map(start);
  // Registered after the processes, so that they end before their server.
  t.after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const [first, second, ...workers] = await Promise.all(starting);
  await apply(["any Submariner"]);
  const token = (await runAssay(["token", "create", "--name", "load"], environment)).out.trim();
  if (first === undefined || second === undefined) throw new Error("two of each were asked for");
  return { server, apis: [first, second], workers, token, apply };
}

/** A market in which every listing of the load matches the first alert. */
export function toManifest(alerts: readonly string[]) {
  return {
    profiles: [{ name: "default" }],
    views: [
      { name: "EU", source_market: "EU", filters: { country_codes: { exclude: ["852"] } } },
      { name: "HK", source_market: "HK", filters: { country_codes: { include: ["852"] } } },
    ],
    configurations: [{ profile: "default", brand: "Rolex", reference: "126610LN" }],
    alerts: alerts.map((name) => ({ name, filters: { reference: ["126610LN"] } })),
  };
}

interface Load {
  /** SHA-256 of each acknowledged body (202), and the id of its message. */
  readonly acknowledged: ReadonlyMap<string, string>;
  readonly counts: { reads: number; failedReads: number; failedPosts: number };
  /** The longest times without an acknowledged event and without a successful read. */
  readonly gaps: { eventMs: number; readMs: number };
  end(): Promise<void>;
}

interface LoadOptions {
  /** Gateways with the same number send the same ids, so two loads of one store need different ones. */
  readonly gateways?: readonly number[];
  /** How long each gateway waits between two events. */
  readonly pauseMs?: number;
  /** Signs the events. */
  readonly hmacKey?: string;
}

/** Gateways that retry each event until it is acknowledged, and readers. A refused client switches to the other process. */
export function startLoad(
  { apis, token }: Pick<ScaledOut, "apis" | "token">,
  { gateways = [0, 1, 2, 3, 4, 5], pauseMs = 0, hmacKey }: LoadOptions = {},
): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const acknowledged = new Map<string, string>();
  const counts = { reads: 0, failedReads: 0, failedPosts: 0 };
  const gaps = { eventMs: 0, readMs: 0 };
  const last = { eventMs: performance.now(), readMs: performance.now() };
  const noteSuccess = (kind: keyof typeof gaps): void => {
    const nowMs = performance.now();
    gaps[kind] = Math.max(gaps[kind], Math.round(nowMs - last[kind]));
    last[kind] = nowMs;
  };
  const state = { isOver: false };
  const urlAt = (turn: number) => apis[turn % apis.length]?.url ?? "";
  const post = async (gateway: number): Promise<void> => {
    let turn = gateway;
    for (let at = 0; !state.isOver; at += 1) {
      const rawId = `G${gateway}x${at}`;
      const body = JSON.stringify(anAsk(rawId, { gateway, at }));
      // An event that is not acknowledged by the end does not count as lost.
      while (!state.isOver) {
        const sent = { agent, body, ...(hmacKey === undefined ? {} : { hmacKey }) };
        const { status } = await call(`${urlAt(turn)}/v2/webhooks/waha`, sent);
        if (status === 202) {
          noteSuccess("eventMs");
          acknowledged.set(createHash("sha256").update(body).digest("hex"), rawId);
          break;
        }
        counts.failedPosts += 1;
        turn += 1;
        await sleep(50);
      }
      await sleep(pauseMs);
    }
  };
  const read = async (reader: number): Promise<void> => {
    for (let turn = reader; !state.isOver; turn += 1) {
      const path = turn % 3 === 0 ? "/v2/alerts" : turn % 3 === 1 ? "/v2/sessions" : SEARCH;
      const { status } = await call(`${urlAt(Math.floor(turn / 3))}${path}`, { agent, token });
      if (status === 200) {
        counts.reads += 1;
        noteSuccess("readMs");
      } else counts.failedReads += 1;
      await sleep(Math.max(5, pauseMs));
    }
  };
  const clients = [
    ...gateways.map(post),
    ...Array.from({ length: 2 }, (_, reader) => read(reader)),
  ];
  return {
    acknowledged,
    counts,
    gaps,
    end: async () => {
      state.isOver = true;
      await Promise.all(clients);
      agent.destroy();
    },
  };
}

const SEARCH = "/v2/market/listings/search";

/** Each message is different: a new price of one of fifty dealers. */
function anAsk(rawId: string, { gateway, at }: { readonly gateway: number; readonly at: number }) {
  const dealer = 200 + ((gateway * 7 + at) % 50);
  return aMessageEvent({
    rawId,
    sender: { phone: `447700900${dealer}`, lid: `19990000${dealer}`, name: `Dealer ${dealer}` },
    text: `WTS Rolex 126610LN 2024 new full set ${10_000 + gateway * 1_000 + at} EUR`,
    atS: Math.floor(systemClock.nowMs() / 1000),
  });
}

/** Status 0 means that there was no response. */
export function call(
  url: string,
  options: {
    readonly agent?: Agent;
    readonly token?: string;
    readonly body?: string;
    readonly hmacKey?: string;
  },
): Promise<{ readonly status: number; readonly text: string }> {
  const { agent, token, hmacKey, body = "{}" } = options;
  const isPost = options.body !== undefined || url.endsWith(SEARCH);
  return new Promise((settle) => {
    const failed = () => settle({ status: 0, text: "" });
    const sent = request(
      url,
      {
        method: isPost ? "POST" : "GET",
        timeout: 10_000,
        headers: {
          "content-type": "application/json",
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(hmacKey === undefined ? {} : { "x-webhook-hmac": sign(body, hmacKey) }),
        },
        ...(agent === undefined ? {} : { agent }),
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("end", () => settle({ status: response.statusCode ?? 0, text }));
        response.on("error", failed);
      },
    );
    sent.on("timeout", () => sent.destroy());
    sent.on("error", failed);
    sent.end(isPost ? body : undefined);
  });
}

function sign(body: string, key: string): string {
  return createHmac("sha512", key).update(body).digest("hex");
}

/** Returns the content of the store after everything queued is processed. */
export async function examine(url: string, acknowledged: Load["acknowledged"]) {
  const pool = openPool({ url, name: "assay test" });
  await until(() => isDrained(pool), 120_000);
  const stored = await pool.query<{ sha256: string }>(sql`
    select encode(sha256, 'hex') as sha256 from raw_event`);
  const occurrences = await pool.query<{ raw_id: string }>(sql`select raw_id from occurrence`);
  const [row] = await pool.query<{
    listings: number;
    matches: number;
    unmatched: number;
    cells: number;
  }>(sql`
    select (select count(*) from listing) as listings,
           (select count(*) from alert_match) as matches,
           (select count(*) from listing
             where not exists (select 1 from alert_match join alert on alert.id = alert_id
                                where listing_id = listing.id and alert.name = 'any Submariner')) as unmatched,
           (select coalesce(sum(listing_count), 0)::bigint from price_cell) as cells`);
  const doubled = await pool.query(sql`
    select 1 from alert_match group by alert_id, resource, resource_id having count(*) > 1`);
  await pool.end();
  const keys = new Set(stored.map(({ sha256 }) => sha256));
  const rawIds = new Set(occurrences.map(({ raw_id }) => raw_id));
  const isLost = ([sha256, rawId]: readonly [string, string]) =>
    !keys.has(sha256) || !rawIds.has(rawId);
  return {
    acknowledged: acknowledged.size,
    lost: [...acknowledged].filter(isLost).length,
    doubled_events: stored.length - keys.size,
    doubled_matches: doubled.length,
    listings: row?.listings ?? 0,
    unmatched: row?.unmatched ?? 0,
    cell_listings: row?.cells ?? 0,
  };
}

async function isDrained(pool: DatabasePool): Promise<boolean> {
  const [row] = await pool.query<{ waiting: number }>(sql`
    select (select count(*) from raw_event_queue) + (select count(*) from identity_queue)
         + (select count(*) from message_queue) + (select count(*) from match_queue)
         + (select count(*) from refresh_queue) as waiting`);
  return row?.waiting === 0;
}
