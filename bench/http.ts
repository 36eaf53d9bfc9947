// Prints one JSON line: requests per second and p99 of each of the seven endpoints, next to bare node:http with the
// same headers and bytes, and Fastify with one read by primary key. They run in turns, all without a request log.
//   node --import tsx bench/http.ts [SECONDS] [ROUNDS] [ACCEPT_ENCODING]      default 2, 3 and identity
// The peers never compress; the peer of a kept answer then sends the bytes that Assay sends without a coding.
// Without DATABASE_URL or ASSAY_DATA_DIR it creates a small market. With one of them (and ASSAY_DEMO=1 for the demo) it
// reads the market that is there, and deletes only its own preset.

import { type ChildProcess, fork, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTokenText } from "../src/api/auth/token.ts";
import { saveToken } from "../src/api/auth/token-store.ts";
import { HOUR_MS, systemClock } from "../src/base/clock.ts";
import { parseConfig } from "../src/base/config.ts";
import { createLogger } from "../src/base/log.ts";
import type { DatabasePool } from "../src/db/database.ts";
import { migrate } from "../src/db/migrate.ts";
import { openStore } from "../src/db/open-store.ts";
import { openPool } from "../src/db/pool.ts";
import { sql } from "../src/db/sql.ts";
import type { Load, Measured } from "./http-load.ts";
import { insertMarket } from "./http-market.ts";
import type { PeerPorts, Peers } from "./http-peers.ts";

const SECONDS = Number(process.argv[2] ?? 2);
const ROUNDS = Number(process.argv[3] ?? 3);
const ACCEPT_ENCODING = process.argv[4] ?? "identity";
const CONNECTIONS = 64;
const TARGETS_MAX = 300;
const PRESETS = 20_000;
const CLOCK_TICKS_PER_SECOND = 100;
/** Headers that node:http adds by itself. */
const OF_NODE = ["date", "connection", "keep-alive"];

interface Endpoint {
  readonly name: string;
  readonly method: "GET" | "DELETE";
  readonly peer?: "bare" | "point";
  readonly aim?: number;
  readonly paths: readonly string[];
}

interface Result extends Measured {
  /** Of the server's process only. */
  readonly cpu_us: number;
}

const given = process.env["DATABASE_URL"] ?? process.env["ASSAY_DATA_DIR"];
const ownDir = given === undefined ? mkdtempSync(join(tmpdir(), "assay-bench-")) : undefined;
const environment = {
  ...process.env,
  PORT: "0",
  LOG_LEVEL: "error",
  ASSAY_RATE_LIMIT_PER_MINUTE: "0",
  ...(ownDir === undefined ? {} : { ASSAY_DATA_DIR: ownDir }),
};
const config = parseConfig(environment);
const store = await openStore(config, createLogger("error"));
await migrate(store.pool, createLogger("error"));
const pool = openPool({ url: store.url, name: "assay bench" });
if (ownDir !== undefined) await insertMarket(pool);
const token = await addToken(pool);

const service = spawn(process.execPath, ["dist/cli/main.js", "serve", "--role", "api"], {
  env: environment,
  stdio: ["ignore", "pipe", "inherit"],
});
const [first] = await once(service.stdout, "data");
const port = Number(/http:\S+:(\d+)/.exec(String(first))?.[1]);
const client = fork("bench/http-load.ts", { execArgv: ["--import", "tsx"] });
const peers = fork("bench/http-peers.ts", { execArgv: ["--import", "tsx"] });
try {
  const endpoints = await listEndpoints(pool);
  const listings = await pool.query<{ id: string }>(
    sql`select id from listing order by id limit 300`,
  );
  const ports = await ask<PeerPorts>(peers, {
    databaseUrl: store.url,
    connectionsMax: config.databaseConnectionsMax,
    answers: await answersOf(endpoints),
  } satisfies Peers);
  const points = listings.map(({ id }) => `/point/${id}`);
  const measured = [];
  for (const endpoint of endpoints) measured.push(await compare(endpoint, ports, points));
  process.stdout.write(
    `${JSON.stringify({ bench: "http", connections: CONNECTIONS, seconds: SECONDS, rounds: ROUNDS, accept_encoding: ACCEPT_ENCODING, endpoints: measured })}\n`,
  );
} finally {
  client.kill();
  peers.kill();
  service.kill("SIGINT");
  await once(service, "exit");
  await pool.execute(sql`delete from group_preset where name like 'bench %'`);
  await pool.end();
  await store.close();
  if (ownDir !== undefined) rmSync(ownDir, { recursive: true, force: true });
}

