import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { parseConfig } from "../../src/base/config.ts";
import { createLogger } from "../../src/base/log.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import { openStore } from "../../src/db/open-store.ts";
import { sql } from "../../src/db/sql.ts";
import { findDemoLoad, loadDemo, saveDemoLoad } from "../../src/demo/load-demo.ts";
import { sizeOf } from "../../src/demo/posts.ts";
import { openBrowser } from "../support/console/cookie-browser.ts";
import { stepContext } from "../support/drain.ts";
import { runEnvironment } from "../support/programs/leftovers.ts";
import { aDataDir, callAssay, type RunningAssay, startAssay } from "../support/run-assay.ts";
import { until } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";

const MESSAGES = 1_000;

/** As for a start: a busy machine takes minutes. */
const LOAD_TIMEOUT_MS = 300_000;

/** Each line is printed between two stretches, so the kill hits the next stretch. */
const MOMENTS = [/applied the demo/, /day 1\d of 30/, /day 2\d of 30/];

test("a demo load that is killed again and again ends in the same state as an uninterrupted one", {
  skip: process.env["ASSAY_TEST_LONG"] === undefined ? "in test:long" : false,
}, async (t) => {
  const environment = settingsOf(aDataDir(t));
  for (const [at, moment] of MOMENTS.entries()) {
    const load = startLoad(t, environment);
    await load.said(moment);
    load.kill("SIGKILL");
    // Alternates: the database server survives and is adopted, or is killed too and recovers.
    if (at % 2 === 1) killServer(environment.ASSAY_DATA_DIR);
    await load.ended;
  }

  const service = await startAssay(t, ["serve", "--demo", "--no-trickle"], environment);
  const said = service.err();
  await service.end("SIGINT");

  assert.match(said, /demo: the last load was interrupted; continuing\n/);
  assert.equal(existsSync(pidFileOf(environment.ASSAY_DATA_DIR)), false);
  const { state, ...times } = await readDemo(environment);
  assert.deepEqual(state, await loadUndisturbed(t, times));
});

/** A load takes half a minute, so what follows happens to one store. */
test("a demo", async (t) => {
  const environment = settingsOf(aDataDir(t));
  const held: { first?: RunningAssay; second?: RunningAssay } = {};

  await t.test(
    "Ctrl-C during the load stops everything at once with a message, and the next start continues",
    async () => {
      const load = startLoad(t, environment);
      await load.said(/day 1\d of 30/);
      load.kill("SIGINT");

      assert.equal(await load.ended, 130);
      assert.match(
        load.err(),
        /stopped before the service was ready; the next start continues where this one stopped/,
      );
      // A slow machine may warn of a connection.
      assert.doesNotMatch(load.err(), /"level":"(?:error|fatal)"|day 30/);
      assert.equal(existsSync(pidFileOf(environment.ASSAY_DATA_DIR)), false);
      const service = await startAssay(t, ["serve", "--demo", "--no-trickle"], environment);
      held.first = service;
      assert.doesNotMatch(service.err(), /applied the demo/);
      assert.match(service.err(), /demo: day 30 of 30: \d+ gateway events/);
    },
  );

  await t.test("prints a link first of all, and assay console --demo another one", async () => {
    const { url = "", out = () => "" } = held.first ?? {};

    const settings = { ...environment, PORT: new URL(url).port };
    const printed = await callAssay(["console", "--demo"], settings);
    const first = /^Open (http:\S+)\/#open=(\S+)\n/.exec(out()) ?? [];
    const second = /^(http:\S+)\/#open=([\w-]{22})\n$/.exec(printed.out) ?? [];

    for (const [, address = "", code = ""] of [first, second]) {
      assert.equal(address, url);
      const opened = await openBrowser(address).ask("POST", "/console/sessions", {
        body: { code },
      });
      assert.equal(opened.status, 201);
    }
  });

  await t.test(
    "prints a token and requests that work as printed, and the same ones at every start",
    async () => {
      const { first } = held;
      assert.ok(first !== undefined);
      const token = /token {2}(assay_\S+)/.exec(first.out())?.[1] ?? "";
      const lines = [...first.out().matchAll(/curl -H 'Authorization: Bearer (\S+)' '(\S+)'/g)];

      for (const [, bearer, url] of lines) {
        assert.equal(await statusOf(url ?? "", bearer ?? ""), 200);
      }
      const answers = await walkReadme(first.url, environment.ASSAY_DATA_DIR);
      await first.end("SIGINT");
      const second = await startAssay(t, ["serve", "--demo", "--no-trickle"], environment);
      held.second = second;

      assert.equal(lines.length, 5);
      assert.deepEqual(
        answers.map((answer) => Object.keys(answer)[0]),
        ["items", "items", "configuration", "total_count", "items"],
      );
      assert.doesNotMatch(second.err(), /applied the demo/);
      assert.match(second.out(), new RegExp(token));
      assert.equal(await statusOf(`${second.url}/v2/alerts`, token), 200);
      const file = join(environment.ASSAY_DATA_DIR, "demo-token");
      assert.equal(readFileSync(file, "utf8").trim(), token);
      assert.equal(statSync(file).mode & 0o777, 0o600);
    },
  );

  await t.test("its tokens do not work for real data, nor real tokens for the demo", async () => {
    await callAssay(["migrate"], environment);
    const token = (await callAssay(["token", "create", "--name", "real"], environment)).out.trim();

    assert.equal(await statusOf(`${held.second?.url}/v2/alerts`, token), 401);
    const list = await callAssay(["token", "list", "--json", "--demo"], environment);
    const names = list.out.match(/"name":"[^"]*"/g) ?? [];
    // Two people of the demo's desk, whose tokens nobody has, the console, and the token of the demo.
    assert.match(
      names.toSorted().join(),
      /^"name":"Anna","name":"Ben","name":"console","name":"demo [0-9a-f]{8}"$/,
    );
    assert.ok(
      !list.out.includes(
        readFileSync(join(environment.ASSAY_DATA_DIR, "demo-token"), "utf8").trim().slice(-8),
      ),
    );
  });
});

