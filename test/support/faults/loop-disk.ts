import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { until } from "../test-app.ts";

export type FileSystem = "ext4" | "xfs";

/** A disk of its own, in a file, that can lose its power. */
interface LoopDisk {
  /** Where it is mounted. */
  readonly folder: string;
  /** Everything that was not flushed to the disk is lost, and all later writes fail. */
  cutPower(): void;
  /** Kills what still uses the disk, and mounts it again as after a reboot. */
  restorePower(): Promise<void>;
}

/** `EXT4_IOC_SHUTDOWN` and `XFS_IOC_GOINGDOWN` have the same number; 2 means: do not flush the journal. */
const SHUTDOWN =
  'open(my $f, "<", $ARGV[0]) or die $!; my $how = pack("L", 2); ioctl($f, 0x8004587d, $how) or die $!';

/** Returns why there can be no such disk here; undefined if there can. */
export function whyNoDisk(system: FileSystem): string | undefined {
  if (process.platform !== "linux") return "needs Linux";
  if (process.getuid?.() !== 0) return "needs root, to mount a loop device";
  const missing = ["losetup", `mkfs.${system}`, "mount", "perl"].find((name) => !isInstalled(name));
  if (missing !== undefined) return `needs ${missing}`;
  return spawnSync("losetup", ["--find"]).status === 0 ? undefined : "has no free loop device";
}

function isInstalled(name: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${name}`]).status === 0;
}

export function openLoopDisk(
  t: TestContext,
  options: { readonly system: FileSystem; readonly megabytes: number },
): LoopDisk {
  const home = mkdtempSync(join(tmpdir(), "assay-disk-"));
  const image = join(home, "image");
  const folder = join(home, "disk");
  mkdirSync(folder);
  run("truncate", "-s", `${options.megabytes}M`, image);
  const device = run("losetup", "--find", "--show", image).trim();
  t.after(async () => {
    await killUsers(folder);
    spawnSync("umount", ["-l", folder]);
    spawnSync("losetup", ["--detach", device]);
    rmSync(home, { recursive: true, force: true });
  });
  run(`mkfs.${options.system}`, options.system === "xfs" ? "-q" : "-Fq", device);
  run("mount", device, folder);
  return {
    folder,
    cutPower: () => void run("perl", "-e", SHUTDOWN, folder),
    restorePower: async () => {
      await killUsers(folder);
      await until(() => spawnSync("umount", [folder]).status === 0, 60_000);
      run("mount", device, folder);
    },
  };
}

/** A backend of PostgreSQL works in its data folder, so its working folder gives it away. */
async function killUsers(folder: string): Promise<void> {
  await until(() => {
    const users = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && isIn(pid, folder));
    for (const pid of users) spawnSync("kill", ["-9", pid]);
    return users.length === 0;
  }, 60_000);
}

function isIn(pid: string, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
  } catch {
    return false;
  }
}

function run(command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, [...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr}`);
  return stdout;
}
