import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { WHOLE_MARKET } from "../../support/manifest.ts";
import { aServedDataDir, callAssay } from "../../support/run-assay.ts";

test("export writes what apply reads, to standard output or to a private file", async (t) => {
  const { dataDir: folder } = await aServedDataDir(t);
  const environment = { ASSAY_DATA_DIR: folder };
  const [market, exported] = [join(folder, "market.yaml"), join(folder, "exported.yaml")];
  writeFileSync(market, WHOLE_MARKET);
  writeFileSync(exported, "an older export", { mode: 0o644 });
  await callAssay(["apply", market], environment);

  const shown = await callAssay(["export"], environment);
  const saved = await callAssay(["export", "--with-secrets", "--output", exported], environment);
  const applied = await callAssay(["apply", exported, "--prune", "--dry-run"], environment);

  assert.equal(shown.code, 0, shown.err);
  assert.match(shown.out, /^alerts:\n {2}- id: /m);
  assert.doesNotMatch(shown.out, /whsec_/);
  assert.match(shown.err, /^exported 17 objects$/m);
  assert.equal(saved.out, "");
  assert.match(readFileSync(exported, "utf8"), /^ {4}secret: whsec_/m);
  assert.equal(statSync(exported).mode & 0o777, 0o600);
  assert.equal(applied.code, 0, applied.err);
  assert.doesNotMatch(applied.out, /^(created|changed|pruned)/m);
});

test("export says what is wrong with its arguments and its file", async (t) => {
  const { dataDir: folder } = await aServedDataDir(t);
  const environment = { ASSAY_DATA_DIR: folder };
  await callAssay(["migrate"], environment);

  const positional = await callAssay(["export", "market.yaml"], environment);
  const unknown = await callAssay(["export", "--secrets"], environment);
  const unwritable = await callAssay(
    ["export", "--output", join(folder, "no/x.yaml")],
    environment,
  );
  const help = await callAssay(["export", "--help"]);

  assert.deepEqual([positional.code, unknown.code, unwritable.code, help.code], [2, 2, 1, 0]);
  assert.match(positional.err, /name the file with --output FILE/);
  assert.match(unwritable.err, /cannot write .*x.yaml \(ENOENT\)/);
  assert.match(help.out, /Example/);
});
