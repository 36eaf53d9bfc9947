#!/usr/bin/env node
// The `assay` command from a checkout: sets up what is missing, then runs the built program in this same process,
// so that a signal reaches it directly.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureBuilt, ensureInstalled, root } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
await import(pathToFileURL(join(root, "dist", "cli", "main.js")).href);
