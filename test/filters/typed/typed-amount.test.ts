import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatAmount } from "../../../console/words/formats.ts";
import { buildCatalogue } from "../../../src/extraction/catalogue/catalogue.ts";
import { PRICE_RANGES } from "../../../src/extraction/words/currencies.ts";
import { WORD_FILES } from "../../../src/extraction/words/words.ts";
import { type AmountKind, readTypedAmount } from "../../../src/filters/typed/typed-amount.ts";
import { dealerMessage } from "../../support/texts.ts";

const catalogue = buildCatalogue();

function read(text: string, currency: string | undefined, kind: AmountKind = "watch"): string {
  const found = readTypedAmount(text, { catalogue, kind, currency });
  return typeof found === "string" ? found : `${found.currency} ${found.amount_minor / 100}`;
}

function check(expected: string, currency: string | undefined, texts: readonly string[]): void {
  for (const text of texts) assert.equal(read(text, currency), expected, text);
}

test("an amount in a field is read as dealers write it", () => {
  check("HKD 138000", "HKD", [
    "138k",
    "138.000",
    "138,000",
    "138'000",
    "138 000",
    "138000",
    "13.8\u4E07",
    "13.8w",
    "0.138m",
    "HK$138,000",
    "$138k",
    "138k hkd",
    "hkd 138000.-",
    " 138K ",
  ]);
  check("HKD 1380000", "HKD", ["1.38m", "1.38", "1.380", "1,380,000"]);
  check("EUR 28450", "EUR", ["28.450", "28'450", "28,450", "28450", "28.45", "28,45", "28 450"]);
  check("EUR 9950.5", "EUR", ["9,950.50", "9.950,50", "9950.50", "9950,5"]);
});

test("a currency that is typed comes before the one of the field", () => {
  check("EUR 15200", "HKD", ["eur 15.2", "\u20AC15,200", "15,2k euro", "15200 EUR"]);
  check("USD 18000", "EUR", ["$18k", "usd 18k", "18,000 us$"]);
  check("CNY 95000", "CNY", ["\u00A595,000", "CN\u00A595,000"]);
  check("XAF 5000000", "EUR", ["5,000,000 XAF", "xaf 5,000,000"]);
  check("EUR 18000", undefined, ["18k eur"]);
  check("currency_missing", undefined, ["18k", "18,000"]);
});

test("the unit that a person leaves out is that of a watch, and costs have none", () => {
  check("EUR 1500", "EUR", ["1.5", "1,5", "1.500"]);
  check("HKD 138000", "HKD", ["138"]);
  assert.equal(read("99.50", "EUR"), "EUR 99500");
  assert.equal(read("150.50", "EUR"), "EUR 150.5");
  assert.equal(read("1.5", "EUR", "other"), "EUR 1.5");
  assert.equal(read("99.50", "EUR", "other"), "EUR 99.5");
  assert.equal(read("150", "EUR", "other"), "EUR 150");
  assert.equal(read("1.500", "EUR", "other"), "EUR 1500");
  assert.equal(read("1.5k", "EUR", "other"), "EUR 1500");
});

test("what would be a guess is no amount, and the reason says why", () => {
  check("no_amount", "EUR", ["", "  ", "abc", "-", "k", "\u{1F600}"]);
  check("malformed_number", "EUR", ["1,045,00", "12.34.56.78.90"]);
  check("several_amounts", "EUR", ["44k-47k", "12k or 13k", "12 13 14", "1e5"]);
  check("unknown_words", "EUR", ["-500", "+500", "10%", "18k gold", "138k maybe", "~18k~"]);
  check("unit_contradicts_size", "EUR", ["51000k", "99999999"]);
  check("unit_contradicts_size", "HKD", ["45.5"]);
});

test("an amount as the console shows it, typed again, is the same amount", () => {
  const codes = [...Object.keys(WORD_FILES.currency), "XAF", "CZK", "ISK", "KWD"];
  fc.assert(
    fc.property(
      fc.constantFrom(...codes),
      fc.integer({ min: 0, max: 999_999_999 }),
      fc.constantFrom(0, 0, 1, 50, 99),
      fc.boolean(),
      (currency, units, hundredths, hasSign) => {
        // No amount of the reader has more digits.
        const cents = units < 100_000_000 ? hundredths : 0;
        const minor = units * 100 + cents;
        const shown = formatAmount({ minor, currency, isExact: true });
        const text = hasSign ? shown : shown.replace(/^\D+/, "");
        const { min = 250, max = 20_000_000 } = PRICE_RANGES.get(currency) ?? {};
        const kind: AmountKind = units >= min && units <= max ? "watch" : "other";

        const found = readTypedAmount(text, { catalogue, kind, currency });

        assert.deepEqual(found, { amount_minor: minor, currency }, `${text} in ${currency}`);
        const other = readTypedAmount(text, { catalogue, kind: "other", currency });
        assert.deepEqual(other, { amount_minor: minor, currency }, text);
      },
    ),
    { numRuns: 3_000 },
  );
});

test("any text is an amount or a reason, and never throws", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: "binary", maxLength: 60 }), dealerMessage),
      fc.constantFrom("EUR", "HKD", "XYZ", undefined),
      (text, currency) => {
        const found = readTypedAmount(text.slice(0, 60), { catalogue, kind: "watch", currency });

        if (typeof found === "object") assert.ok(Number.isSafeInteger(found.amount_minor));
      },
    ),
    { numRuns: 500 },
  );
});
