import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findExcerpts, type TextMark, toPieces } from "../../console/parts/text-pieces.ts";
import { hidePhones } from "../../console/words/formats.ts";

const TEXT_MAX = 60;
const someMark = fc
  .record({
    field: fc.constantFrom("reference", "year", "price"),
    start: fc.nat(TEXT_MAX),
    length: fc.nat(TEXT_MAX),
  })
  .map(({ field, start, length }) => ({ field, start, end: start + length }));

test("the pieces are the whole text in order, and those of a field are its spans", () => {
  fc.assert(
    fc.property(fc.nat(TEXT_MAX), fc.array(someMark, { maxLength: 8 }), (length, marks) => {
      const pieces = toPieces({ start: 0, end: length }, marks);

      assert.deepEqual(pieces[0]?.start ?? 0, 0);
      assert.equal(pieces.at(-1)?.end ?? 0, length);
      for (const [at, piece] of pieces.entries()) {
        assert.ok(piece.start < piece.end);
        assert.equal(piece.start, pieces[at - 1]?.end ?? 0);
      }
      for (let unit = 0; unit < length; unit += 1) {
        const covering = marks.filter(({ start, end }) => start <= unit && unit < end);
        const piece = pieces.find(({ start, end }) => start <= unit && unit < end);
        assert.deepEqual(new Set(piece?.fields), new Set(covering.map(({ field }) => field)));
      }
    }),
  );
});

test("a short text is one excerpt", () => {
  assert.deepEqual(findExcerpts("126610LN\n9000 EUR", []), [{ start: 0, end: 17 }]);
  assert.deepEqual(findExcerpts("", []), [{ start: 0, end: 0 }]);
});

test("a text of 4,000 lines is cut to its beginning and to the lines around the words", () => {
  const lines = Array.from({ length: 4_000 }, (_, at) => `line ${at}`);
  lines[3_500] = "126610LN 9000 EUR";
  const text = lines.join("\n");
  const start = text.indexOf("126610LN");

  const excerpts = findExcerpts(text, [{ start, end: start + 8 }]);

  const shown = excerpts.map((excerpt) => text.slice(excerpt.start, excerpt.end));
  assert.equal(shown.length, 2);
  assert.match(shown[0] ?? "", /^line 0\nline 1\n/);
  assert.match(shown[1] ?? "", /^line 3498\nline 3499\n126610LN 9000 EUR\nline 3501\n/);
  assert.ok(shown.join("").length < 1_000);
});

test("excerpts are in order, apart, within the text, have every mark, and cut no character", () => {
  const someText = fc
    .array(fc.constantFrom("x".repeat(300), "\n".repeat(50), "😀".repeat(150), "126610LN", "\n"), {
      maxLength: 30,
    })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(someText, fc.array(fc.nat(9_000), { maxLength: 5 }), (text, starts) => {
      const marks: TextMark[] = starts
        .filter((start) => start + 8 <= text.length)
        .map((start) => ({ field: "price", start, end: start + 8 }));

      const excerpts = findExcerpts(text, marks);

      let end = -1;
      for (const excerpt of excerpts) {
        assert.ok(excerpt.start > end && excerpt.end <= text.length);
        assert.ok(excerpt.start < excerpt.end || text === "");
        end = excerpt.end;
      }
      for (const mark of marks) {
        assert.ok(excerpts.some(({ start, end }) => start <= mark.start && mark.end <= end));
      }
    }),
  );
  const faces = "😀".repeat(5_000);
  const [head] = findExcerpts(faces, []);
  assert.equal(faces.slice(0, head?.end).isWellFormed(), true);
});

test("phone numbers in a text are hidden, prices and references are not", () => {
  assert.equal(hidePhones("call +852 9123 4567 now"), "call +••• •••• •••• now");
  assert.equal(hidePhones("wa.me/85291234567"), "wa.me/•••••••••••");
  const text = "310.30.42.50.01.002 126610LN 05/2023 HKD 1,234,567 €123456";
  assert.equal(hidePhones(text), text);
});
