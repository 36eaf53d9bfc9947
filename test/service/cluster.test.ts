import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { sleep } from "../../src/base/clock.ts";
import { openPool } from "../../src/db/pool.ts";
import { sql } from "../../src/db/sql.ts";
import { openTestNetwork, type TestNetwork, whyNoCluster } from "../support/faults/network.ts";
import { type PatroniCluster, startPatroni, whyNoStall } from "../support/faults/patroni.ts";
import { call, examine, startLoad, toManifest } from "../support/faults/scale-out.ts";
import { aFolder, type RunningAssay, runAssay, startAssay } from "../support/run-assay.ts";
import { until } from "../support/test-app.ts";

const skip =
  process.env["ASSAY_TEST_LONG"] === "1" ? (whyNoCluster() ?? false) : "only in the long form";

/** `lb` is for what stands between Assay and the cluster. */
const PLACES = ["n1", "n2", "n3", "a1", "a2", "w1", "w2", "lb"];
const KEY = "a key for the events of the load";
const GATEWAYS = 6;
const PAUSE_MS = 250;
const BEFORE_MS = 4_000;
/** The `ttl` of the recipe, and what an election and a busy machine take. */
const TAKEN_OVER_MS = 120_000;
/** What was acknowledged meanwhile is what a cluster that goes back loses. */
const STALL_REST_MS = 15_000;

test("a cluster with a synchronous standby loses nothing and doubles nothing, whatever fails", {
  skip,
  timeout: 3_600_000,
}, async (t) => {
  const house = await openHouse(t, { isSynchronous: true });
  const { cluster, network } = house;
  const assay = await startAll(t, house, cluster.url);
  const running = { house, assay };
  const others = (node: string) => cluster.nodes.filter((name) => name !== node);

  await row(t, running, "nothing fails", () => sleep(BEFORE_MS));
  await row(t, running, "server and Patroni of the primary are killed", async (isBack) => {
    const node = await cluster.leader();
    await cluster.kill(node, { withServer: true });
    await isBack();
    cluster.startAgain(node);
  });
  await row(t, running, "the primary is cut from the other nodes", async (isBack) => {
    const node = await cluster.leader();
    network.cut(node, others(node));
    await isBack();
  });
  await row(t, running, "the primary is cut from Assay for 20 s", async () => {
    network.cut(await cluster.leader(), ["a1", "a2", "w1", "w2"]);
    await sleep(20_000);
  });
  await row(t, running, "the primary is cut from one api for 20 s", async (isBack) => {
    network.cut(await cluster.leader(), ["a1"]);
    await isBack();
    await sleep(20_000);
  });
  await row(t, running, "the primary is cut from one worker for 20 s", async () => {
    network.cut(await cluster.leader(), ["w1"]);
    await sleep(20_000);
  });
  await row(t, running, "Patroni of the primary is killed", async (isBack) => {
    const node = await cluster.leader();
    await cluster.kill(node, { withServer: false });
    await until(async () => (await cluster.leader().catch(() => node)) !== node, TAKEN_OVER_MS);
    // The old primary still runs, and would take writes if it had a standby.
    await isBack();
    cluster.startAgain(node);
  });
  await row(t, running, "switchover", async (isBack) => {
    await cluster.switchOver();
    await isBack();
  });
  await row(t, running, "5 % of all packets of Assay are lost for 20 s", async () => {
    for (const place of ["a1", "a2", "w1", "w2"]) network.lose(place, 0.05);
    await sleep(20_000);
  });
  await t.test("PgBouncer in transaction mode is refused", async () => {
    const url = await cluster.startPgbouncer("lb", "transaction");
    await untilOpen(url);
    const refused = await runAssay(["doctor"], { DATABASE_URL: url });

    assert.match(refused.out + refused.err, /PgBouncer in transaction mode/);
    assert.notEqual(refused.code, 0);
  });
  for (const process of assay.all) await process.end("SIGTERM");
  const url = await cluster.startHaproxy("lb");
  await untilOpen(url);
  const behind = await startAll(t, house, url);
  await row(
    t,
    { house, assay: behind },
    "HAProxy: Patroni of the primary is killed",
    async (isBack) => {
      const node = await cluster.leader();
      await cluster.kill(node, { withServer: false });
      await until(async () => (await cluster.leader().catch(() => node)) !== node, TAKEN_OVER_MS);
      await isBack();
      cluster.startAgain(node);
    },
  );
});

