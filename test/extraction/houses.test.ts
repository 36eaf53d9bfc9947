import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { foldWord } from "../../src/base/text.ts";
import { houses } from "../../src/extraction/catalogue/brands/houses.ts";
import { BUILT_IN_BRANDS, brandPhrases } from "../../src/extraction/catalogue/catalogue.ts";
import { wordPhrases } from "../../src/extraction/words/phrases.ts";
import { WORD_FILES } from "../../src/extraction/words/words.ts";

/** Words of English, German, French, Dutch, Italian and Spanish that are also names of houses, or parts of them. */
const ORDINARY_WORDS = `
  alpina anonimo angelus auto autobahn azimuth ball baltic beat brew brown bruno cabestan cape captain carl charles
  charlie christopher citizen club combat company concord cook cup cyrus daniel david design detroit divers eco elgin
  engineer escape essence eterna fears field fireman force fossil franc garrick george glycine gorilla graham grande
  gravity green gruen guess hamilton harry heure horizon infinity insight jean joker junior lang lip logical mad
  marathon marco marin marine martin masterpiece max meister metro michel ming minerva mirage mondaine monta moon museum
  nodus nuit officer opus orient orion paris passage paul perception peter pierre place premiere project promenade
  reservoir richard roamer roger rotor royale sector simon simplicity singer sinn smith smiths snow son space sports
  star studio swatch thomas track triumph turbine union universal urban vertex victor vila ward weiss winch wolf yema
  zeppelin zodiac
`;

describe("houses that dealers trade rarely", () => {
  test("have no words that mean something else too", () => {
    const meanings = new Map<string, Set<string>>();
    const add = (words: string, meaning: string) => {
      const known = meanings.get(foldWord(words)) ?? new Set();
      meanings.set(foldWord(words), known.add(meaning));
    };
    for (const { words, meaning } of wordPhrases(WORD_FILES)) add(words, meaning.kind);
    for (const brand of BUILT_IN_BRANDS) {
      for (const { words } of brandPhrases(brand)) add(words, brand.name);
    }

    for (const house of houses) {
      for (const { words } of brandPhrases(house)) {
        assert.deepEqual([...(meanings.get(foldWord(words)) ?? [])], [house.name], words);
      }
    }
  });

  test("have no spelling that is an ordinary word", () => {
    const spellings = new Set(houses.flatMap((house) => house.spellings));
    const found = ORDINARY_WORDS.split(/\s+/).filter((word) => spellings.has(word));

    assert.ok(houses.length >= 200, `${houses.length} houses`);
    assert.deepEqual(found, []);
  });
});
