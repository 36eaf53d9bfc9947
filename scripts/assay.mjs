#!/usr/bin/env node
// The `assay` command of a checkout. Installs and builds if needed, then runs the built program in the same process, so
// that it receives signals directly.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureBuilt, ensureInstalled, root } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
// Stack traces then show the lines of the sources, not of the bundle.
process.setSourceMapsEnabled(true);
await import(pathToFileURL(join(root, "dist", "cli", "main.js")).href);
