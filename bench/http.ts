// Requests per second and p99 of each of the seven endpoints, next to bare node:http with the same headers and bytes, and
// Fastify with one read by primary key. They run in turns, all without a request log.
//   node --import tsx bench/http.ts [SECONDS] [ROUNDS] [ACCEPT_ENCODING]      default 2, 3 and identity
// The peers never compress; the peer of a kept answer then sends the bytes that Assay sends without a coding.
// Without DATABASE_URL or ASSAY_DATA_DIR it creates a small market. With one of them (and ASSAY_DEMO=1 for the demo) it
// reads the market that is there, and deletes only its own preset.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { parseConfig } from "../src/base/config.ts";
import type { Database } from "../src/db/database.ts";
import { migrate } from "../src/db/migrate.ts";
import { openStore } from "../src/db/open-store.ts";
import { openPool } from "../src/db/pool.ts";
import { type Sql, sql } from "../src/db/sql.ts";
import { insertMarket } from "./support/http-market.ts";
import type { Answer, Load, Measured, Peers, PeerUrls, Task } from "./support/http-processes.ts";
import {
  addToken,
  inTurns,
  log,
  makeFolder,
  measure,
  type Run,
  readNumbers,
  readWords,
  round,
  runBenchmark,
  serve,
} from "./support/runner.ts";

const [SECONDS, ROUNDS] = readNumbers(2, 3);
const ACCEPT_ENCODING = readWords()[0] ?? "identity";
const CONNECTIONS = 64;
const TARGETS_MAX = 300;
const PRESETS = 20_000;
/** Headers that node:http adds by itself. */
const OF_NODE = ["date", "connection", "keep-alive"];

interface Endpoint {
  readonly name: string;
  readonly method: "GET" | "DELETE";
  readonly paths: readonly string[];
  readonly peer?: "bare" | "point";
  readonly aim?: number;
}

interface Result extends Measured {
  /** Of the server's process only. */
  readonly cpu_us: number;
}

/** A server that is measured, and its process. */
interface Server {
  readonly url: string;
  readonly pid: number;
}

interface Measuring {
  readonly token: string;
  readonly client: ChildProcess;
  readonly ours: Server;
  readonly bare: Server;
  readonly point: Server;
  /** The paths of the reads by primary key. */
  readonly points: readonly string[];
}

await runBenchmark("http", async (t) => {
  const { db, url, environment, connectionsMax } = await openMarket(t);
  const token = await addToken(db);
  const endpoints = await listEndpoints(db);
  t.after(() => db.execute(sql`delete from group_preset where name like 'bench %'`));
  const service = await serve(t, environment, ["--role", "api"]);
  const client = forkProcess(t);
  const peers = forkProcess(t);
  const answers: Record<string, Answer> = {};
  for (const { peer, paths } of endpoints) {
    if (peer !== "bare") continue;
    for (const path of paths) answers[path] = await fetchAnswer(service.url, token, path);
  }
  const urls = await ask<PeerUrls>(peers, {
    kind: "peers",
    peers: { databaseUrl: url, connectionsMax, answers } satisfies Peers,
  });
  const listings = await listIds(db, sql`select id from listing order by id limit ${TARGETS_MAX}`);
  const pid = peers.pid ?? 0;
  const measuring: Measuring = {
    token,
    client,
    ours: { url: service.url, pid: service.servicePid },
    bare: { url: urls.bare, pid },
    point: { url: urls.point, pid },
    points: listings.map((id) => `/point/${id}`),
  };
  const measured = [];
  for (const endpoint of endpoints) measured.push(await compare(endpoint, measuring));
  return {
    connections: CONNECTIONS,
    seconds: SECONDS,
    rounds: ROUNDS,
    accept_encoding: ACCEPT_ENCODING,
    endpoints: measured,
  };
});

async function openMarket(t: Run) {
  const isGiven = (process.env["DATABASE_URL"] ?? process.env["ASSAY_DATA_DIR"]) !== undefined;
  const environment = {
    ...process.env,
    PORT: "0",
    LOG_LEVEL: "error",
    ASSAY_RATE_LIMIT_PER_MINUTE: "0",
    ...(isGiven ? {} : { ASSAY_DATA_DIR: makeFolder(t) }),
  };
  const config = parseConfig(environment);
  const store = await openStore(config, log);
  t.after(() => store.close());
  await migrate(store.pool, log);
  const db = openPool({ url: store.url, name: "assay bench" });
  t.after(() => db.end());
  if (!isGiven) await insertMarket(db);
  return { db, url: store.url, environment, connectionsMax: config.databaseConnectionsMax };
}

