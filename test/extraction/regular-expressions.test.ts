import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { checkSync } from "recheck";
import { builtInCatalogue } from "../support/extraction.ts";

const folder = "src/extraction";

interface Found {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** Returns every regular expression literal of the folder. A literal starts after an operator, a bracket or a comma. */
function listLiterals(): Found[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  return files.flatMap((name) => {
    const text = readFileSync(join(folder, name), "utf8").replace(/^\s*(\/\/|\/?\*).*$/gm, "");
    const literal =
      /(?<=[(,=:!&|?{;[]\s*|return\s+)\/((?![*/\s])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([a-z]*)/g;
    return [...text.matchAll(literal)].map((found) => ({
      place: name,
      source: found[1] ?? "",
      flags: found[2] ?? "",
    }));
  });
}

function listShapes(): Found[] {
  const shapes = [
    ...builtInCatalogue.shapesByDigits.flat(),
    ...builtInCatalogue.shapesByLetter.values(),
    ...builtInCatalogue.shapesByLetters.values(),
  ].flat();
  return [...new Set(shapes)].map(({ brand, shape }) => ({
    place: `${brand} ${shape.pattern}`,
    source: shape.sticky.source,
    flags: shape.sticky.flags,
  }));
}

describe("regular expressions", () => {
  test("the search finds the literals of the folder", () => {
    assert.ok(listLiterals().length >= 40, `${listLiterals().length} found`);
  });

  test("no literal can take exponential or polynomial time", () => {
    for (const { place, source, flags } of listLiterals()) {
      const { status } = checkSync(source, flags, { timeout: 20_000 });
      assert.notEqual(status, "vulnerable", `${place}: /${source}/${flags}`);
    }
  });

  test("no shape of the catalogue can take exponential or polynomial time", () => {
    for (const { place, source, flags } of listShapes()) {
      const { status } = checkSync(source, flags, { timeout: 20_000 });
      assert.notEqual(status, "vulnerable", place);
    }
  });
});
