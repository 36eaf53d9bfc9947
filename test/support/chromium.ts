import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The headless shell first: the same engine without the windows, which take two thirds of the processor time of a test. */
const NAMES = [
  "chromium-headless-shell",
  "chrome-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
  "chrome",
];

/** `ASSAY_CHROMIUM`, or else the first browser in PATH that Playwright can drive. */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const named = environment["ASSAY_CHROMIUM"];
  if (named !== undefined && named !== "") return named;
  const folders = (environment["PATH"] ?? "").split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
