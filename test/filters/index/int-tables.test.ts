import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { addWord, createWordTable, findWord } from "../../../src/filters/index/int-tables.ts";

/** Few letters, so that many words are similar. Some are not ASCII, and some words are too long to be packed. */
const anyWord = fc.string({
  unit: fc.constantFrom("a", "b", "1", "ä", "表", "𝒜"),
  minLength: 0,
  maxLength: 16,
});

test("a known word is found inside a text, and no unknown word is taken for it", () => {
  const counts = { found: 0 };

  fc.assert(
    fc.property(
      fc.uniqueArray(anyWord, { minLength: 60, maxLength: 200 }),
      fc.array(anyWord, { maxLength: 50 }),
      (known, others) => {
        const table = createWordTable();
        for (const [at, word] of known.entries()) addWord(table, word, at + 1);

        for (const word of [...known, ...others]) {
          const text = `ab ${word} ba`;
          const key = findWord(table, text, 3, 3 + word.length);
          assert.equal(key, known.indexOf(word) + 1);
          if (key > 0) counts.found += 1;
        }
      },
    ),
    { numRuns: 100 },
  );

  assert.ok(counts.found > 1_000);
});

test("words that differ only in the last packed letter or after it have different keys", () => {
  const table = createWordTable();
  const words = ["126610lnxyz1", "126610lnxyz2", "126610lnxyz1a", "126610lnxyz", "126610lnxyzé"];
  for (const [at, word] of words.entries()) addWord(table, word, at + 1);

  assert.deepEqual(
    words.map((word) => findWord(table, word, 0, word.length)),
    [1, 2, 3, 4, 5],
  );
  assert.equal(findWord(table, "126610lnxyz3", 0, 12), 0);
});
