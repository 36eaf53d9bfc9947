import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { WHOLE_MARKET } from "../../support/manifest.ts";
import { aServedDataDir, callAssay } from "../../support/run-assay.ts";

test("apply shows what it would change, changes it, then finds nothing to do, and prunes", async (t) => {
  const { dataDir: folder } = await aServedDataDir(t);
  const environment = { ASSAY_DATA_DIR: folder };
  const file = join(folder, "market.yaml");
  const more = join(folder, "more.json");
  writeFileSync(file, WHOLE_MARKET);
  writeFileSync(more, JSON.stringify({ alerts: [{ name: "more", filters: { qq: "x" } }] }));

  const planned = await callAssay(["apply", file, more, "--dry-run"], environment);
  const applied = await callAssay(["apply", file, more], environment);
  const again = await callAssay(["apply", file, more], environment);
  const pruned = await callAssay(["apply", file, "--prune"], environment);

  assert.equal(applied.code, 0, applied.err);
  assert.match(applied.out, /^kind +created +changed +unchanged +pruned\n/);
  assert.match(applied.out, /^alerts +7 +0 +0 +0$/m);
  assert.match(applied.out, /^created {2}configurations {2}rolex:126500LN:white$/m);
  assert.match(applied.err, /note: .*more.json:1: alerts\[0\].filters.qq: no filter uses this/);
  assert.equal(planned.out, applied.out);
  assert.match(planned.err, /dry run: nothing was changed/);
  assert.match(again.out, /^alerts +0 +0 +7 +0$/m);
  assert.doesNotMatch(again.out, /^(created|changed|pruned)/m);
  assert.match(pruned.out, /^pruned {3}alerts {2}more$/m);
  assert.ok([planned, applied, again, pruned].every(({ out }) => !out.includes("whsec_")));
});

test("a file with problems exits with 1 and lists them, and wrong arguments exit with 2", async (t) => {
  const { dataDir: folder } = await aServedDataDir(t);
  const environment = { ASSAY_DATA_DIR: folder };
  const file = join(folder, "bad.yaml");
  const broken = join(folder, "broken.yaml");
  writeFileSync(file, "alerts:\n  - name: a\n    filtres: {}\n    secret: whsec_hidden\n");
  writeFileSync(broken, "alerts: [");

  const bad = await callAssay(["apply", file], environment);
  const unreadable = await callAssay(["apply", broken], environment);
  const missing = await callAssay(["apply", join(folder, "nowhere.yaml")], environment);
  const empty = await callAssay(["apply"], environment);

  assert.equal(bad.code, 1);
  assert.equal(bad.out, "");
  assert.match(bad.err, /^assay apply: 2 problems; nothing was applied$/m);
  assert.match(
    bad.err,
    /bad.yaml:3: alerts\[0\].filtres: is not a member here; did you mean "filters"/,
  );
  assert.ok(!bad.err.includes("whsec_hidden"));
  assert.equal(unreadable.code, 1);
  assert.match(unreadable.err, /broken.yaml:1: /);
  assert.equal(missing.code, 1);
  assert.match(missing.err, /cannot read .*nowhere.yaml \(ENOENT\)/);
  assert.equal(empty.code, 2);
  assert.match(empty.err, /name at least one file to apply/);
});
