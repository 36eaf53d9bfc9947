import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { toCsvLine } from "../../../client/csv.ts";
import { LISTING_COLUMNS } from "../../../src/api/v2/market/export-listings.ts";
import { parseCsv } from "../../support/files.ts";

test("a cell is quoted if it has a comma, a quote or a line break, and quotes are doubled", () => {
  assert.equal(toCsvLine(["a", "", "b c", "1"]), "a,,b c,1\r\n");
  assert.equal(toCsvLine(['a,"b"', "c\nd", "e\rf"]), '"a,""b""","c\nd","e\rf"\r\n');
});

test("a cell that a spreadsheet takes for a formula gets a leading apostrophe", () => {
  const formulas = ["=1+1", "+49", "-1", "@SUM(A1)", "\tx", "\rx", "\nx", "=", '=HYPERLINK("x")'];
  for (const text of [...formulas, "＝1", "＋1", "－1", "＠x", " =1", '"=1"']) {
    assert.deepEqual(parseCsv(toCsvLine(["1", text])), [["1", `'${text}`]]);
  }
  for (const text of ["a=1", "'=1", "49", "5711/1A-010", "a, =b", "a; b=c", "a\nb-c"]) {
    assert.deepEqual(parseCsv(toCsvLine([text])), [[text]]);
  }
});

test("text after a semicolon, tab or line break begins no formula either", () => {
  const cases = [
    ["x;=cmd|' /C calc'!A0", "x;'=cmd|' /C calc'!A0"],
    ["a;b;@x", "a;b;'@x"],
    ["a\t+1", "a\t'+1"],
    ["a\r\n-1\n=2", "a\r\n'-1\n'=2"],
    ["a; =1", "a;' =1"],
    ['a;"=1"', `a;'"=1"`],
    ["a;＝1", "a;'＝1"],
  ] as const;
  for (const [text, expected] of cases) {
    assert.deepEqual(parseCsv(toCsvLine(["1", text])), [["1", expected]]);
  }
});

test("a reader of RFC 4180 gets back every cell, and no way to split a line begins a formula", () => {
  const parts = ["=", "+", "-", "@", "＝", "\t", "\r", "\n", '"', ",", ";", "'", " ", "a"];
  const cell = fc.oneof(
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.array(fc.constantFrom(...parts), { maxLength: 6 }).map((some) => some.join("")),
  );
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(table, (lines) => {
      const text = lines.map(toCsvLine).join("");
      const read = parseCsv(text);

      assert.deepEqual(
        read.map((line) => line.map(withoutApostrophes)),
        lines.map((line) => line.map(withoutApostrophes)),
      );
      // The first cell of a line is the id of a listing, so a line that is not split at commas begins with it.
      const split = lines.map((line) => toCsvLine(["id", ...line])).join("");
      for (const begun of [...read.flat(), ...split.split(/[;\t\r\n]/)]) {
        assert.doesNotMatch(begun, /^["\s]*[=+\-@＝＋－＠]/);
      }
    }),
  );
});

function withoutApostrophes(text: string): string {
  return text.replaceAll("'", "");
}

test("the columns are the members of a listing, with a dot for those inside of others", () => {
  assert.equal(LISTING_COLUMNS[0], "id");
  for (const column of [
    "price.amount_minor",
    "sender.phone_number",
    "source.group_names",
    "extraction.sources",
  ]) {
    assert.ok(LISTING_COLUMNS.includes(column), column);
  }
  assert.ok(!LISTING_COLUMNS.includes("price"));
});
