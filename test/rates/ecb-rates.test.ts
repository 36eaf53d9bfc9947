import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { OperatorError } from "../../src/base/errors.ts";
import { parseEcbRates } from "../../src/rates/ecb-rates.ts";

test("the file of one day is parsed, with its English date and the comma at the end of each line", () => {
  const text = "Date, USD, JPY, GBP, \n13 November 2026, 1.1762, 176.53, 0.87410, \n";

  assert.deepEqual(parseEcbRates(text), [
    { day: "2026-11-13", currency: "USD", per_eur: "1.1762" },
    { day: "2026-11-13", currency: "JPY", per_eur: "176.53" },
    { day: "2026-11-13", currency: "GBP", per_eur: "0.87410" },
  ]);
});

test("the file of all days is parsed, without currencies that no longer exist", () => {
  const text =
    "Date,USD,CYP,GBP,\n2026-11-13,1.1762,N/A,0.8741,\n2007-12-31,1.4721,0.585274,0.73335,\n";

  assert.deepEqual(parseEcbRates(text), [
    { day: "2026-11-13", currency: "USD", per_eur: "1.1762" },
    { day: "2026-11-13", currency: "GBP", per_eur: "0.8741" },
    { day: "2007-12-31", currency: "USD", per_eur: "1.4721" },
    { day: "2007-12-31", currency: "CYP", per_eur: "0.585274" },
    { day: "2007-12-31", currency: "GBP", per_eur: "0.73335" },
  ]);
});

test("a byte order mark, other line endings, empty lines, quotation marks and empty cells are accepted", () => {
  const expected = [{ day: "2026-11-02", currency: "USD", per_eur: "1.17" }];

  assert.deepEqual(parseEcbRates("\uFEFFDate,USD,\r\n\r\n2026-11-02,1.17,\r\n"), expected);
  assert.deepEqual(parseEcbRates('"Date","USD"\r"2026-11-02","1.17"\r'), expected);
  assert.deepEqual(parseEcbRates("date,USD,JPY\n 2 November  2026 , 1.17 , \n  \n,,,\n"), expected);
});

test("a file with one bad cell is rejected as a whole, and the error has the line and column", () => {
  const cases = [
    ["", /the file is empty/],
    ["Date,USD\n", /no rates/],
    ["Datum;USD\n2026-11-02;1\n", /line 1, column 1: the first line must begin with Date/],
    ["Date,USD,dollar\n", /line 1, column 3: "dollar" is not a currency/],
    ["Date,EUR\n2026-11-02,1\n", /line 1, column 2: "EUR"/],
    ["Date,USD,USD\n", /line 1, column 3: USD occurs twice/],
    ["Date,USD,JPY\n2026-11-02,1.1\n", /line 2, column 3: the rate of JPY is missing/],
    ["Date,USD\n\n2026-11-02,1.1,2\n", /line 3, column 3: "2" has no currency/],
    ["Date,USD,JPY\n2026-11-02,1.1,12x\n", /line 2, column 3: "12x" is not a rate of JPY/],
    ["Date,USD\n2026-11-02,-1\n", /line 2, column 2: "-1"/],
    ["Date,USD\n2026-11-02,0.000\n", /line 2, column 2: "0.000"/],
    ["Date,USD\n2026-11-02,1e3\n", /line 2, column 2: "1e3"/],
    ["Date,USD\n2026-02-30,1.1\n", /line 2, column 1: "2026-02-30" is not a day/],
    ["Date,USD\n31 June 2026,1.1\n", /line 2, column 1: "31 June 2026"/],
    ["Date,USD\n2 Brumaire 2026,1.1\n", /line 2, column 1/],
    [
      "Date,USD\n2026-11-02,1.1\n2026-11-02,1.2\n",
      /line 3, column 1: 2026-11-02 is already on line 2/,
    ],
    ["Date,USD\n2026-11-02,1.1\nDate,USD\n", /line 3, column 2: "USD" is not a rate/],
  ] as const;

  for (const [text, message] of cases) {
    assert.throws(
      () => parseEcbRates(text),
      (error) => {
        assert.ok(error instanceof OperatorError, text);
        assert.match(error.message, message);
        return true;
      },
    );
  }
});

test("any text is either parsed or rejected with an OperatorError", () => {
  const cell = fc.constantFrom(
    "Date",
    "USD",
    "1.1",
    "N/A",
    "",
    " ",
    "2026-11-02",
    '"',
    "x",
    "\uFEFF",
  );
  const text = fc
    .array(fc.array(cell, { maxLength: 4 }), { maxLength: 4 })
    .map((rows) => rows.map((row) => row.join(",")).join("\n"));

  fc.assert(
    fc.property(fc.oneof(text, fc.string()), (given) => {
      try {
        for (const { per_eur } of parseEcbRates(given)) assert.ok(Number(per_eur) > 0);
      } catch (error) {
        assert.ok(error instanceof OperatorError, String(error));
      }
    }),
  );
});
