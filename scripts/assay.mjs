#!/usr/bin/env node
// The `assay` command. In a checkout it installs and builds first if needed; an installed package is built already. Then it runs
// the built program in the same process, so that it receives signals directly.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const setup = join(root, "scripts", "setup.mjs");
if (existsSync(setup)) {
  const { ensureBuilt, ensureInstalled } = await import(pathToFileURL(setup).href);
  ensureInstalled();
  ensureBuilt();
}
// Stack traces then show the lines of the sources, not of the bundle.
process.setSourceMapsEnabled(true);
await import(pathToFileURL(join(root, "dist", "cli", "main.js")).href);
