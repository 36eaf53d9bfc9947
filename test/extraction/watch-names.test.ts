import assert from "node:assert/strict";
import { test } from "node:test";
import { brandPhrases, findKnownReference } from "../../src/extraction/catalogue/catalogue.ts";
import {
  findWatchNames,
  listWatchNames,
  modelsNamed,
  referencesCalled,
} from "../../src/extraction/catalogue/watch-names.ts";
import { builtInCatalogue } from "../support/extraction.ts";

test("a model is found with the models of the brand whose names begin with the typed words", () => {
  const named = (words: string, model: string, brand = "Rolex") =>
    modelsNamed(builtInCatalogue, { brand, model, words });

  assert.deepEqual(named("submariner", "Submariner"), ["Submariner", "Submariner Date"]);
  assert.deepEqual(named("sub no date", "Submariner"), ["Submariner"]);
  assert.deepEqual(named("gmt", "GMT-Master II"), ["GMT-Master II", "GMT-Master"]);
  assert.deepEqual(named("水鬼", "Submariner"), ["Submariner", "Submariner Date"]);
});

test("a nickname is its references, in any spelling and script", () => {
  const called = (words: string, nickname?: string) =>
    referencesCalled(builtInCatalogue, { brand: "Rolex", words, nickname });

  assert.deepEqual(called("bat man", "Batman"), ["126710BLNR", "116710BLNR"]);
  assert.deepEqual(called("蝙蝠侠"), ["126710BLNR", "116710BLNR"]);
  assert.deepEqual(called("BLNR"), ["126710BLNR", "116710BLNR"]);
  assert.deepEqual(called("submariner"), []);
});

test("every reference that has a name is known, and every such word is a phrase of its brand", () => {
  const unknown = listWatchNames(builtInCatalogue).flatMap(({ brand, references }) =>
    references.filter(
      (reference) => findKnownReference(builtInCatalogue, reference, brand) === undefined,
    ),
  );
  const unread = builtInCatalogue.brands.flatMap((brand) => {
    const words = new Set(brandPhrases(brand).map((phrase) => phrase.words));
    return Object.keys(brand.called ?? {})
      .flatMap((names) => names.split(",").map((name) => name.trim()))
      .filter((name) => !words.has(name));
  });

  assert.deepEqual(unknown, []);
  assert.deepEqual(unread, []);
});

test("names are found by the starts of their words and of the brand's, nicknames first", () => {
  const found = (...words: string[]) =>
    findWatchNames(builtInCatalogue, words).map(({ kind, name }) => `${kind} ${name}`);

  assert.deepEqual(found("batm"), ["nickname Batman"]);
  assert.deepEqual(found("patek", "naut"), ["model Nautilus"]);
  assert.ok(found("patek").includes("brand Patek Philippe"));
  assert.ok(!found("patek").includes("model Nautilus"));
  assert.deepEqual(found(), []);
});
