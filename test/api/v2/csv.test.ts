import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { LISTING_COLUMNS, toCsvLine } from "../../../src/api/v2/market/export-listings.ts";
import { parseCsv } from "../../support/files.ts";

test("a cell is quoted if it has a comma, a quote or a line break, and quotes are doubled", () => {
  assert.equal(toCsvLine(["a", "", "b c", "1"]), "a,,b c,1\r\n");
  assert.equal(toCsvLine(['a,"b"', "c\nd", "e\rf"]), '"a,""b""","c\nd","e\rf"\r\n');
});

test("a cell that a spreadsheet takes for a formula gets a leading apostrophe", () => {
  for (const text of ["=1+1", "+49", "-1", "@SUM(A1)", "\tx", "\rx", "=", '=HYPERLINK("x")']) {
    assert.deepEqual(parseCsv(toCsvLine(["1", text])), [["1", `'${text}`]]);
  }
  for (const text of ["a=1", " =1", "'=1", "49", "5711/1A-010"]) {
    assert.deepEqual(parseCsv(toCsvLine([text])), [[text]]);
  }
});

test("a reader of RFC 4180 gets back every cell, and none that begins a formula", () => {
  const cell = fc.oneof(
    fc.string({ unit: "binary", maxLength: 12 }),
    fc
      .array(fc.constantFrom("=", "+", "-", "@", "\t", "\r", "\n", '"', ",", "'", "a"), {
        maxLength: 6,
      })
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
      (lines) => {
        const read = parseCsv(lines.map(toCsvLine).join(""));

        assert.deepEqual(
          read,
          lines.map((line) => line.map((text) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text))),
        );
      },
    ),
  );
});

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
