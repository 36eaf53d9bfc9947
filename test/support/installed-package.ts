import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { TestContext } from "node:test";
import { promisify } from "node:util";
import { aFolder } from "./run-assay.ts";

const run = promisify(execFile);

/**
 * As `npm install` does it with the packed file, but with the packages that are here already, or others by name. Returns the command's
 * file.
 */
export async function installPackage(
  t: Pick<TestContext, "after">,
  others: Readonly<Record<string, string>> = {},
): Promise<string> {
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
    symlinkSync(resolve(others[name] ?? join("node_modules", name)), join(packages, name));
  }
  return join(packages, "assay", bin.assay);
}
