import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { countLostIn, startLoad } from "../support/faults/acknowledged-events.ts";
import { openLoopDisk, whyNoDisk } from "../support/faults/loop-disk.ts";
import { startAssay } from "../support/run-assay.ts";
import { until } from "../support/test-app.ts";

const skip =
  process.env["ASSAY_TEST_LONG"] === "1" ? (whyNoDisk("ext4") ?? false) : "only in the long form";

test("on a full disk events get 503, readiness fails, and nothing acknowledged is lost", {
  skip,
}, async (t) => {
  const disk = openLoopDisk(t, { system: "ext4", megabytes: 400 });
  const dataDir = join(disk.folder, "data");
  mkdirSync(dataDir, { mode: 0o711 });
  const service = await startAssay(t, ["serve"], {
    ASSAY_DATA_DIR: dataDir,
    ASSAY_WAHA_UNSIGNED: "true",
    LOG_LEVEL: "fatal",
  });
  const load = startLoad(t, () => service.url, { clients: 8, name: "D" });
  const readiness = async () => (await fetch(`${service.url}/health/ready`)).status;
  await load.more(300);
  assert.equal(await readiness(), 200);

  const filler = join(disk.folder, "filler");
  await fill(filler);
  const acceptedBefore = load.acknowledged.size;
  await until(() => (load.statuses.get(503) ?? 0) > 20, 120_000);
  await until(async () => (await readiness()) !== 200, 60_000);
  const refused = load.statuses.get(503) ?? 0;
  rmSync(filler);
  const freedAtMs = performance.now();
  await load.more(300);
  const backMs = Math.round(performance.now() - freedAtMs);
  await until(async () => (await readiness()) === 200, 60_000);
  await load.stop();

  const lost = await countLostIn(dataDir, load);
  await service.end("SIGTERM");
  t.diagnostic(
    `${load.acknowledged.size} acknowledged (${acceptedBefore} before), ${refused} refused with 503, ${lost} lost; ` +
      `300 more acknowledged ${backMs} ms after there was room`,
  );
  assert.deepEqual(
    [...load.statuses.keys()].filter((status) => status !== 202 && status !== 503),
    [],
  );
  assert.equal(lost, 0);
});

/** Writes until there is no room. */
async function fill(file: string): Promise<void> {
  const handle = await open(file, "w");
  for (let size = 1_048_576; size >= 512; size /= 2) {
    const chunk = Buffer.alloc(size, 1);
    try {
      for (;;) await handle.write(chunk);
    } catch (error) {
      if ((error as { code?: string }).code !== "ENOSPC") throw error;
    }
  }
  await handle.close();
}
