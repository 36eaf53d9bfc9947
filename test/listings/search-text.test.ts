import assert from "node:assert/strict";
import { test } from "node:test";
import type { LineSpan } from "../../src/extraction/extraction.ts";
import { splitLines } from "../../src/extraction/text/normalize.ts";
import { countryPrefixOf } from "../../src/listings/listing.ts";
import {
  SEARCH_TEXT_BYTES_MAX,
  toMessageText,
  toSearchTexts,
  toWords,
} from "../../src/listings/search-text.ts";

type Words = Parameters<typeof toSearchTexts>[1][number]["words"];

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

/** The text of the only listing of a message, whose lines are all its own. */
function textOf(words: Words, text = ""): string {
  const sourceLines = splitLines(text).map((_, line) => line);
  const [searchText = ""] = toSearchTexts(text, [
    { words, lines: { sourceLines, headerLines: [] } },
  ]);
  return searchText;
}

test("the search text has one line per field, and the reference also in normal form", () => {
  const words = { brand: "Patek Philippe", reference: "5711/1A-010", dial_type: "" };

  assert.equal(textOf(words, "full\nset"), "patek philippe\n5711 1a 010\n57111a010\nfull set");
  assert.equal(textOf({ reference: "126610LN" }), "126610ln");
  assert.equal(
    textOf({ brand: "Rolex", nicknames: ["Batman", "Bat Girl"], variant: "Batman" }),
    "rolex\nbatman\nbat girl",
  );
  assert.equal(textOf({}), "");
});

test("a listing has its own lines, then its headers, then the lines of no watch", () => {
  const text = "hello\nUSED\n126334 blue\n126333 / 126300\nterms";
  const of = (sourceLines: number[], ownSpans: LineSpan[] = []) => ({
    words: {},
    lines: { sourceLines, headerLines: [1], ownSpans },
  });

  const texts = toSearchTexts(
    text,
    [of([2]), of([3], [{ line: 3, start: 0, end: 6 }]), of([3], [{ line: 3, start: 9, end: 15 }])],
    [0, 4],
  );

  assert.deepEqual(texts, [
    "126334 blue\nused\nhello terms",
    "126333\nused\nhello terms",
    "126300\nused\nhello terms",
  ]);
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

const BYTES_MAX = 8 * 1024;

test("the text of a listing has at most 8 kB as the store counts them, and ends at a word", () => {
  for (const unit of [...GROWING, "a", "全新", "ab ", "全 新", "\u202eرولكس ", "👍🏽 "]) {
    for (const repeats of [10, 1_500, 2_000, 30_000, 65_000]) {
      const message = `start ${unit.repeat(repeats)}`.slice(0, 60_000);
      const whole = toMessageText(message);
      const text = textOf({ brand: "Rolex", reference: "5711/1A" }, message);
      const bytes = Buffer.byteLength(text);
      assert.ok(bytes <= BYTES_MAX, `${unit} ${repeats}: ${bytes}`);
      assert.ok(Buffer.byteLength(whole) <= SEARCH_TEXT_BYTES_MAX, `${unit} ${repeats}`);
      assert.ok(text.startsWith("rolex\n5711 1a\n57111a\nstart"));
      const words = text.split("\n").at(-1) ?? "";
      assert.ok(`${whole} `.startsWith(`${words} `), `${unit} ${repeats}`);
    }
  }
});

test("the listings of a message have at most 64 kB together, and the longest are cut first", () => {
  const lines = Array.from(
    { length: 200 },
    (_, at) => `${at} ${"été ".repeat(at === 7 ? 900 : 20)}`,
  );
  const terms = "insured parcels ".repeat(400);
  const listings = lines.map((_, at) => ({
    words: { reference: `R${at}` },
    lines: { sourceLines: [at], headerLines: [] },
  }));

  const texts = toSearchTexts([...lines, terms].join("\n"), listings, [200]);

  const bytes = texts.map((text) => Buffer.byteLength(text));
  const total = bytes.reduce((sum, one) => sum + one, 0);
  assert.ok(total <= SEARCH_TEXT_BYTES_MAX && total > SEARCH_TEXT_BYTES_MAX - 200 * 10, `${total}`);
  assert.ok(texts.every((text, at) => text.startsWith(`r${at}\n${at} ete`)));
  // The lines of no watch are cut first; every listing has all of its own line but the longest.
  const own = texts.map((text) => (text.split("\n")[1] ?? "").split(" ").length - 1);
  assert.deepEqual([...new Set(own.filter((_, at) => at !== 7))], [20]);
  assert.ok((own[7] ?? 0) < 900);
  assert.ok(
    texts.filter((text) => text.endsWith("parcels") || text.endsWith("insured")).length >= 190,
  );
});

test("a cut keeps whole words, and the word that ends at the bound", () => {
  // 8,191 bytes for 4,096 words of one letter; with the reference in front, five of them have no room.
  const text = textOf({ reference: "R12345678" }, "a ".repeat(8_000));

  assert.equal(text, `r12345678\n${"a ".repeat(4_091).trim()}`);
  assert.equal(Buffer.byteLength(text), BYTES_MAX - 1);
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
