import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { foldWord } from "../../src/base/text.ts";
import { otherScripts } from "../../src/extraction/catalogue/brands/other-scripts.ts";
import { BUILT_IN_BRANDS } from "../../src/extraction/catalogue/catalogue.ts";
import { builtInCatalogue, findKnown } from "../support/extraction.ts";

describe("names in other scripts", () => {
  test("are those of brands and models that the catalogue has", () => {
    const names = new Map(
      BUILT_IN_BRANDS.map(({ name, models }) => [name, models.map((model) => model.name)]),
    );
    for (const { name, models } of otherScripts) {
      const known = names.get(name) ?? [];
      assert.ok(names.has(name), name);
      // One entry of the script itself, and one of the brand.
      for (const model of models)
        assert.ok(
          known.filter((other) => other === model.name).length > 1,
          `${name} ${model.name}`,
        );
    }
  });

  test("belong to one brand each", () => {
    const owners = new Map<string, string>();
    for (const { name, spellings, models } of otherScripts) {
      for (const word of [...spellings, ...models.flatMap(({ words }) => words ?? [])]) {
        const owner = owners.get(foldWord(word)) ?? name;
        assert.equal(owner, name, word);
        owners.set(foldWord(word), name);
      }
    }
  });
});

test("a reference with one more digit is another one and not a longer form with a price", () => {
  assert.ok(findKnown(builtInCatalogue, "Rolex", "68273")?.usualEur !== undefined);
  assert.equal(findKnown(builtInCatalogue, "Rolex", "6827")?.usualEur, undefined);
});
