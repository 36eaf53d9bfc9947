import assert from "node:assert/strict";
import { test } from "node:test";
import { countryPrefixOf } from "../../src/listings/listing.ts";
import { toSearchText, toWords } from "../../src/listings/search-text.ts";

test("toWords returns lower-case words of letters and digits, without accents", () => {
  assert.deepEqual(toWords("Été à GENÈVE, n°5711/1A — ﬁne!"), [
    "ete",
    "a",
    "geneve",
    "n",
    "5711",
    "1a",
    "fine",
  ]);
  assert.deepEqual(toWords("?! — \u200b"), []);
});

test("a word of more than 255 characters is cut, and no character is cut in two", () => {
  assert.deepEqual(toWords(`${"a".repeat(300)} b`), ["a".repeat(255), "b"]);
  assert.deepEqual(toWords("𝟘".repeat(10)), ["0".repeat(10)]);
  assert.deepEqual(toWords("𐐨".repeat(300)), ["𐐨".repeat(255)]);
});

test("the search text has one line per field, and the reference also in normal form", () => {
  const text = toSearchText({
    brand: "Patek Philippe",
    reference: "5711/1A-010",
    dial_type: "",
    message_text: "full\nset",
  });

  assert.equal(text, "patek philippe\n5711 1a 010\n57111a010\nfull set");
  assert.equal(toSearchText({ reference: "126610LN" }), "126610ln");
  assert.equal(toSearchText({}), "");
});

test("the country prefix of a phone number has one, two or three digits", () => {
  for (const [number, prefix] of [
    ["12125550100", "1"],
    ["79161234567", "7"],
    ["447700900123", "44"],
    ["85291234567", "852"],
    ["8613912345678", "86"],
    ["971501234567", "971"],
  ] as const) {
    assert.equal(countryPrefixOf(number), prefix);
  }
});
