import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { runEnvironment } from "../support/programs/leftovers.ts";
import { aFolder, installPackage, listPackage } from "../support/run-assay.ts";
import { until } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";

const run = promisify(execFile);

test("the package has what it needs: installed in another folder, it helps and serves", async (t) => {
  const command = await installPackage(t);
  const { url } = await openTestDatabase(t);

  const help = await run(process.execPath, [command, "--help"], { cwd: dirname(command) });
  const child = spawn(process.execPath, [command, "serve"], {
    cwd: aFolder(t),
    env: {
      ...runEnvironment(),
      PATH: process.env["PATH"],
      PORT: "0",
      DATABASE_URL: url,
      ASSAY_ALLOW_UNSAFE_STORE: "1",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  t.after(async () => {
    child.kill("SIGINT");
    await ended;
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
  }
  const address = () => /Assay serves (http:\S+)/.exec(said)?.[1];
  await until(() => address() !== undefined || child.exitCode !== null);

  assert.match(help.stdout, /^Assay, the watch dealer's market engine/);
  const page = await fetch(`${address()}/`);
  assert.match(await page.text(), /<title>Assay/, said);
  assert.equal((await fetch(`${address()}/health/ready`)).status, 200);
});

test("the package has the compose file, and never the secrets that were made beside it", async (t) => {
  const checkout = aFolder(t);
  for (const name of ["package.json", ".gitignore", "deploy"]) {
    // A checkout that runs the compose file has secrets of its own.
    cpSync(name, join(checkout, name), {
      recursive: true,
      filter: (path) => !basename(path).startsWith("secrets"),
    });
  }
  const compose = join(checkout, "deploy/compose");
  await run(join(compose, "make-secrets.sh"));
  // What is left of a run that was stopped, and what someone kept.
  for (const name of ["secrets.next", "secrets-old"]) {
    cpSync(join(compose, "secrets"), join(compose, name), { recursive: true });
  }

  const files = await listPackage(checkout);

  assert.ok(readdirSync(join(compose, "secrets")).includes("waha.env"));
  assert.ok(files.includes("deploy/compose/compose.yaml"));
  assert.deepEqual(
    files.filter((file) => file.includes("secrets")),
    ["deploy/compose/make-secrets.sh"],
  );
});
