import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { foldWord, normalizeReference, textIdentity, toDigits } from "../../src/base/text.ts";

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
      for (const normalize of [foldWord, normalizeReference, toDigits, textIdentity]) {
        assert.equal(normalize(normalize(text)), normalize(text));
      }
    }),
    { numRuns: 2000 },
  );
});

test("a folded word has at most 500 characters, and none of them is half of one", () => {
  const texts = [
    "\ufdfa".repeat(200),
    "x".repeat(900),
    "㍿".repeat(400),
    "𐐨".repeat(400),
    "ß".repeat(450),
  ];
  for (const text of texts) {
    for (const fold of [foldWord, normalizeReference]) {
      const folded = fold(text);
      assert.ok(folded.length > 400 && folded.length <= 500, `${folded.length}`);
      assert.ok(folded.isWellFormed());
    }
  }
  assert.equal(toDigits("㏾".repeat(400)).length, 500);
});

test("a text that grows beyond twice the limit of WhatsApp is identified by its own characters", () => {
  const hostile = `126610LN 98k ${"\ufdfa".repeat(30_000)}`;
  const usual = "126610LN 98k \ufdfa ".repeat(2_000);

  assert.equal(textIdentity(hostile), hostile);
  assert.equal(textIdentity(usual), textIdentity(usual.toLowerCase()));
  assert.ok(textIdentity(usual).length > usual.length);
});

test("texts that look alike are one text", () => {
  const pairs = [
    ["Zürich 98k", "Zu\u0308rich 98k"],
    ["126610LN 98k", "１２６６１０ＬＮ ９８ｋ"],
    ["126610LN 98k", "126610ln  98K "],
    ["126610LN 98k", "\ufeff126610\u200bLN\u2060 98k"],
    ["126610LN\n98k", "126610LN\r\n\r\n98k\n"],
    ["126610LN 98k", "126610LN\u00a098k"],
    ["126610LN 98k", "🔥126610LN 98k 🔥🔥"],
    ["✅ 126610LN", "✅\ufe0f 126610LN"],
    ["Straße", "STRASSE"],
  ];

  for (const [left = "", right = ""] of pairs) {
    assert.equal(textIdentity(left), textIdentity(right), right);
  }
});

test("texts that say something else are two", () => {
  const pairs = [
    ["126610LN 98k", "126610LN 97k"],
    ["126610LN 98k", "126610LN\n98k"],
    ["126610LN 98k", "126610LN 98k ❌"],
    ["126610LN 98k", "126610LN 9 8k"],
    // Cyrillic A, and Arabic digits: another spelling may be another text.
    ["126610A", "126610\u0410"],
    ["98k", "٩٨k"],
  ];

  for (const [left = "", right = ""] of pairs) {
    assert.notEqual(textIdentity(left), textIdentity(right), right);
  }
});