test("nothing is lost when the server of the primary stands still, another one takes over, and the first one goes on", {
  skip: skip === false ? (whyNoStall() ?? false) : skip,
  timeout: 1_800_000,
}, async (t) => {
  const house = await openHouse(t, { isSynchronous: true });
  const { cluster } = house;
  const assay = await startAll(t, house, cluster.url);

  await row(t, { house, assay }, "the server of the primary stands still", async (isBack) => {
    const node = await cluster.leader();
    const goOn = cluster.stall(node);
    try {
      await until(async () => (await cluster.leader().catch(() => node)) !== node, TAKEN_OVER_MS);
      await isBack();
      await sleep(STALL_REST_MS);
    } finally {
      goOn();
    }
  });
});

test("without a synchronous standby, a process that knows one host loses what an old primary took, and one that knows all loses little", {
  skip,
  timeout: 1_800_000,
}, async (t) => {
  const lost: number[] = [];
  for (const knowsAll of [false, true]) {
    const house = await openHouse(t, { isSynchronous: false });
    const { cluster } = house;
    const node = await cluster.leader();
    const assay = await startAll(t, house, knowsAll ? cluster.url : cluster.urlOf(node));
    const load = startRowLoad(house, assay);
    await sleep(BEFORE_MS);
    await cluster.kill(node, { withServer: false });
    await until(async () => (await cluster.leader().catch(() => node)) !== node, TAKEN_OVER_MS);
    await sleep(10_000);
    await load.end();
    for (const process of assay.all) await process.end("SIGTERM");
    const survivor = await startAll(t, house, cluster.url);
    const found = await examine(cluster.urlOf(await cluster.leader()), load.acknowledged);
    for (const process of survivor.all) await process.end("SIGTERM");
    lost.push(found.lost);
    t.diagnostic(JSON.stringify({ knowsAll, ...found, ...load.counts, ...load.gaps }));
  }

  const [without = 0, withTimelines = 0] = lost;
  assert.ok(without > 100, "the control loses what the old primary took");
  assert.ok(withTimelines < without / 2, `${withTimelines} lost`);
});

interface House {
  readonly network: TestNetwork;
  readonly cluster: PatroniCluster;
  /** How many loads there were. */
  loads: number;
}

interface Assay {
  readonly apis: readonly RunningAssay[];
  readonly all: readonly RunningAssay[];
  readonly token: string;
}

async function openHouse(
  t: TestContext,
  { isSynchronous }: { readonly isSynchronous: boolean },
): Promise<House> {
  const folder = mkdtempSync("/dev/shm/assay-cluster-");
  // Closers run in their order, so the folder goes last.
  const network = openTestNetwork(t, PLACES);
  const cluster = await startPatroni(t, { folder, network, isSynchronous });
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return { network, cluster, loads: 0 };
}

/** Two apis and two workers, each on a machine of its own. */
async function startAll(t: TestContext, { network, cluster }: House, url: string): Promise<Assay> {
  const environment = {
    DATABASE_URL: url,
    DATABASE_READ_URL: cluster.url,
    ASSAY_WAHA_HMAC_KEY: KEY,
    ASSAY_LAME_DUCK_MS: "0",
    LOG_LEVEL: "warn",
  };
  const start = (place: string, role: string) =>
    startAssay(
      t,
      ["serve", "--role", role],
      { ...environment, HOST: network.addressOf(place) },
      network.prefixOf(place),
    );
  const all = await Promise.all([
    start("a1", "api"),
    start("a2", "api"),
    start("w1", "worker"),
    start("w2", "worker"),
  ]);
  const manifest = join(aFolder(t), "market.json");
  writeFileSync(manifest, JSON.stringify(toManifest(["any Submariner"])));
  const applied = await runAssay(["apply", manifest], environment);
  assert.equal(applied.code, 0, applied.err);
  const token = await runAssay(["token", "create", "--name", `load ${Date.now()}`], environment);
  return { apis: all.slice(0, 2), all, token: token.out.trim() };
}

