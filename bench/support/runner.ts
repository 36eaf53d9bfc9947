// What all benchmarks share: arguments, a store and a service of their own, clocks, and the one JSON line.
//
//   await runBenchmark("name", async (t) => {
//     const store = await openStore(t);
//     const { ms, serverUs } = await measure(() => work(store.db), store);
//     return { ms, server_us: serverUs };
//   });
//
// Whatever registers itself with `t.after` is closed in reverse order, also after an error. Processor time is read
// from /proc, so the benchmarks run on Linux only.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { HOUR_MS, systemClock } from "../../src/base/clock.ts";
import { createLogger } from "../../src/base/log.ts";
import type { Database, DatabasePool } from "../../src/db/database.ts";
import { openEmbeddedServer } from "../../src/db/embedded/server.ts";
import { migrate } from "../../src/db/migrate.ts";
import { openPool } from "../../src/db/pool.ts";
import { rawSql, sql } from "../../src/db/sql.ts";
import { createTokenText } from "../../src/people/token.ts";
import { saveToken } from "../../src/people/token-store.ts";

/** The part of a test's context that a benchmark has too, so both can use the same support. */
export type Run = Pick<TestContext, "after">;

export const log = createLogger("warn");

/** Runs the work and prints what it returns as one JSON line. */
export async function runBenchmark(
  bench: string,
  work: (t: Run) => Promise<object>,
): Promise<void> {
  const figures = await withClosing(work);
  const machine = `${cpus().length} x ${cpus()[0]?.model ?? process.arch}`;
  const line = { bench, machine, node: process.version, ...figures };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** For a part of a benchmark that must have stopped before the next part begins. */
export async function withClosing<Result>(work: (t: Run) => Promise<Result>): Promise<Result> {
  const closers: unknown[] = [];
  try {
    return await work({ after: (close?: unknown) => void closers.push(close) });
  } finally {
    for (const close of closers.reverse()) await (close as () => unknown)();
  }
}

type Numbers<Defaults extends readonly number[]> = { readonly [At in keyof Defaults]: number };

/** The numbers of the command line in their order, and the defaults of those that are missing. */
export function readNumbers<Defaults extends readonly number[]>(
  ...defaults: Defaults
): Numbers<Defaults> {
  const given = process.argv.slice(2).map(Number).filter(Number.isFinite);
  return defaults.map((value, at) => given[at] ?? value) as unknown as Numbers<Defaults>;
}

/** The arguments that are no numbers. */
export function readWords(): readonly string[] {
  return process.argv.slice(2).filter((text) => !Number.isFinite(Number(text)));
}

export function readVariable(name: string, otherwise: number): number {
  return Number(process.env[name] ?? otherwise);
}

export function makeFolder(t: Run): string {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Store {
  readonly db: DatabasePool;
  readonly url: string;
  /** The process that started all others of the server. */
  readonly serverPid: number;
}

/** A migrated, empty database on an embedded server of its own. */
export async function openStore(t: Run): Promise<Store> {
  const server = await openEmbeddedServer({ dataDir: makeFolder(t), log });
  t.after(() => server.release());
  const setUp = openPool({ url: server.setUpUrl("postgres"), name: "bench" });
  await setUp.script("create database bench template template0");
  await setUp.end();
  const url = server.setUpUrl("bench");
  const db = openPool({ url, name: "bench", statementTimeoutMs: HOUR_MS });
  t.after(() => db.end());
  await migrate(db, log);
  return { db, url, serverPid: await findServerPid(db) };
}

async function findServerPid(db: Database): Promise<number> {
  const [row] = await db.query<{ folder: string }>(sql`
    select current_setting('data_directory') as folder`);
  return Number(readFileSync(join(row?.folder ?? "", "postmaster.pid"), "utf8").split("\n")[0]);
}

export interface Service {
  readonly url: string;
  readonly servicePid: number;
  stop(): Promise<void>;
}

/** Starts the built service (`dist/`), and returns when it serves. */
export async function serve(
  t: Run,
  environment: NodeJS.ProcessEnv,
  args: readonly string[] = [],
): Promise<Service> {
  const child = spawn(process.execPath, ["dist/cli/main.js", "serve", ...args], {
    env: {
      PATH: process.env["PATH"] ?? "",
      PORT: "0",
      LOG_LEVEL: "error",
      ASSAY_RATE_LIMIT_PER_MINUTE: "0",
      ASSAY_WAHA_UNSIGNED: "true",
      ...environment,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const stop = async (): Promise<void> => {
    child.kill("SIGINT");
    await exited;
  };
  t.after(stop);
  const url = await new Promise<string>((settle, reject) => {
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const found = /serves (?:the demo at )?(http:\S+)/.exec(text)?.[1];
      if (found !== undefined) settle(found);
    });
    child.once("exit", () => reject(new Error("the service did not start")));
  });
  return { url, servicePid: child.pid ?? 0, stop };
}

/** A token for an hour, so that it does no harm in a store that stays. */
export async function addToken(db: Database): Promise<string> {
  const text = createTokenText();
  const createdAtMs = systemClock.nowMs();
  const name = `bench ${createdAtMs}`;
  await saveToken(db, {
    text,
    name,
    role: "owner",
    createdAtMs,
    expiresAtMs: createdAtMs + HOUR_MS,
  });
  return text;
}

const QUEUES = [
  "raw_event_queue",
  "identity_queue",
  "message_queue",
  "match_queue",
  "refresh_queue",
];

/** True while a step of the pipeline has work. */
export async function isBusy(db: Database): Promise<boolean> {
  const queued = QUEUES.map((queue) => `exists (select from ${queue})`).join(" or ");
  const [row] = await db.query<{ is_busy: boolean }>(sql`select ${rawSql(queued)} as is_busy`);
  return row?.is_busy ?? false;
}

/** The clock's time, and the processor time of this process, of the database server, and of a service. */
export interface Cost {
  readonly ms: number;
  readonly ownUs: number;
  readonly serverUs: number;
  readonly serviceUs: number;
}

interface Processes {
  readonly serverPid?: number;
  readonly servicePid?: number;
}

/** The processes that are not named cost nothing. */
export async function measure<Result>(
  work: () => Promise<Result>,
  processes: Processes = {},
): Promise<Cost & { readonly result: Result }> {
  const before = readClocks(processes);
  const result = await work();
  const after = readClocks(processes);
  return {
    result,
    ms: after.ms - before.ms,
    ownUs: after.ownUs - before.ownUs,
    serverUs: after.serverUs - before.serverUs,
    serviceUs: after.serviceUs - before.serviceUs,
  };
}

/** Processor time of this process, which other programs on the machine affect less than the clock's time. */
export function cpuUs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function readClocks({ serverPid, servicePid }: Processes): Cost {
  const { user, system } = process.cpuUsage();
  return {
    ms: performance.now(),
    ownUs: user + system,
    serverUs: serverPid === undefined ? 0 : serverCpuUs(serverPid),
    serviceUs: servicePid === undefined ? 0 : processCpuUs(readStat(servicePid)),
  };
}

/** Of all processes of the server. Those that have ended count as its children. */
function serverCpuUs(serverPid: number): number {
  const children = readStat(serverPid).slice(13, 15);
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ pid: Number(pid), fields: readStat(pid) }))
    .filter(({ pid, fields }) => pid === serverPid || Number(fields[1]) === serverPid)
    .reduce((sum, { fields }) => sum + processCpuUs(fields), ticksToUs(children));
}

