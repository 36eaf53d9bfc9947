import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";

const PAGES = [...listPages("docs"), "README.md", "CONTRIBUTING.md"];
const PATH = /`((?:src|test|bench|scripts|client|console|migrations|docs)\/[^`\s]*)/g;
const TEST_COMMAND = /`npm (?:test|run test:long) -- ([^`\n]+)`/g;
/** A file that is named without its folder. */
const BARE_NAME = /`([\w.-]+\.(?:tsx?|mjs|css))`/g;
const named = PAGES.flatMap((page) =>
  [...readFileSync(page, "utf8").matchAll(PATH)].map((match) => ({ page, path: match[1] ?? "" })),
);

test("every path that the docs name exists", () => {
  assert.ok(named.length >= 40, `only ${named.length} paths were found`);
  assert.deepEqual(
    named.filter(({ path }) => !existsSync(path)),
    [],
  );
});

test("every file that the docs name without its folder exists somewhere", () => {
  const folders = ["src", "test", "bench", "scripts", "client", "console"];
  const known = new Set(
    folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => basename(path)),
    ),
  );
  const bare = PAGES.flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(BARE_NAME)].map(([, name = ""]) => ({ page, name })),
  );

  assert.ok(known.has("config.ts"));
  assert.deepEqual(
    bare.filter(({ name }) => !known.has(name)),
    [],
  );
});

test("every word behind npm test in the docs selects a test file", () => {
  const files = readdirSync("test", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts"))
    .map((path) => join("test", path));
  const words = PAGES.flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(TEST_COMMAND)].flatMap(([, text = ""]) =>
      text.split(/\s+/).map((word) => ({ page, word })),
    ),
  );

  assert.ok(words.length >= 40, `only ${words.length} words were found`);
  assert.deepEqual(
    words.filter(({ word }) => word !== "WORD" && !files.some((file) => file.includes(word))),
    [],
  );
});

test("the walks of architecture.md name functions that their files export", () => {
  const text = readFileSync("docs/architecture.md", "utf8");
  const walks = text.slice(text.indexOf("## Two walks"), text.indexOf("## The folders"));
  const steps = [...walks.matchAll(/`(src\/[^`]+\.ts)`,\s+`(\w+)`/g)];

  assert.ok(steps.length >= 15, `only ${steps.length} steps were found`);
  assert.deepEqual(
    steps
      .filter(
        ([, file = "", name = ""]) =>
          !new RegExp(`^export .*\\b${name}\\b`, "m").test(readFileSync(file, "utf8")),
      )
      .map(([step]) => step),
    [],
  );
});

function listPages(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listPages(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}