function startRowLoad(house: House, assay: Assay) {
  house.loads += 1;
  const gateways = Array.from({ length: GATEWAYS }, (_, at) => house.loads * GATEWAYS + at);
  return startLoad(assay, { gateways, pauseMs: PAUSE_MS, hmacKey: KEY });
}

/** Runs the load, lets something fail, and looks for what is lost or doubled. Prints the figures of docs/cluster.md. */
async function row(
  t: TestContext,
  { house, assay }: { readonly house: House; readonly assay: Assay },
  name: string,
  fail: (isBack: () => Promise<void>) => Promise<void>,
): Promise<void> {
  await t.test(name, async (own) => {
    const { cluster, network } = house;
    const load = startRowLoad(house, assay);
    await sleep(BEFORE_MS);
    const isBack = async () => {
      await sleep(1_000);
      const { size } = load.acknowledged;
      await until(() => load.acknowledged.size > size + 20, TAKEN_OVER_MS);
    };
    const ready = watchReadiness(assay.apis);
    await fail(isBack);
    network.heal();
    await isBack();
    await load.end();
    const unready = await ready.end();
    const endedAtMs = performance.now();
    await cluster.untilWhole();
    const found = await examine(cluster.url, load.acknowledged);
    const drainMs = Math.round(performance.now() - endedAtMs);
    const { primary, processes } = await describe(house, assay);
    own.diagnostic(
      JSON.stringify({
        ...{ acknowledged: found.acknowledged, lost: found.lost },
        ...{ doubledEvents: found.doubled_events, doubledMatches: found.doubled_matches },
        ...{ ...load.counts, ...load.gaps, drainMs, unready, primary, processes },
      }),
    );

    const doubled = [found.doubled_events, found.doubled_matches];
    assert.deepEqual([found.lost, ...doubled, found.unmatched], [0, 0, 0, 0]);
    assert.ok(found.acknowledged > 50, `${found.acknowledged} acknowledged`);
  });
}

/** Counts the answers of /health/ready of all apis that were not 200. */
function watchReadiness(apis: readonly RunningAssay[]) {
  const state = { isOver: false, unready: 0, asked: 0 };
  const asking = apis.map(async ({ url }) => {
    while (!state.isOver) {
      const { status } = await call(`${url}/health/ready`, {});
      state.asked += 1;
      if (status !== 200) state.unready += 1;
      await sleep(PAUSE_MS);
    }
  });
  return {
    end: async () => {
      state.isOver = true;
      await Promise.all(asking);
      return `${state.unready} of ${state.asked}`;
    },
  };
}

/** Which server each process uses. All must agree with Patroni, unless a proxy hides it. */
async function describe({ cluster, network }: House, { all }: Assay) {
  const primary = network.addressOf(await cluster.leader());
  const hostOf = async (url: string) =>
    /assay_store_host\{host="([^"]*)"\}/.exec((await call(`${url}/metrics`, {})).text)?.[1];
  const processes = new Set(await Promise.all(all.map(({ url }) => hostOf(url))));
  return { primary, processes: [...processes] };
}

async function untilOpen(url: string): Promise<void> {
  await until(async () => {
    const pool = openPool({ url, name: "assay test", sharedCount: 1 });
    const isOpen = await pool.query(sql`select 1`).then(
      () => true,
      () => false,
    );
    await pool.end(100);
    return isOpen;
  }, 60_000);
}
