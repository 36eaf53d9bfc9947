import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import fc from "fast-check";
import { parse } from "yaml";
import { listParts } from "../../console/filters/clauses.ts";
import { isSameJson } from "../../console/filters/filter.ts";
import { toCurl, toYaml } from "../../console/pages/market/search-texts.ts";
import { anyFilterObject } from "../support/generators/filter-arbitraries.ts";

const anyText = fc.string({ unit: "binary", maxLength: 40 });
const ODD = ["it's", "a\nb", "\u0085\u2028\ufeff", "$(x) `y` \\", "- no: yes #", ""];

test("a search as YAML reads back as the same view", () => {
  const check = (name: string, filter: Readonly<Record<string, unknown>>): void => {
    const yaml = toYaml({ name, filter, sort: "newest" });
    const { views } = parse(yaml) as { views: readonly Record<string, unknown>[] };

    assert.ok(isSameJson(views, [{ name, sort: "newest", filters: filter }]), yaml);
  };

  for (const text of ODD) check(text, { [text]: [text], brand: [text] });
  fc.assert(fc.property(anyText, anyFilterObject, check));
});

test("a search as curl reaches the program as it is, whatever it has in it", () => {
  for (const text of ODD) {
    const command = toCurl({ filters: { q: text }, sort: "newest" }, "http://127.0.0.1:8080");
    const script = command.replace(/^curl /, "printf '%s\\n' ");
    const words = execFileSync("sh", ["-c", script], { env: { TOKEN: "t" }, encoding: "utf8" });

    assert.equal(
      words.trimEnd().split("\n").at(-1),
      JSON.stringify({ filters: { q: text }, sort: "newest" }),
    );
    assert.match(words, /^Authorization: Bearer t$/m);
  }
});

test("every part of a filter can be removed on its own, until nothing is asked", () => {
  fc.assert(
    fc.property(anyFilterObject, (filter) => {
      let left: Readonly<Record<string, unknown>> = filter;
      for (let parts = listParts(left); parts.length > 0; parts = listParts(left)) {
        const [first] = parts;
        assert.equal(new Set(parts.map(({ id }) => id)).size, parts.length);
        assert.ok(!isSameJson(first?.rest, left), `${first?.id} stays`);
        left = first?.rest ?? {};
      }
    }),
  );
});
