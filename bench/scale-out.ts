// Prints one JSON line: two API processes, two workers, a primary and its replica, all on this machine and under load.
// In (a), one process of each kind and the replica are killed. In (b), the primary is killed and its synchronous replica
// is promoted.
//   node --import tsx bench/scale-out.ts [SECONDS] [a|b]     default 20 seconds before and after, both
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sleep } from "../src/base/clock.ts";
import { examine, type ScaledOut, startLoad, startScaledOut } from "../test/support/scale-out.ts";
import { until } from "../test/support/test-app.ts";

const SECONDS = Number(process.argv[2] ?? 20);
const WHICH = process.argv[3] ?? "ab";

const startedAtMs = performance.now();
const say = (text: string) =>
  process.stderr.write(`${((performance.now() - startedAtMs) / 1000).toFixed(1)} s  ${text}\n`);

const scenarios = [];
if (WHICH.includes("a")) scenarios.push(await run(false));
if (WHICH.includes("b")) scenarios.push(await run(true));
process.stdout.write(
  `${JSON.stringify({ bench: "scale-out", seconds: SECONDS, gateways: 6, scenarios })}\n`,
);

async function run(isSynchronous: boolean) {
  const closers: (() => unknown)[] = [];
  const t = { after: (close?: unknown) => void closers.push(close as () => unknown) };
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
  try {
    const scaled = await startScaledOut(t, folder, { isSynchronous });
    say("two of each run");
    const load = startLoad(scaled);
    await sleep(SECONDS * 1000);
    const before = load.acknowledged.size;
    say(`${before} events acknowledged, ${load.counts.reads} reads`);
    const takeoverMs = isSynchronous ? await killPrimary(scaled, load) : await killThree(scaled);
    await sleep(SECONDS * 1000);
    await load.end();
    say(`${load.acknowledged.size} events acknowledged, waiting for the workers`);
    const { server } = scaled;
    const url = isSynchronous ? server.replica.url : server.primary.url;
    const found = await examine(url, load.acknowledged);
    return {
      scenario: isSynchronous ? "primary killed" : "api, worker and replica killed",
      acknowledged_per_second_before: Math.round(before / SECONDS),
      ...(takeoverMs === undefined ? {} : { takeover_ms: Math.round(takeoverMs) }),
      ...found,
      ...load.counts,
    };
  } finally {
    for (const close of closers.reverse()) await close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function killThree({ apis, workers, server }: ScaledOut): Promise<undefined> {
  await Promise.all([apis[1]?.end("SIGKILL"), workers[1]?.end("SIGKILL"), server.replica.kill()]);
  say("one of each and the replica are dead");
  return undefined;
}

/** Returns the time until the new primary acknowledged an event. */
async function killPrimary(
  { server }: ScaledOut,
  load: ReturnType<typeof startLoad>,
): Promise<number> {
  await server.primary.kill();
  const diedAtMs = performance.now();
  const count = load.acknowledged.size;
  say("the primary is dead");
  await server.promote();
  say("the replica is promoted");
  await until(() => load.acknowledged.size > count + 10, 120_000);
  return performance.now() - diedAtMs;
}
