import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { foldLetters, PLAIN_SPELLING } from "../../../src/extraction/text/token.ts";
import { tokenize } from "../../../src/extraction/text/tokenize.ts";
import { listClasses, WORD_FILES, type WordKind } from "../../../src/extraction/words/words.ts";

const folder = "src/extraction";
const kinds = Object.keys(WORD_FILES) as WordKind[];

/** Tags of ISO 639, and the script where it matters. */
const LANGUAGES = new Set(
  "en de it es fr pt nl tr ar fa he ru vi id zh zh-Hant pl cs hu sv da ro el hi ja ko th".split(
    " ",
  ),
);

/** Returns the form in which a phrase is looked up. */
function foldPhrase(phrase: string): string {
  const words = tokenize(phrase, PLAIN_SPELLING).map(({ word }) => word);
  return words.filter((word) => !/^[-.'_]$/.test(word)).join(" ");
}

describe("the files of words", () => {
  test("are at most twenty", () => {
    const files = readdirSync(join(folder, "words")).filter((name) => name.endsWith(".json"));

    assert.ok(files.length <= 20, `${files.length} files`);
    assert.equal(files.length, kinds.length);
  });

  test("have classes with words, by known languages", () => {
    for (const kind of kinds) {
      for (const [name, languages] of Object.entries(WORD_FILES[kind])) {
        assert.ok(Object.keys(languages).length > 0, `${kind} ${name}`);
        for (const [language, lines] of Object.entries(languages)) {
          assert.ok(LANGUAGES.has(language), `${kind} ${name} ${language}`);
          assert.ok(lines.length > 0, `${kind} ${name} ${language}`);
          for (const line of lines) assert.match(line, /^[^,\s][^,]*(, [^,\s][^,]*)*$/, line);
        }
      }
    }
  });

  test("have each word in one class of its kind", () => {
    const twice: string[] = [];
    for (const kind of kinds) {
      const classes = new Map<string, string>();
      for (const [name, words] of listClasses(WORD_FILES, kind)) {
        for (const word of words) {
          const folded = foldPhrase(word);
          assert.notEqual(folded, "", `${kind} ${name} "${word}"`);
          const other = classes.get(folded);
          if (other !== undefined && other !== name)
            twice.push(`${kind}: "${word}" in ${other} and ${name}`);
          classes.set(folded, name);
        }
      }
    }
    assert.deepEqual(twice, []);
  });
});

/** The kinds whose phrases have a meaning. Of others only some classes have one, which rules ask for otherwise. */
const PHRASE_KINDS = [
  "month",
  "cue",
  "currency",
  "place",
  "bracelet",
  "dial",
  "condition",
  "set",
  "side",
] as const;

test("a phrase has one meaning, but for those that say that it has none", () => {
  const meanings = new Map<string, string>();
  const clashes: string[] = [];
  for (const kind of PHRASE_KINDS) {
    for (const [name, words] of listClasses(WORD_FILES, kind)) {
      if (name.startsWith("no_")) continue;
      for (const word of words) {
        const folded = foldPhrase(word);
        const other = meanings.get(folded);
        if (other !== undefined && other !== `${kind} ${name}`)
          clashes.push(`"${word}": ${other}, ${kind} ${name}`);
        meanings.set(folded, `${kind} ${name}`);
      }
    }
  }
  assert.deepEqual(clashes, []);
});

describe("letters", () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    araniyor: ["Aranıyor", "ARANIYOR", "araniyor"],
    sifir: ["Sıfır", "SIFIR"],
    weisse: ["weiße", "Weisse"],
    pudelko: ["pudełko"],
    coeur: ["cœur"],
    ноябрь: ["Ноябрь"],
    // Vietnamese words that differ in their marks only are different words.
    thẻ: ["thẻ", "THẺ", "the\u0309"],
    co: ["có"],
    // Arabic: the forms of a letter, and the words for and, with, for, the and its.
    ازرق: ["أزرق", "ازرق", "الأزرق"],
    علب: ["علبة", "العلبة", "والعلبة", "بالعلبة", "علبتها", "عـلـبـة"],
    كرت: ["كرت", "بكرت", "كرتها", "بكرتها", "الكرت"],
    الف: ["ألف", "الف"],
    كالجديد: ["كالجديد"],
  };
  for (const [folded, words] of Object.entries(cases)) {
    test(`${words.join(", ")} fold to one form`, () => {
      for (const word of words) assert.equal(foldLetters(word), folded, word);
    });
  }
});

describe("code", () => {
  const names = new Set(kinds.flatMap((kind) => [kind, ...Object.keys(WORD_FILES[kind])]));
  for (const name of ["brand", "model", "status", "offer", "request", "talk", "part"])
    names.add(name);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !/^(catalogue|weights)/.test(name),
  );

  /** Returns the code without its comments. */
  const readCode = (name: string): string =>
    readFileSync(join(folder, name), "utf8").replace(/^\s*(\/\/|\/?\*).*$/gm, "");
  /** Names of kinds and classes are no words. */
  const isList = (words: readonly string[]): boolean =>
    words.length >= 3 &&
    words.every((word) => /^\p{Lowercase}{2,}$/u.test(word)) &&
    !words.every((word) => names.has(word));

  test("has no regular expression with alternative words", () => {
    for (const name of files) {
      const found = readCode(name).match(
        /\/[^/\n]*[(|^]\p{Letter}{2,}\|\p{Letter}{2,}[)|$][^/\n]*\//gu,
      );
      assert.deepEqual(found ?? [], [], name);
    }
  });

  test("has no list of words", () => {
    for (const name of files) {
      const code = readCode(name);
      const arrays = [...code.matchAll(/\[((?:\s*"[^"]*",?)+)\s*\]/g)].map(([, inside = ""]) =>
        [...inside.matchAll(/"([^"]*)"/g)].map(([, word = ""]) => word),
      );
      const splits = [...code.matchAll(/"([^"]+)"\s*\.split\(/g)].map(([, text = ""]) =>
        text.split(/[ ,|]+/),
      );

      assert.deepEqual([...arrays, ...splits].filter(isList), [], name);
    }
  });
});
