import assert from "node:assert/strict";
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createLogger } from "../../src/base/log.ts";
import { ensureCluster, startServer, stopServer } from "../../src/db/embedded/cluster.ts";
import { findEmbeddedHome } from "../../src/db/embedded/home.ts";
import { openPool } from "../../src/db/pool.ts";
import { countLost, startLoad } from "../support/faults/acknowledged-events.ts";
import { type FileSystem, openLoopDisk, whyNoDisk } from "../support/faults/loop-disk.ts";
import { startAssay } from "../support/run-assay.ts";

const isLong = process.env["ASSAY_TEST_LONG"] === "1";
const CUTS = 5;
const EVENTS_PER_CUT = 800;

for (const system of ["ext4", "xfs"] as const) {
  const skip = isLong ? (whyNoDisk(system) ?? false) : "only in the long form";

  test(`no acknowledged event is lost when the power is cut, on ${system}`, { skip }, async (t) => {
    const { acknowledged, lost } = await cutPower(t, { system, cuts: CUTS, settings: [] });

    t.diagnostic(`${lost} of ${acknowledged} acknowledged events lost in ${CUTS} cuts`);
    assert.ok(acknowledged >= CUTS * EVENTS_PER_CUT);
    assert.equal(lost, 0);
  });

  test(`the same test finds the loss if ${system} is never flushed`, { skip }, async (t) => {
    const settings = ["fsync=off", "full_page_writes=off"];

    const { acknowledged, lost } = await cutPower(t, { system, cuts: 1, settings });

    t.diagnostic(`${lost} of ${acknowledged} acknowledged events lost without fsync`);
    assert.ok(lost > 0);
  });
}

interface Cuts {
  readonly system: FileSystem;
  readonly cuts: number;
  /** Settings of the server that differ from those of the product. */
  readonly settings: readonly string[];
}

async function cutPower(t: TestContext, { system, cuts, settings }: Cuts) {
  const disk = openLoopDisk(t, { system, megabytes: 1_000 });
  const dataDir = join(disk.folder, "data");
  mkdirSync(dataDir, { mode: 0o711 });
  const everything = new Map<string, string>();
  let lost = 0;
  for (let cut = 0; cut < cuts; cut += 1) {
    const { url } = await openStore(dataDir, settings);
    const service = await startAssay(t, ["serve"], {
      DATABASE_URL: url,
      ASSAY_ALLOW_UNSAFE_STORE: "true",
      ASSAY_WAHA_UNSIGNED: "true",
      LOG_LEVEL: "fatal",
    });
    const load = startLoad(t, () => service.url, { clients: 16, name: `C${cut}` });
    await load.more(EVENTS_PER_CUT);
    disk.cutPower();
    await service.end("SIGKILL");
    await load.stop();
    for (const [key, rawId] of load.acknowledged) everything.set(key, rawId);
    await disk.restorePower();
    lost = await readLost(dataDir, settings, everything);
  }
  return { acknowledged: everything.size, lost };
}

/** Without fsync the server may not start again at all; then everything is lost. */
async function readLost(
  dataDir: string,
  settings: readonly string[],
  acknowledged: ReadonlyMap<string, string>,
): Promise<number> {
  try {
    const { url, stop } = await openStore(dataDir, settings);
    const pool = openPool({ url, name: "assay test" });
    const lost = await countLost(pool, acknowledged);
    await pool.end();
    await stop();
    return lost;
  } catch (error) {
    if (settings.length === 0) throw error;
    return acknowledged.size;
  }
}

/** A server on the disk, with a database for the service. */
async function openStore(dataDir: string, settings: readonly string[]) {
  const home = findEmbeddedHome(realpathSync(dataDir));
  const added = settings.flatMap((setting) => ["-c", setting]);
  const changed = {
    ...home,
    program: (name: string, args: readonly string[]) =>
      home.program(name, name === "postgres" ? [...args, ...added] : args),
  };
  const cluster = await ensureCluster(changed, createLogger("fatal"));
  const server = await startServer(changed, cluster);
  if (server === undefined) throw new Error("the server did not start");
  const base = `postgres://${cluster.user}:${cluster.password}@127.0.0.1:${server.port}`;
  const maintenance = openPool({ url: `${base}/postgres`, name: "assay test" });
  await maintenance
    .script("create database assay_cut template template0 encoding 'UTF8'")
    .catch((error: { code?: string }) => {
      // It is there since the first cut.
      if (error.code !== "42P04") throw error;
    });
  await maintenance.end();
  return {
    url: `${base}/assay_cut`,
    stop: () => stopServer(cluster, server),
  };
}
