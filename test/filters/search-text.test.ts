import assert from "node:assert/strict";
import { test } from "node:test";
import { countryPrefixOf } from "../../src/listings/listing.ts";
import {
  SEARCH_TEXT_BYTES_MAX,
  searchBytesOf,
  toSearchText,
  toWords,
} from "../../src/listings/search-text.ts";

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

/** Each folds to more than it has. */
const GROWING = [
  "\ufdfa",
  "\ufdfb",
  "㍿",
  "㋿",
  "ﬃ",
  "각",
  "𝕬",
  "ẛ̣",
  "⑳",
  "🏴‍☠️ a",
  "é".normalize("NFD"),
];

test("a search text has at most 64 kB as the store counts them, and ends at a word", () => {
  for (const unit of [...GROWING, "a", "全新", "ab ", "全 新"]) {
    for (const repeats of [10, 1_500, 2_000, 30_000, 65_000]) {
      const message_text = `start ${unit.repeat(repeats)}`.slice(0, 100_000);
      const whole = toSearchText({ message_text }, Number.MAX_SAFE_INTEGER);
      const text = toSearchText({ brand: "Rolex", reference: "5711/1A", message_text });
      const bytes = Buffer.byteLength(text);
      assert.ok(bytes <= SEARCH_TEXT_BYTES_MAX, `${unit} ${repeats}: ${bytes}`);
      assert.ok(bytes <= searchBytesOf(message_text) + 30, `${unit} ${repeats}: ${bytes}`);
      assert.ok(text.startsWith("rolex\n5711 1a\n57111a\nstart"));
      const words = text.split("\n").at(-1) ?? "";
      assert.ok(`${whole} `.startsWith(`${words} `), `${unit} ${repeats}`);
    }
  }
});

test("a shorter bound cuts the text of the message after a word, and no field", () => {
  const words = { brand: "Rolex", message_text: "été 126610LN full set" };

  assert.equal(toSearchText(words, 20), "rolex\nete 126610ln");
  assert.equal(toSearchText(words, 19), "rolex\nete 126610ln");
  assert.equal(toSearchText(words, 18), "rolex\nete 126610ln");
  assert.equal(toSearchText(words, 17), "rolex\nete");
  assert.equal(toSearchText(words, 8), "rolex");
  assert.equal(toSearchText(words, 0), "rolex");
});

test("no UTF-16 unit folds to more than 33 bytes", () => {
  for (let code = 0; code <= 0x10ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    const bytes = Buffer.byteLength(character.normalize("NFKD").toLowerCase());
    assert.ok(bytes <= 33 * character.length, code.toString(16));
  }
});

test("long texts are folded in pieces, with the same words", () => {
  const line = "Été à GENÈVE ΣΑΣ, n°5711/1A — ﬁne! 全新 ＲＯＬＥＸ ﷺ\n";
  const once = toWords(line, Number.MAX_SAFE_INTEGER);

  const words = toWords(line.repeat(500), 10_000_000);
  const inPieces = toWords(line.repeat(500), 500 * line.length * 20);

  assert.deepEqual(words, Array.from({ length: 500 }, () => once).flat());
  assert.deepEqual(inPieces, words);
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
