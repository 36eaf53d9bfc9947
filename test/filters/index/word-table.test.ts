import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { addWord, createWordTable, findWord } from "../../../src/filters/index/word-table.ts";

/** Of few letters, so that many are alike, with some that ASCII does not have, and longer than a code holds. */
const anyWord = fc.string({
  unit: fc.constantFrom("a", "b", "1", "ä", "表", "𝒜"),
  minLength: 0,
  maxLength: 16,
});

test("a word is found by its letters wherever it stands, and no other word for it", () => {
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

test("words that are alike up to the last letter of their code are told apart", () => {
  const table = createWordTable();
  const words = ["126610lnxyz1", "126610lnxyz2", "126610lnxyz1a", "126610lnxyz", "126610lnxyzé"];
  for (const [at, word] of words.entries()) addWord(table, word, at + 1);

  assert.deepEqual(
    words.map((word) => findWord(table, word, 0, word.length)),
    [1, 2, 3, 4, 5],
  );
  assert.equal(findWord(table, "126610lnxyz3", 0, 12), 0);
});
