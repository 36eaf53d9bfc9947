import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { OperatorError } from "../../src/base/errors.ts";
import { mergeCatalogue, parseCatalogueAddition } from "../../src/extraction/catalogue/addition.ts";
import { extract } from "../../src/extraction/extract.ts";
import { listWords } from "../../src/extraction/words/words.ts";
import { catalogueSha256 } from "../../src/listings/dealer-catalogue.ts";
import { builtInCatalogue } from "../support/extraction.ts";

function withWords(words: object) {
  return mergeCatalogue(builtInCatalogue, parseCatalogueAddition({ words }));
}

function readWith(words: object, text: string) {
  const { listings } = extract({ text, defaultCurrency: "EUR" }, withWords(words));
  assert.equal(listings.length, 1, text);
  return listings[0];
}

describe("words of a company", () => {
  test("add a language", () => {
    const words = {
      condition: { used: { fi: ["käytetty, huollettu"] } },
      set: { full_set: { fi: ["laatikko ja paperit"] } },
      dial: { blue: { fi: ["sininen"] } },
    };

    const listing = readWith(words, "126334 Sininen KÄYTETTY, laatikko ja paperit, 9.400€");

    assert.equal(listing?.condition, "USED");
    assert.deepEqual(listing?.fullSetStatus, ["FULL_SET"]);
    assert.equal(listing?.dialType, "blue");
  });

  test("add a value where a class is one: a dial, its nickname, a currency", () => {
    const words = {
      dial: { peacock: { en: ["peacock"] }, "green: Toad": { en: ["toad"] } },
      currency: { BHD: { en: ["bhd, dinar"] } },
    };

    const peacock = readWith(words, "126334 peacock 2022 4.100 dinar");
    const toad = readWith(words, "126334 toad 2022 9.100€");

    assert.equal(peacock?.dialType, "peacock");
    assert.deepEqual(peacock?.price, { amountMinor: 410_000, currency: "BHD" });
    assert.equal(toad?.dialType, "green");
    assert.equal(toad?.variant, "Toad");
  });

  test("add to the single words that a rule looks for, also with accents", () => {
    const catalogue = withWords({ money: { price: { pt: ["preço"] } } });

    const { classes } = catalogue.lexicon.spelling.facts.get("preco") ?? {};

    assert.ok(classes?.includes("price"));
  });

  test("move a word out of another class of its kind, however it is written there", () => {
    const words = { condition: { used: { en: ["Like New"] } } };
    const { like_new: likeNew, used } = withWords(words).words.condition;

    assert.equal(readWith(words, "126334 like-new 2022 9.400€")?.condition, "USED");
    assert.ok(listWords(used ?? {}).includes("like new"));
    assert.ok(!listWords(likeNew ?? {}).includes("like new"));
    assert.ok(listWords(likeNew ?? {}).includes("as new"));
  });

  test("leave the built-in words as they are, and make another catalogue", () => {
    const before = JSON.stringify(builtInCatalogue.words);
    const own = withWords({ condition: { used: { fi: ["käytetty"] } } });

    assert.equal(JSON.stringify(builtInCatalogue.words), before);
    assert.notEqual(catalogueSha256(own), catalogueSha256(builtInCatalogue));
    assert.equal(catalogueSha256(withWords({})), catalogueSha256(builtInCatalogue));
  });
});

describe("words of a company are rejected", () => {
  const cases: readonly [why: string, words: unknown, message: RegExp][] = [
    [
      "of an unknown kind",
      { smell: {} },
      /\/words\/smell is not a kind; the kinds are amount, bracelet, /,
    ],
    [
      "of an unknown class",
      { condition: { worn: { en: ["worn"] } }, side: { constructor: {} } },
      /2 problem.*\/words\/condition\/worn is not a class; the classes are new, like_new, .*side\/constructor/s,
    ],
    ["of a currency without a code", { place: { France: { en: ["paris"] } } }, /currency code/],
    [
      "in two classes of a kind",
      { condition: { new: { en: ["crisp"] }, used: { de: ["Crisp"] } } },
      /\/words\/condition: "Crisp" is in new and in used/,
    ],
    ["of no language", { dial: { blue: { Finnish: ["sininen"] } } }, /\/words\/dial\/blue/],
    ["without lists", { dial: { blue: { fi: "sininen" } } }, /\/words\/dial\/blue\/fi/],
    ["that are too long", { dial: { blue: { fi: ["s".repeat(81)] } } }, /more than 80 characters/],
    [
      "that are too many",
      { dial: { blue: { fi: Array.from({ length: 10_001 }, (_, at) => `s${at}`) } } },
      /10001 words; the most are 10000/,
    ],
    [
      "with too many bytes",
      {
        dial: { blue: { fi: Array.from({ length: 4_000 }, (_, at) => `${"漢".repeat(30)}${at}`) } },
      },
      /bytes of words/,
    ],
  ];
  for (const [why, words, message] of cases) {
    test(why, () =>
      assert.throws(
        () => parseCatalogueAddition({ words }),
        (error: unknown) => error instanceof OperatorError && message.test(error.message),
      ),
    );
  }
});
