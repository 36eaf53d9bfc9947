import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { type TestContext, test } from "node:test";
import { fxCommand } from "../../../src/cli/commands/fx.ts";
import { listFxRates } from "../../../src/rates/fx-store.ts";
import { aFolder } from "../../support/run-assay.ts";
import { borrowTestDatabase } from "../../support/shared-store.ts";

const DAILY = "Date, USD, GBP, \n13 November 2026, 1.1762, 0.87410, \n";

async function runFx(url: string, args: readonly string[], input: string | Buffer = "") {
  const out = new PassThrough();
  const terminal = {
    in: Readable.from([Buffer.from(input)]),
    out,
    err: new PassThrough(),
    environment: { DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "true" },
    isInteractive: false,
  };
  const code = await fxCommand.run(args, terminal);
  return { code, text: String(out.read() ?? "") };
}

async function openStore(t: TestContext): Promise<string> {
  return (await borrowTestDatabase(t)).url;
}

test("an import reports new rates, and the second import reports none", async (t) => {
  const url = await openStore(t);
  const file = join(aFolder(t), "eurofxref.csv");
  writeFileSync(file, DAILY);

  const first = await runFx(url, ["import", file]);
  const second = await runFx(url, ["import", file]);

  assert.equal(first.code, 0);
  assert.match(first.text, /^read: 2 rates of GBP, USD; 2026-11-13\nnew: 2 rates of GBP, USD;/);
  assert.match(first.text, /^derived from pegs: \d rates of AED, .*USDT/m);
  assert.equal(second.text, "read: 2 rates of GBP, USD; 2026-11-13\nnew: none\n");
});

test("rates can come from standard input, and --since skips older days", async (t) => {
  const url = await openStore(t);
  const text = "Date,GBP,\n2026-11-13,0.9,\n2026-11-12,0.8,\n2025-12-31,0.7,\n";

  const { text: said } = await runFx(url, ["import", "-", "--since", "2026-01-01"], text);

  assert.match(said, /^new: 2 rates of GBP; 2 days from 2026-11-12 to 2026-11-13$/m);
});

test("a file with a bad cell imports nothing", async (t) => {
  const { url, pool } = await borrowTestDatabase(t);

  const text = "Date,USD\n2026-11-13,1.17\n2026-11-12,abc\n";
  await assert.rejects(runFx(url, ["import", "-"], text), {
    message: /^standard input: line 3, column 2: "abc" is not a rate of USD.*nothing was imported$/,
  });
  await assert.rejects(runFx(url, ["import", "-"], Buffer.from("PK\u0003\u0004")), /packed/);
  await assert.rejects(runFx(url, ["import", "/nowhere/x.csv"]), /cannot read .*ENOENT/);

  assert.equal((await listFxRates(pool)).length, 0);
});

test("wrong arguments throw an error that shows the usage", async () => {
  await assert.rejects(runFx("", []), { name: "UsageError" });
  await assert.rejects(runFx("", ["export", "x"]), { name: "UsageError" });
  await assert.rejects(runFx("", ["import", "x", "--since", "May"]), /--since must be a day/);
});
