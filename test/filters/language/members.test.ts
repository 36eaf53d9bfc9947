import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parseFilter } from "../../../src/filters/language/filter.ts";
import { MEMBERS } from "../../../src/filters/language/members.ts";

test("docs/filters.md describes every member, and no others", () => {
  const text = readFileSync("docs/filters.md", "utf8");
  const table = text.slice(text.indexOf("| Member |"), text.indexOf("`gte` above `lte`"));

  const described = [...table.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, names = ""]) =>
    [...names.matchAll(/`(\w+)(\(s\))?`/g)].flatMap(([, name = "", plural]) =>
      plural === undefined ? [name] : [name, `${name}s`],
    ),
  );

  assert.deepEqual(described.sort(), [...MEMBERS.keys()].sort());
});

test("the example of every member is a filter, and its description is one sentence or two in one line", () => {
  for (const [name, { example, description }] of MEMBERS) {
    assert.doesNotThrow(() => parseFilter({ [name]: example }), name);
    assert.match(description, /^[A-Z].{10,90}\.$/, name);
  }
});
