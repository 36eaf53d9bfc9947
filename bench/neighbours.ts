// What others notice while one token, or somebody without one, asks for as much as it can: the owner's own read, a revocation, the
// list of buys, an event, and the searches of an honest client with a token of its own.
//   node --import tsx bench/neighbours.ts                             all attacks on a demo of 30,000 messages
//   SECONDS=10 BEFORE=../older node --import tsx bench/neighbours.ts searches strangers
// With BEFORE, the service of another checkout is measured in turns with this one; both must be built. The attackers run in a
// process of their own. `worst_to_aim` is the worst figure of all attacks divided by its aim.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sleep } from "../src/base/clock.ts";
import { ATTACKS, type Attack, type Attacked } from "./support/attacks.ts";
import {
  makeFolder,
  type Run,
  readVariable,
  readWords,
  round,
  runBenchmark,
  serve,
  withClosing,
} from "./support/runner.ts";

const SECONDS = readVariable("SECONDS", 10);
/** Time for a budget of work to be full again is too long, so each attack has a token of its own. */
const REST_MS = 3_000;
/** After its first load the store analyzes its tables, and the demo draws its photos. */
const SETTLE_MS = 45_000;
const HONEST_EVERY_MS = 200;
const AIMS = {
  me_p99_ms: 300,
  revocation_ms: 1_000,
  event_max_ms: 500,
  matches_max_ms: 1_500,
  honest_p95_ms: 500,
} as const;

type Figures = Readonly<Record<string, number | Readonly<Record<string, number>>>>;

interface Answer {
  readonly status: number;
  readonly ms: number;
}

interface Target {
  readonly url: string;
  readonly owner: string;
}

await runBenchmark("neighbours", async () => {
  const names = readWords();
  const attacks = Object.keys(ATTACKS).filter((name) => names.length === 0 || names.includes(name));
  const now = await withClosing((t) => measure(t, attacks, process.cwd()));
  const { BEFORE } = process.env;
  const before =
    BEFORE === undefined ? undefined : await withClosing((t) => measure(t, attacks, BEFORE));
  return {
    seconds: SECONDS,
    worst_to_aim: worstOf(now),
    now,
    ...(before === undefined ? {} : { before }),
  };
});

function worstOf(results: Readonly<Record<string, Figures>>): number {
  const ratios = Object.values(results).flatMap((figures) =>
    Object.entries(AIMS).map(([name, aim]) => Number(figures[name] ?? 0) / aim),
  );
  return round(Math.max(...ratios));
}

async function measure(
  t: Run,
  attacks: readonly string[],
  folder: string,
): Promise<Record<string, Figures>> {
  const dataDir = makeFolder(t);
  const home = process.cwd();
  process.chdir(folder);
  // With the limits that a new installation has.
  const service = await serve(t, {
    ASSAY_DATA_DIR: dataDir,
    ASSAY_DEMO: "true",
    ASSAY_DEMO_TRICKLE: "false",
    ASSAY_RATE_LIMIT_PER_MINUTE: "6000",
  });
  process.chdir(home);
  const target = {
    url: service.url,
    owner: readFileSync(join(dataDir, "demo-token"), "utf8").trim(),
  };
  await sleep(SETTLE_MS);
  const results: Record<string, Figures> = { quiet: await watch(target, undefined) };
  for (const name of attacks) {
    results[name] = await watch(target, name);
    process.stderr.write(`${folder} ${name}: ${JSON.stringify(results[name])}\n`);
    await sleep(REST_MS);
  }
  return results;
}

/** Runs one attack, and asks meanwhile what others would ask. */
async function watch(target: Target, name: string | undefined): Promise<Figures> {
  const honest = await makeToken(target, "market");
  const revoked = await makeToken(target, "market");
  const attacker = await makeToken(target, "market");
  const attack =
    name === undefined
      ? undefined
      : startAttack({ name, url: target.url, token: attacker.token, seconds: SECONDS });
  const untilMs = performance.now() + SECONDS * 1_000;
  const owner = { authorization: `Bearer ${target.owner}` };
  const repeat = async (
    everyMs: number,
    ask: (at: number) => Promise<Answer>,
  ): Promise<Answer[]> => {
    const answers: Promise<Answer>[] = [];
    for (let at = 0; performance.now() < untilMs; at += 1) {
      answers.push(ask(at));
      await sleep(everyMs);
    }
    return Promise.all(answers);
  };
  const [me, events, matches, searches, revocation] = await Promise.all([
    repeat(50, () => call(target, "GET", "/v2/me", { headers: owner })),
    repeat(100, (at) =>
      call(target, "POST", "/v2/webhooks/waha", {
        body: { event: "presence.update", session: "x", at: `${name} ${at}` },
      }),
    ),
    repeat(300, () =>
      call(target, "GET", "/v2/alerts/matches?limit=50&is_buy=true", { headers: owner }),
    ),
    repeat(HONEST_EVERY_MS, (at) =>
      call(target, "POST", "/v2/market/listings/search", {
        headers: { authorization: `Bearer ${honest.token}` },
        body: { filters: { brand: ["Rolex"], price: { gte: 500_000 + at } }, limit: 20 },
      }),
    ),
    sleep(SECONDS * 400).then(() =>
      call(target, "DELETE", `/v2/tokens/${revoked.id}`, { headers: owner }),
    ),
  ]);
  const attacked = await attack;
  return {
    me_p50_ms: percentile(me, 0.5),
    me_p99_ms: percentile(me, 0.99),
    revocation_ms: round(revocation.ms),
    event_max_ms: percentile(events, 1),
    matches_max_ms: percentile(matches, 1),
    honest_p50_ms: percentile(searches, 0.5),
    honest_p95_ms: percentile(searches, 0.95),
    refused: countRefused([...me, ...events, ...matches, revocation]),
    honest_refused: countRefused(searches),
    ...(attacked === undefined
      ? {}
      : { attacker: attacked.statuses, attacker_refused_p95_ms: attacked.refused_p95_ms }),
  };
}

async function startAttack(attack: Attack): Promise<Attacked> {
  const child: ChildProcess = fork(new URL("support/attacks.ts", import.meta.url), {
    execArgv: ["--import", "tsx"],
    env: { ...process.env, ATTACK: JSON.stringify(attack) },
  });
  const [attacked] = (await once(child, "message")) as [Attacked];
  return attacked;
}

async function makeToken(
  target: Target,
  role: string,
): Promise<{ readonly id: string; readonly token: string }> {
  const response = await fetch(`${target.url}/v2/tokens`, {
    method: "POST",
    headers: { authorization: `Bearer ${target.owner}`, "content-type": "application/json" },
    body: JSON.stringify({ name: `bench ${Math.random()}`, role }),
  });
  if (response.status !== 201) throw new Error(`no token: ${await response.text()}`);
  return (await response.json()) as { readonly id: string; readonly token: string };
}

async function call(
  { url }: Target,
  method: string,
  path: string,
  {
    headers = {},
    body,
  }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: object },
): Promise<Answer> {
  const startedAtMs = performance.now();
  try {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await response.arrayBuffer();
    return { status: response.status, ms: performance.now() - startedAtMs };
  } catch {
    // The connection was refused or broke, which is no answer.
    return { status: 0, ms: performance.now() - startedAtMs };
  }
}

function percentile(answers: readonly Answer[], share: number): number {
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

function countRefused(answers: readonly Answer[]): number {
  return answers.filter(({ status }) => status < 200 || status > 299).length;
}
