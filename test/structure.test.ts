import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { test } from "node:test";

/** The way of the data. A file imports from its own folder and from folders above it, never from one below. */
const ORDER = [
  "base",
  "db",
  "intake",
  "messages",
  "rates",
  "listings",
  "filters",
  "matching",
  "pricing",
  "alerts",
  "outbound",
  "pipeline",
  "manifest",
  "api",
  "demo",
  "service",
  "cli",
];
const FILE_LINES_MAX = 300;
/** Packages that only one folder may import, and folders that may not import one above them. */
const KEEPERS: Readonly<Record<string, string>> = {
  pg: "db",
  "sql-template-tag": "db",
  fastify: "api",
};
const FORBIDDEN: readonly (readonly [string, string])[] = [["api", "pipeline"]];
const BANNED_NAMES = /(^|\/)(index|utils?|helpers?|common|lib|types)\.ts$/;

const files = listFiles("src");
const imports = files.flatMap((file) =>
  importsOf(file).map((target) => ({ file, target, folder: folderOf(file) })),
);
const local = imports
  .filter(({ target }) => target.startsWith("."))
  .map((entry) => ({ ...entry, target: normalize(join(dirname(entry.file), entry.target)) }));

test("the test reads the sources: there are files and imports between folders", () => {
  assert.ok(files.length > 40);
  assert.ok(local.some(({ file, target }) => folderOf(file) !== folderOf(target)));
});

test("every folder of src has its place in the order of the data", () => {
  const folders = [...new Set(files.map(folderOf))];

  assert.deepEqual(
    folders.filter((folder) => !ORDER.includes(folder)),
    [],
  );
});

test("imports point up the order of the data, never down", () => {
  const down = local.filter(
    ({ folder, target }) => ORDER.indexOf(folderOf(target)) > ORDER.indexOf(folder),
  );
  const forbidden = local.filter(({ folder, target }) =>
    FORBIDDEN.some(([from, to]) => folder === from && folderOf(target) === to),
  );

  assert.deepEqual([...down, ...forbidden], []);
});

test("no import chain leads back to its file, types included", () => {
  const targets = new Map(
    files.map((file) => [file, local.filter((entry) => entry.file === file)]),
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(" > "));
    if (path.includes(file) || done.has(file)) return;
    for (const { target } of targets.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };

  for (const file of files) visit(file, []);

  assert.deepEqual(cycles, []);
});

test("the driver is imported in db only, and Fastify in api only", () => {
  const strays = imports.filter(({ folder, target }) => {
    const keeper = KEEPERS[target];
    return keeper !== undefined && keeper !== folder;
  });

  assert.deepEqual(strays, []);
});

test("a file has at most 300 lines and a name that says what is in it", () => {
  const long = files.filter((file) => linesOf(file) > FILE_LINES_MAX);
  const vague = files.filter((file) => BANNED_NAMES.test(file));

  assert.deepEqual([...long, ...vague], []);
});

test("only config.ts and the entry read the environment, and only clock.ts reads the time", () => {
  const readers = files.filter((file) => /process\.env\b/.test(readFileSync(file, "utf8")));
  const timers = files.filter((file) =>
    /Date\.now\(|new Date\(\)/.test(readFileSync(file, "utf8")),
  );

  assert.deepEqual(readers, ["src/cli/main.ts"]);
  assert.deepEqual(timers, ["src/base/clock.ts"]);
});

test("no SQL template is awaited or stands alone: it is inert, so the statement would never run", () => {
  const everywhere = ["src", "test", "bench", "client"].flatMap(listFiles);
  const inert = /\bawait\s+sql`|\basync\b[^;{}]*=>\s*sql`|(?:;|\}|(?<!\$)\{)\n\s*sql`/;
  const found = everywhere.filter((file) => inert.test(readFileSync(file, "utf8")));

  assert.ok(everywhere.length > files.length);
  assert.match("await sql" + "`select 1`", inert);
  assert.deepEqual(found, []);
});

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return listFiles(path);
      return entry.name.endsWith(".ts") ? [path] : [];
    })
    .sort();
}

function importsOf(file: string): readonly string[] {
  const text = readFileSync(file, "utf8");
  const pattern = /(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)"([^"]+)"/gm;
  return [...text.matchAll(pattern)].map((match) => match[1] ?? "");
}

function folderOf(file: string): string {
  return relative("src", file).split("/")[0] ?? "";
}

function linesOf(file: string): number {
  return readFileSync(file, "utf8").split("\n").length - 1;
}
