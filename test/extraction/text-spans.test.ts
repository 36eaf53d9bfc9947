import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { ListingField, Quote } from "../../src/extraction/extraction.ts";
import { TEXT_MAX } from "../../src/extraction/text/normalize.ts";
import { makeSpanFinder } from "../../src/extraction/text/text-spans.ts";
import { readMessage } from "../support/extraction.ts";
import { anyDecoration, dealerMessage, isReadAs } from "../support/texts.ts";

/** The pieces of the original text that give a field of the first listing. */
function piecesOf(text: string, field: ListingField, input: object = {}): string[] {
  const item = readMessage(text, input).listings[0]?.evidence.find((one) => one.field === field);
  assert.ok(item !== undefined, `no ${field} in: ${text}`);
  return makeSpanFinder(text)(item.lineSpans).map(({ start, end }) => text.slice(start, end));
}

describe("the place of a value in the text", () => {
  const cases: readonly (readonly [string, string, ListingField, readonly string[]])[] = [
    ["bold", "hi *126334* *€9.500*", "reference", ["126334"]],
    ["asterisks around a separator", "126334 €21**,**000", "price", ["€21**,**000"]],
    ["full-width", "１２６３３４　€９．５００", "price", ["€９．５００"]],
    ["an emoji with a meaning", "126334 🆕 €9.500", "condition", ["🆕"]],
    ["an emoji with a variation selector", "126334🔥🆕\uFE0F €9.500", "condition", ["🆕\uFE0F"]],
    ["keycaps", "126334 €9️⃣5️⃣0️⃣0️⃣ full set", "price", ["€9️⃣5️⃣0️⃣0️⃣"]],
    ["a bullet in a keycap", "1️⃣ 126334 €9.500", "reference", ["126334"]],
    ["zero-width characters", "12\u200B6334 \u2060€9.500", "reference", ["12\u200B6334"]],
    ["a blank without a width at the end", "126334\u200B €9.500", "reference", ["126334"]],
    ["marks of direction", "126334 \u2066€9.500\u2069\u200F", "price", ["€9.500"]],
    ["lines after CRLF", "WTS\r\n\r\n126334\r\n€9.500", "price", ["€9.500"]],
    ["other line ends", "WTS\u2028126334\u0085€9.500", "price", ["€9.500"]],
    ["blanks", "  126334    like    new   €9.500", "condition", ["like    new"]],
    ["a struck-through line", "💎 ~126334 2021 €9.500~", "status", ["126334 2021 €9.500"]],
    ["double tildes", "~~126334 €9.500~~", "status", ["~126334 €9.500~"]],
    ["several dial words", "126334 black 2021 roman €9.500", "dialType", ["black", "roman"]],
    ["a dial code", "126334g €9.500", "dialType", ["g"]],
    ["a reference before its dial code", "126334g €9.500", "reference", ["126334"]],
    ["a header", "🔥USED🔥\n126334 €9.500\n126333 €11.200", "condition", ["USED"]],
    ["a currency in a header", "HKD prices\n126334 88k\n126333 90k", "currency", ["HKD"]],
    ["the currency of a flag", "🇭🇰\n126334 88k\n126333 90k", "currency", ["🇭🇰"]],
    ["a month apart from its year", "126334 2025 N10 €9.500", "cardMonth", ["N10"]],
    ["a year apart from its month", "126334 2025 N10 €9.500", "year", ["2025"]],
    ["the N of a date", "126334 2025 N10 €9.500", "condition", ["N10"]],
    ["a brand by the name of its model", "SkyDweller 2021 €19.500", "brand", ["SkyDweller"]],
  ];
  for (const [name, text, field, pieces] of cases) {
    test(`${name}: ${field}`, () => {
      assert.deepEqual(piecesOf(text, field), pieces);
    });
  }

  test("another piece of a watch points at the reference above it", () => {
    const text = "5072R\nN9 2025: HKD 1.72m\nN1 2026: HKD 1.83m\nN2 2026: HKD 1.85m";
    const { listings } = readMessage(text);

    assert.equal(listings.length, 3);
    const findSpans = makeSpanFinder(text);
    for (const { evidence } of listings)
      assert.deepEqual(findSpans(evidence[0]?.lineSpans ?? []), [{ start: 0, end: 5 }]);
  });

  test("a value by default has no place", () => {
    const [listing] = readMessage("126334 9.500").listings;

    const defaults = listing?.evidence.filter(({ source }) => source === "default");
    assert.deepEqual(
      defaults?.map(({ field, lineSpans }) => [field, lineSpans]),
      [
        ["side", []],
        ["currency", []],
      ],
    );
  });

  test("a value that was left out has its places too", () => {
    const text = "126334 *€9.500* or *€12.500*";
    const [leftOut] = readMessage(text).listings[0]?.leftOut ?? [];

    assert.equal(leftOut?.reason, "several_prices");
    assert.deepEqual(makeSpanFinder(text)(leftOut.lineSpans), [
      { start: 8, end: 14 },
      { start: 20, end: 27 },
    ]);
  });

  test("a text that is cut inside a character keeps the character whole", () => {
    const text = `${"x".repeat(TEXT_MAX - 8)}\n126334${"😀".repeat(4)}`;

    assert.deepEqual(piecesOf(text, "reference"), ["126334"]);
    assertSpansHold(text);
  });

  test("a tilde after the cut does not strike the line", () => {
    const text = `${"x".repeat(TEXT_MAX - 16)}\n~126334 €9.500 ~`;

    assert.deepEqual(piecesOf(text, "price"), ["€9.500"]);
  });

  test("a brand by the name of a model is quoted once, even if the reference names it too", () => {
    assertSpansHold("Rolex Datejust 126999 2021 €9.500");
  });

  test("a date with N gives no condition where the words leave it open", () => {
    assertSpansHold("126334 new or used N3/26 €9.500");
  });
});

