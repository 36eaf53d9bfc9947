import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { foldWord, normalizeReference, toDigits } from "../../src/base/text.ts";

test("words are equal ignoring case, accents and punctuation", () => {
  assert.equal(foldWord("A. Lange & Söhne"), foldWord("a lange sohne"));
  assert.equal(foldWord("F.P.Journe"), "fpjourne");
  assert.equal(foldWord("Ｒｏｌｅｘ"), "rolex");
  assert.notEqual(foldWord("Tudor"), foldWord("Rolex"));
});

test("a normalized reference has upper-case letters and digits only", () => {
  assert.equal(normalizeReference("5711/1A-010"), "57111A010");
  assert.equal(normalizeReference(" 126610 ln "), "126610LN");
});

test("phone numbers are digits without a plus", () => {
  assert.equal(toDigits("+44 7700 900123"), "447700900123");
});

test("normalizing twice returns the same as normalizing once", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      for (const normalize of [foldWord, normalizeReference, toDigits]) {
        assert.equal(normalize(normalize(text)), normalize(text));
      }
    }),
    { numRuns: 2000 },
  );
});