function processCpuUs(fields: readonly string[]): number {
  return ticksToUs(fields.slice(11, 13));
}

const CLOCK_TICK_US = 10_000;

function ticksToUs(ticks: readonly string[]): number {
  return ticks.reduce((sum, count) => sum + Number(count) * CLOCK_TICK_US, 0);
}

/** The fields of /proc/PID/stat from the state on, or none if the process has ended. */
function readStat(pid: number | string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  } catch {
    return [];
  }
}

/**
 * Runs the contenders in turn, round by round, because the speed of a shared machine changes. Round 0 warms all of
 * them up and is not counted.
 */
export async function inTurns<Name extends string, Result>(
  rounds: number,
  contenders: Readonly<Record<Name, (round: number) => Promise<Result>>>,
): Promise<Readonly<Record<Name, readonly Result[]>>> {
  const names = Object.keys(contenders) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    Result[]
  >;
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const result = await contenders[name](round);
      if (round > 0) results[name].push(result);
    }
  }
  return results;
}

/** Watches the memory of this process while the work runs. */
export async function withPeakMemory<Result>(work: () => Promise<Result>) {
  const bytes = () => process.memoryUsage.rss();
  const before = bytes();
  let peak = before;
  const watching = setInterval(() => {
    peak = Math.max(peak, bytes());
  }, 10);
  try {
    const result = await work();
    return { result, beforeBytes: before, peakBytes: Math.max(peak, bytes()) };
  } finally {
    clearInterval(watching);
  }
}

/** The value below which this share of the values lies. 0.5 is the median, 1 the largest. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}