test("two processes that start the demo at once load it in turn, and both serve it", {
  skip: process.env["ASSAY_TEST_LONG"] === undefined ? "in test:long" : false,
}, async (t) => {
  const environment = settingsOf(aDataDir(t));

  const [one, other] = await Promise.all([
    startAssay(t, ["serve", "--demo", "--no-trickle"], environment),
    startAssay(t, ["serve", "--demo", "--no-trickle"], environment),
  ]);

  const errors = one.err() + other.err();
  assert.equal(errors.match(/waiting for it/g)?.length, 1);
  assert.equal(errors.match(/applied the demo/g)?.length, 1);
  assert.equal(errors.match(/day 30 of 30/g)?.length, 1);
  for (const { out } of [one, other]) assert.match(out(), /\/v2\/market\/listings\//);
});

type Environment = Readonly<Record<"ASSAY_DATA_DIR" | "ASSAY_DEMO_MESSAGES", string>>;

function settingsOf(dataDir: string): Environment {
  return { ASSAY_DATA_DIR: dataDir, ASSAY_DEMO_MESSAGES: String(MESSAGES) };
}

/** Runs the real command, which is stopped before it serves. */
function startLoad(t: TestContext, environment: Environment) {
  const child = spawn(process.execPath, ["dist/cli/main.js", "serve", "--demo", "--no-trickle"], {
    env: { PATH: process.env["PATH"] ?? "", PORT: "0", ...runEnvironment(), ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let err = "";
  child.stderr.on("data", (chunk: Buffer) => {
    err += chunk.toString();
  });
  const ended = once(child, "close").then(([code]) => code as number | null);
  t.after(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return {
    ended,
    err: () => err,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    said: (words: RegExp) =>
      until(() => {
        if (child.exitCode !== null) throw new Error(`it ended:\n${err}`);
        return words.test(err);
      }, LOAD_TIMEOUT_MS),
  };
}

function pidFileOf(dataDir: string): string {
  return join(dataDir, "store", "cluster", "postmaster.pid");
}

function killServer(dataDir: string): void {
  process.kill(Number(readFileSync(pidFileOf(dataDir), "utf8").split("\n")[0]), "SIGKILL");
}

/** Runs the tour of the README, with another port and folder and without the endless stream. Returns the answers. */
async function walkReadme(url: string, dataDir: string): Promise<readonly object[]> {
  const readme = readFileSync("README.md", "utf8");
  const tour = readme.slice(readme.indexOf("## A tour"), readme.indexOf("/docs` shows"));
  const typed = [...tour.matchAll(/^(?:\$ )?((?:get\(\)|pick\(\)|get |[A-Z]+=\$).*)$/gm)];
  const script = typed
    .map(([, line]) => `${line?.replaceAll("http://127.0.0.1:8080", url)}; echo`)
    .join("\n")
    .replaceAll("data/demo-token", join(dataDir, "demo-token"));
  const { stdout } = await promisify(execFile)("sh", ["-euc", script]);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as object);
}

async function statusOf(url: string, token: string): Promise<number> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return response.status;
}

async function readDemo(environment: Environment) {
  const config = parseConfig({ ...environment, ASSAY_DEMO: "true" });
  const store = await openStore(config, createLogger("silent"));
  try {
    const load = await findDemoLoad(store.pool);
    assert.ok(load !== undefined && load.until_ms !== null);
    return { state: await countAll(store.pool), fromMs: load.from_ms, untilMs: load.until_ms };
  } finally {
    await store.close();
  }
}

interface Times {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Loads the same days of the same market without interruption. */
async function loadUndisturbed(t: TestContext, { fromMs, untilMs }: Times) {
  const { pool } = await openTestDatabase(t);
  await saveDemoLoad(pool, { from_ms: fromMs, until_ms: null, manifest_sha256: null });
  const context = await stepContext(pool, {
    nowMs: () => untilMs,
    elapsedMs: () => performance.now(),
  });
  await loadDemo(context, { size: sizeOf(MESSAGES), say: () => undefined });
  await context.close();
  return countAll(pool);
}

/** Counts the rows of every table, by kind where there are kinds, and reads the cells. */
async function countAll(db: DatabasePool) {
  const [counts] = await db.query(sql`
    select (select count(*) from raw_event) as events,
           (select count(*) from raw_event_queue) + (select count(*) from message_queue)
             + (select count(*) from match_queue) + (select count(*) from refresh_queue) as queued,
           (select count(*) from quarantined_event) as quarantined,
           (select count(*) from contact) as contacts,
           (select count(*) from canonical_message) as messages,
           (select count(*) from occurrence) as occurrences,
           (select count(*) from listing) as listings,
           (select count(*) from listing where is_duplicate) as duplicates,
           (select count(*) from listing_model) as members`);
  const cells = await db.query(sql`
    select configuration_id, year, condition_bucket, status, listing_count, market_average_eur_minor
      from price_cell
     order by configuration_id, year, condition_bucket`);
  const matches = await db.query(sql`
    select alert.name, count(*) as total, count(seen_at_ms) as seen
      from alert_match
      join alert on alert.id = alert_match.alert_id
     group by alert.id
     order by alert.name, alert.id`);
  return { ...counts, cells, matches };
}
