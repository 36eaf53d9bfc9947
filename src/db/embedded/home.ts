/** Where the programs and the data of the embedded server are, and as which user it runs. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { OperatorError } from "../../base/errors.ts";
import { type EmbeddedBinaries, findBinaries } from "./binaries.ts";

/**
 * PostgreSQL refuses to run as root.
 * - `self`: we are not root, so it runs as the same user.
 * - `namespace`: we are root. It runs in a user namespace that maps root to the user `nobody`. Its files still belong to
 *   root, so a data folder below a home folder with mode 0700 works.
 * - `nobody`: we are root, and user namespaces are not allowed, as in many containers. It runs as the user `nobody`, with
 *   its files in a place that this user can reach.
 */
export type AccountKind = "self" | "namespace" | "nobody";

/** The folders of the embedded server, and how to run its programs. */
export interface EmbeddedHome {
  readonly kind: AccountKind;
  readonly binaries: EmbeddedBinaries;
  /** Its subfolder `store`, with mode 0700, holds the cluster, the password and the log. */
  readonly folder: string;
  /** The user that must own the cluster. */
  readonly uid: number;
  program(name: string, args: readonly string[]): ProgramCall;
  /** Makes the user of the server the owner of a file or folder. */
  changeOwner(path: string): void;
}

interface ProgramCall {
  readonly command: string;
  readonly args: readonly string[];
  readonly account: Partial<Account>;
}

interface Account {
  readonly uid: number;
  readonly gid: number;
}

const NAMESPACE_ARGS = ["--user", "--map-user=65534", "--map-group=65534"];
/** Used if the server runs as `nobody` and this user cannot reach the data folder. */
const SYSTEM_FOLDER = "/var/lib/assay";

/** `given`: the folder of ASSAY_POSTGRES_BIN. */
export function findEmbeddedHome(
  dataDir: string,
  kind = findAccountKind(),
  given?: string,
): EmbeddedHome {
  const installed = findBinaries(given);
  if (kind === "nobody") return nobodyHome(dataDir, installed);
  const binaries = isWhole(installed)
    ? installed
    : copyBinaries(installed, join(dataDir, "binaries"));
  const bin = (name: string) => join(binaries.bin, name);
  return {
    kind,
    binaries,
    folder: dataDir,
    uid: process.getuid?.() ?? 0,
    program: (name, args) =>
      kind === "self"
        ? { command: bin(name), args, account: {} }
        : { command: "unshare", args: [...NAMESPACE_ARGS, bin(name), ...args], account: {} },
    changeOwner: () => undefined,
  };
}

function findAccountKind(): AccountKind {
  if (process.getuid?.() !== 0) return "self";
  const probe = spawnSync("unshare", [...NAMESPACE_ARGS, "true"], { stdio: "ignore" });
  return probe.status === 0 ? "namespace" : "nobody";
}

function nobodyHome(dataDir: string, installed: EmbeddedBinaries): EmbeddedHome {
  const account = findNobody();
  const folder = isOpenToAll(dataDir) ? dataDir : systemFolderFor(dataDir);
  const isReachable = isOpenToAll(installed.bin) && isWhole(installed);
  const binaries = isReachable ? installed : copyBinaries(installed, join(folder, "binaries"));
  return {
    kind: "nobody",
    binaries,
    folder,
    uid: account.uid,
    program: (name, args) => ({ command: join(binaries.bin, name), args, account }),
    changeOwner: (path) => chownSync(path, account.uid, account.gid),
  };
}

function systemFolderFor(dataDir: string): string {
  const name = createHash("sha256").update(dataDir).digest("hex").slice(0, 16);
  const folder = join(SYSTEM_FOLDER, name);
  mkdirSync(folder, { recursive: true });
  chmodSync(SYSTEM_FOLDER, 0o755);
  chmodSync(folder, 0o755);
  return folder;
}

function findNobody(): Account {
  const lines = existsSync("/etc/passwd") ? readFileSync("/etc/passwd", "utf8").split("\n") : [];
  const fields = lines.map((line) => line.split(":")).find(([name]) => name === "nobody");
  const account = { uid: Number(fields?.[2]), gid: Number(fields?.[3]) };
  if (account.uid > 0 && account.gid > 0) return account;
  throw new OperatorError(
    "PostgreSQL does not run as root, user namespaces are not allowed here, and there is no user `nobody`; " +
      "run Assay as an ordinary user, or set DATABASE_URL to a PostgreSQL server",
  );
}

/** Returns true if every user may enter the folder and all folders above it. */
function isOpenToAll(path: string): boolean {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0o777;
  if ((mode & 0o001) === 0) return false;
  return path === dirname(path) || isOpenToAll(dirname(path));
}

/** PostgreSQL checks this too, but writes the reason only to its log. */
export function checkOwner(folder: string, uid: number): void {
  const owner = statSync(folder).uid;
  if (owner === uid) return;
  throw new OperatorError(
    `${folder} belongs to another user (uid ${owner}); run Assay as that user, or set ASSAY_DATA_DIR to another folder`,
  );
}

/** Takes away what other users may do with a file or folder of the store, as after a copy that did not keep its mode. */
export function closeToOthers(path: string): void {
  const { mode } = statSync(path);
  if ((mode & 0o077) !== 0) chmodSync(path, mode & 0o700);
}

/** Returns true if the programs can run where they are. */
function isWhole({ bin, isGiven }: EmbeddedBinaries): boolean {
  return isGiven || tryLinkLibraries(dirname(bin));
}

/**
 * Creates the links to shared libraries. The package creates them in an install script, which many machines do not run.
 * Returns false if the folder is read-only.
 */
function tryLinkLibraries(folder: string): boolean {
  const links = JSON.parse(readFileSync(join(folder, "pg-symlinks.json"), "utf8")) as {
    readonly source: string;
    readonly target: string;
  }[];
  return links.every(({ source, target }) =>
    tryLink(basename(source), join(dirname(folder), target)),
  );
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

/** Copies the binaries below `parent`. Needed if the server cannot reach the installed ones, or their folder is read-only. */
function copyBinaries(binaries: EmbeddedBinaries, parent: string): EmbeddedBinaries {
  if (binaries.isGiven) {
    throw new OperatorError(
      `the user nobody cannot enter ${binaries.bin} (ASSAY_POSTGRES_BIN); run Assay as an ordinary user, ` +
        "or let all users enter the folder and those above it",
    );
  }
  const folder = dirname(binaries.bin);
  const copy = join(parent, `postgres-${binaries.version}`);
  if (!existsSync(copy)) {
    mkdirSync(parent, { recursive: true, mode: 0o755 });
    const next = mkdtempSync(join(parent, "next-"));
    cpSync(folder, join(next, "native"), { recursive: true, verbatimSymlinks: true });
    tryLinkLibraries(join(next, "native"));
    // The user that runs them is not always the user that copies them.
    chmodSync(next, 0o755);
    cpSync(join(dirname(folder), "package.json"), join(next, "package.json"));
    moveIfFirst(next, copy);
  }
  return { ...binaries, bin: join(copy, "native", "bin") };
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
