// Two API processes, two workers, a primary and its replica, all on this machine and under load. In (a), one process of
// each kind and the replica are killed. In (b), the primary is killed and its synchronous replica is promoted.
//   node --import tsx bench/scale-out.ts [SECONDS] [a|b]     default 20 seconds before and after, both

import { sleep } from "../src/base/clock.ts";
import {
  examine,
  type ScaledOut,
  startLoad,
  startScaledOut,
} from "../test/support/faults/scale-out.ts";
import { until } from "../test/support/test-app.ts";
import {
  makeFolder,
  type Run,
  readNumbers,
  readWords,
  runBenchmark,
  withClosing,
} from "./support/runner.ts";

const [SECONDS] = readNumbers(20);
const WHICH = readWords()[0] ?? "ab";

await runBenchmark("scale-out", async () => {
  const scenarios = [];
  if (WHICH.includes("a")) scenarios.push(await withClosing((t) => run(t, false)));
  if (WHICH.includes("b")) scenarios.push(await withClosing((t) => run(t, true)));
  return { seconds: SECONDS, gateways: 6, scenarios };
});

async function run(t: Run, isSynchronous: boolean) {
  const scaled = await startScaledOut(t, makeFolder(t), { isSynchronous });
  const { apis, workers, server } = scaled;
  const load = startLoad(scaled);
  await sleep(SECONDS * 1000);
  const before = load.acknowledged.size;
  const takeoverMs = isSynchronous ? await killPrimary(scaled, load) : undefined;
  if (!isSynchronous) {
    await Promise.all([apis[1]?.end("SIGKILL"), workers[1]?.end("SIGKILL"), server.replica.kill()]);
  }
  await sleep(SECONDS * 1000);
  await load.end();
  const { url } = isSynchronous ? server.replica : server.primary;
  return {
    scenario: isSynchronous ? "primary killed" : "api, worker and replica killed",
    acknowledged_per_second_before: Math.round(before / SECONDS),
    ...(takeoverMs === undefined ? {} : { takeover_ms: Math.round(takeoverMs) }),
    ...(await examine(url, load.acknowledged)),
    ...load.counts,
  };
}

/** Returns the time until the new primary acknowledged an event. */
async function killPrimary({ server }: ScaledOut, load: ReturnType<typeof startLoad>) {
  await server.primary.kill();
  const diedAtMs = performance.now();
  const count = load.acknowledged.size;
  await server.promote();
  await until(() => load.acknowledged.size > count + 10, 120_000);
  return performance.now() - diedAtMs;
}
