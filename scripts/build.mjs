// `npm pack` and `npm publish` run this first, so that the package always matches the sources.
import { ensureBuilt, ensureInstalled } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