describe("spans of any message", () => {
  test("the text at the spans normalises to the words of the evidence", () => {
    let quoteCount = 0;
    fc.assert(
      fc.property(dealerMessage, (text) => {
        quoteCount += assertSpansHold(text);
      }),
      { numRuns: 200 },
    );
    assert.ok(quoteCount > 1000, `only ${quoteCount} values were checked`);
  });

  test("spans are whole characters inside the text, in order, for any characters", () => {
    fc.assert(
      fc.property(anyDecoration, fc.string({ unit: "binary", maxLength: 8 }), (a, b) => {
        assertInText(`${b}126334${a}new${b} €9.500${a}\n${b}${a}5711/1A ${b} HKD 1.2m`);
      }),
      { numRuns: 150 },
    );
  });
});

function listQuotes(text: string): readonly (Quote & { readonly separator: string })[] {
  return readMessage(text).listings.flatMap((listing) => {
    const fields = listing.evidence.map(({ field }) => field);
    assert.deepEqual(fields, [...new Set(fields)], `a field has two quotes in: ${text}`);
    for (const { field, source, lineSpans } of listing.evidence) {
      assert.equal(lineSpans.length === 0, source === "default", `${field} in: ${text}`);
      if (field !== "currency") assert.notEqual(listing[field], undefined, `${field} in: ${text}`);
    }
    return [
      ...listing.evidence.map((item) => ({ ...item, separator: " " })),
      ...listing.leftOut.map((item) => ({ ...item, separator: " / " })),
    ];
  });
}

/** Returns how many values were checked. */
function assertSpansHold(text: string): number {
  assertInText(text);
  const findSpans = makeSpanFinder(text);
  const quotes = listQuotes(text);
  for (const { words, lineSpans, separator } of quotes) {
    const pieces = findSpans(lineSpans).map(({ start, end }) => text.slice(start, end));
    const isRight = isReadAs({ text, pieces, words, separator });
    assert.ok(isRight, `"${pieces.join(separator)}", not "${words}": ${JSON.stringify(text)}`);
  }
  return quotes.length;
}

function assertInText(text: string): void {
  const findSpans = makeSpanFinder(text);
  for (const { lineSpans } of listQuotes(text)) {
    const spans = findSpans(lineSpans);
    assert.equal(spans.length, lineSpans.length);
    let last = 0;
    for (const { start, end } of spans) {
      assert.ok(start >= last && end > start && end <= text.length, JSON.stringify(text));
      for (const edge of [start, end])
        assert.ok(!/^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(edge - 1, edge + 1)));
      last = end;
    }
  }
}
