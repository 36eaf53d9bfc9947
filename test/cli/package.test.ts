import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { aFolder } from "../support/run-assay.ts";
import { until } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";

const run = promisify(execFile);

test("the package has what it needs: installed in another folder, it helps and serves", async (t) => {
  const command = await installPackage(t);
  const { url } = await openTestDatabase(t);

  const help = await run(process.execPath, [command, "--help"], { cwd: dirname(command) });
  const child = spawn(process.execPath, [command, "serve"], {
    cwd: aFolder(t),
    env: { PATH: process.env["PATH"], PORT: "0", DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "1" },
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

/** As `npm install` does it with the packed file, but with the packages that are here already. Returns the command's file. */
async function installPackage(t: TestContext): Promise<string> {
  const { stdout } = await run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"]);
  const [packed] = JSON.parse(stdout) as { files: readonly { path: string }[] }[];
  const packages = join(aFolder(t), "node_modules");
  for (const { path } of packed?.files ?? []) {
    cpSync(path, join(packages, "assay", path), { recursive: true });
  }
  const { dependencies, optionalDependencies, bin } = JSON.parse(
    readFileSync("package.json", "utf8"),
  ) as Record<"dependencies" | "optionalDependencies", object> & { bin: { assay: string } };
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    mkdirSync(dirname(join(packages, name)), { recursive: true });
    symlinkSync(resolve("node_modules", name), join(packages, name));
  }
  return join(packages, "assay", bin.assay);
}