async function listEndpoints(db: DatabasePool): Promise<readonly Endpoint[]> {
  const configurations = await db.query<{ id: string }>(sql`
    select configuration_id as id from price_snapshot order by 1 limit ${TARGETS_MAX}`);
  const listings = await db.query<{ id: string }>(sql`
    select distinct listing.id
      from listing join listing_model on listing_model.listing_id = listing.id
     where not is_hidden and not is_revoked and side = 'for_sale'
     order by 1 limit ${TARGETS_MAX}`);
  const alerts = await db.query<{ id: string }>(sql`
    select alert_id as id from alert_match group by 1 order by count(*) desc, 1 limit 20`);
  const messages = await db.query<{ id: string }>(sql`
    select distinct canonical_message_id as id from occurrence_rollup order by 1 limit ${TARGETS_MAX}`);
  const paths = (rows: readonly { id: string }[], path: (id: string) => string) =>
    rows.map(({ id }) => path(id));
  const get = { method: "GET" } as const;
  const cached = { ...get, peer: "bare", aim: 0.55 } as const;
  const read = { ...get, peer: "point", aim: 0.7 } as const;
  return [
    { ...cached, name: "alerts", paths: ["/v2/alerts"] },
    { ...cached, name: "sessions", paths: ["/v2/sessions"] },
    {
      ...cached,
      name: "cells",
      paths: paths(configurations, (id) => `/v2/market/price-engine/configurations/${id}/cells`),
    },
    {
      ...read,
      name: "price-engine",
      paths: paths(listings, (id) => `/v2/market/listings/${id}/price-engine`),
    },
    { ...read, name: "matches", paths: paths(alerts, (id) => `/v2/alerts/${id}/matches`) },
    {
      ...read,
      name: "summary",
      paths: paths(messages, (id) => `/v2/messages/${id}/occurrences/summary`),
    },
    { name: "delete-preset", method: "DELETE", paths: await addPresets(db) },
  ];
}

/** Runs each endpoint and its peer in turns and keeps the best round, because other programs slow both down. */
async function compare(endpoint: Endpoint, ports: PeerPorts, points: readonly string[]) {
  const { name, peer, aim, paths } = endpoint;
  const ours: Result[] = [];
  const theirs: Result[] = [];
  const load = { connections: CONNECTIONS, seconds: SECONDS, status: 200 };
  if (endpoint.method === "DELETE") {
    const requests = paths.map((path) => toRequest("DELETE", path));
    return { name, ...(await measure(service, { ...load, port, requests, status: 204 })) };
  }
  // Round 0 is not counted: the first requests of each path run before V8 has optimised the code.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const requests = paths.map((path) => toRequest("GET", path));
    ours.push(await measure(service, { ...load, port, requests }));
    const peerPaths = peer === "point" ? points : paths;
    theirs.push(
      await measure(peers, {
        ...load,
        port: peer === "point" ? ports.point : ports.bare,
        requests: peerPaths.map((path) => toRequest("GET", path)),
      }),
    );
  }
  const [our, their] = [best(ours.slice(1)), best(theirs.slice(1))];
  const ratio = Number((our.per_second / their.per_second).toFixed(2));
  const bytes = (await answer(paths[0] ?? "")).body.length;
  return { name, bytes, ...our, peer, peer_result: their, ratio, aim, is_met: ratio >= (aim ?? 0) };
}

function best(results: readonly Result[]): Result {
  return results.reduce((left, right) => (right.per_second > left.per_second ? right : left));
}

async function measure(server: ChildProcess, load: Load): Promise<Result> {
  const before = cpuMs(server);
  const measured = await ask<Measured>(client, load);
  const requests = measured.per_second * load.seconds;
  return { ...measured, cpu_us: Math.round(((cpuMs(server) - before) * 1000) / requests) };
}

function cpuMs(child: ChildProcess): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / CLOCK_TICKS_PER_SECOND;
}

async function ask<Answer>(child: ChildProcess, question: object): Promise<Answer> {
  child.send(question);
  const [message] = (await once(child, "message")) as [{ measured: Answer; error?: string }];
  if (message.error !== undefined) throw new Error(message.error);
  return message.measured;
}

function toRequest(method: string, path: string): string {
  const head = [
    `${method} ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    `Authorization: Bearer ${token}`,
    `Accept-Encoding: ${ACCEPT_ENCODING}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n`;
}

async function answersOf(endpoints: readonly Endpoint[]): Promise<Peers["answers"]> {
  const paths = endpoints.filter(({ peer }) => peer === "bare").flatMap(({ paths }) => paths);
  const answers: [string, Peers["answers"][string]][] = [];
  for (const path of paths) answers.push([path, await answer(path)]);
  return Object.fromEntries(answers);
}

async function answer(path: string): Promise<Peers["answers"][string]> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization: `Bearer ${token}`, "accept-encoding": "identity" },
  });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${body}`);
  const ours = [...response.headers].filter(([name]) => !OF_NODE.includes(name));
  return { headers: Object.fromEntries(ours), body };
}

async function addToken(db: DatabasePool): Promise<string> {
  const text = createTokenText();
  const name = `bench ${randomUUID()}`;
  const expiresAtMs = systemClock.nowMs() + HOUR_MS;
  const createdAtMs = systemClock.nowMs();
  await saveToken(db, { text, name, isReadOnly: false, createdAtMs, expiresAtMs });
  return text;
}

async function addPresets(db: DatabasePool): Promise<readonly string[]> {
  const rows = await db.query<{ id: string }>(sql`
    insert into group_preset (id, name, group_ids, created_at_ms, updated_at_ms)
    select gen_random_uuid(), 'bench ' || gen_random_uuid(), '{}', 0, 0 from generate_series(1, ${PRESETS})
    returning id`);
  return rows.map(({ id }) => `/v2/outbound/group-presets/${id}`);
}