async function listEndpoints(db: Database): Promise<readonly Endpoint[]> {
  const ids = (query: Sql) => listIds(db, query);
  const configurations = await ids(sql`
    select configuration_id as id from price_snapshot order by 1 limit ${TARGETS_MAX}`);
  const listings = await ids(sql`
    select distinct listing.id
      from listing join listing_model on listing_model.listing_id = listing.id
     where not is_hidden and not is_revoked and side = 'for_sale'
     order by 1 limit ${TARGETS_MAX}`);
  const alerts = await ids(sql`
    select alert_id as id from alert_match group by 1 order by count(*) desc, 1 limit 20`);
  const messages = await ids(sql`
    select distinct canonical_message_id as id from occurrence_rollup order by 1 limit ${TARGETS_MAX}`);
  const presets = await ids(sql`
    insert into group_preset (id, name, group_ids, created_at_ms, updated_at_ms)
    select gen_random_uuid(), 'bench ' || gen_random_uuid(), '{}', 0, 0 from generate_series(1, ${PRESETS})
    returning id`);
  const kept = (name: string, paths: readonly string[]) =>
    ({ name, method: "GET", peer: "bare", aim: 0.55, paths }) as const;
  const read = (name: string, paths: readonly string[]) =>
    ({ name, method: "GET", peer: "point", aim: 0.7, paths }) as const;
  const configuration = "/v2/market/price-engine/configurations";
  return [
    kept("alerts", ["/v2/alerts"]),
    kept("sessions", ["/v2/sessions"]),
    kept(
      "cells",
      configurations.map((id) => `${configuration}/${id}/cells`),
    ),
    read(
      "price-engine",
      listings.map((id) => `/v2/market/listings/${id}/price-engine`),
    ),
    read(
      "matches",
      alerts.map((id) => `/v2/alerts/${id}/matches`),
    ),
    read(
      "summary",
      messages.map((id) => `/v2/messages/${id}/occurrences/summary`),
    ),
    {
      name: "delete-preset",
      method: "DELETE",
      paths: presets.map((id) => `/v2/outbound/group-presets/${id}`),
    },
  ];
}

async function listIds(db: Database, query: Sql): Promise<readonly string[]> {
  return (await db.query<{ id: string }>(query)).map(({ id }) => id);
}

/** Keeps the best round of each, because other programs slow both down. */
async function compare(endpoint: Endpoint, measuring: Measuring) {
  const { name, method, paths, peer, aim } = endpoint;
  const { ours, token } = measuring;
  const run = (server: Server, targets: readonly string[], status = 200) =>
    measureLoad(measuring.client, server, {
      url: server.url,
      requests: targets.map((path) => toRequest(method, path, token)),
      status,
      connections: CONNECTIONS,
      seconds: SECONDS,
    });
  // A preset can be deleted once, so there are no rounds.
  if (peer === undefined) return { name, ...(await run(ours, paths, 204)) };
  const results = await inTurns(ROUNDS, {
    ours: () => run(ours, paths),
    theirs: () => run(measuring[peer], peer === "point" ? measuring.points : paths),
  });
  const [our, their] = [best(results.ours), best(results.theirs)];
  const ratio = round(our.per_second / their.per_second);
  const bytes = (await fetchAnswer(ours.url, token, paths[0] ?? "")).body.length;
  return { name, bytes, ...our, peer, peer_result: their, ratio, aim, is_met: ratio >= (aim ?? 0) };
}

function best(results: readonly Result[]): Result {
  return results.reduce((left, right) => (right.per_second > left.per_second ? right : left));
}

async function measureLoad(client: ChildProcess, { pid }: Server, load: Load): Promise<Result> {
  const { result, serviceUs } = await measure(() => ask<Measured>(client, { kind: "load", load }), {
    servicePid: pid,
  });
  return { ...result, cpu_us: Math.round(serviceUs / (result.per_second * load.seconds)) };
}

function forkProcess(t: Run): ChildProcess {
  const child = fork("bench/support/http-processes.ts", { execArgv: ["--import", "tsx"] });
  t.after(() => child.kill());
  return child;
}

async function ask<Result>(child: ChildProcess, task: Task): Promise<Result> {
  child.send(task);
  const [message] = (await once(child, "message")) as [{ result: Result; error?: string }];
  if (message.error !== undefined) throw new Error(message.error);
  return message.result;
}

function toRequest(method: string, path: string, token: string): string {
  const head = [
    `${method} ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    `Authorization: Bearer ${token}`,
    `Accept-Encoding: ${ACCEPT_ENCODING}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n`;
}

async function fetchAnswer(url: string, token: string, path: string): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${token}`, "accept-encoding": "identity" },
  });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${body}`);
  const ours = [...response.headers].filter(([name]) => !OF_NODE.includes(name));
  return { headers: Object.fromEntries(ours), body };
}
