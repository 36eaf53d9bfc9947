// `npm pack` and `npm publish` run this first: what is packed is always what the sources say.
import { ensureBuilt, ensureInstalled } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
