import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { foldWord } from "../../src/base/text.ts";
import { houses } from "../../src/extraction/catalogue/brands/houses.ts";
import { BUILT_IN_BRANDS, brandPhrases } from "../../src/extraction/catalogue/catalogue.ts";
import { wordPhrases } from "../../src/extraction/words/phrases.ts";
import { WORD_FILES } from "../../src/extraction/words/words.ts";
import { readWatch } from "../support/extraction.ts";

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

  for (const [text, brand] of [
    ["Bremont GMT 2020 full set 2.100€", "Bremont"],
    ["Oris Aquis 2022 full set 1.100€", "Oris"],
    ["Czapek Antarctique 2023 full set 19.500€", "Czapek"],
    ["Nomos Club Campus 2024 full set 1.050€", "Nomos"],
    ["Glashutte Original Senator Excellence, very good, naked 5.100", "Glashütte Original"],
    ["Seiko Prospex 2021 full set 700€", "Seiko"],
    ["Grand Seiko SBGA211 2021 full set 4.200€", "Grand Seiko"],
    ["Urban Juergensen ref 1140 2015 full set 14.000€", "Urban Jürgensen"],
  ] as const) {
    test(`${text} is a ${brand}`, () => assert.equal(readWatch(text).brand, brand));
  }

  test("an ordinary word that is also the name of a house names no house", () => {
    const text = "126334 2022 11.000€, macht Sinn, ball is in your court, citizen of Dubai";

    assert.equal(readWatch(text).brand, "Rolex");
  });
});

describe("misspelled names of brands", () => {
  for (const [text, brand] of [
    ["Hubolt Classic Fusion 2021 full set 5.200€", "Hublot"],
    ["Jeager LeCoultre Reverso 2020 full set 6.100€", "Jaeger-LeCoultre"],
    ["Audermars Piguet 15500 2020 full set 31.000€", "Audemars Piguet"],
    ["Pannerai Luminor Marina 2021 full set 4.400€", "Panerai"],
  ] as const) {
    test(`${text} is a ${brand}`, () => assert.equal(readWatch(text).brand, brand));
  }
});
