import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { foldWord, normalizeReference } from "../../src/base/text.ts";

test("words are equal ignoring case, accents and punctuation", () => {
  assert.equal(foldWord("A. Lange & Söhne"), foldWord("a lange sohne"));
  assert.equal(normalizeReference("5711/1A-010"), "57111A010");
});

test("the fast path for ASCII returns the same as the full path", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme-ascii" }), (text) => {
      // A letter outside ASCII sends the same text through the full path.
      assert.equal(
        `${foldWord(text)}é`.normalize("NFKD").replace(/\p{Mark}/gu, ""),
        `${foldWord(`${text}é`)}`,
      );
    }),
  );
});
