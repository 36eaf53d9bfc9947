import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { mergeCatalogue, parseCatalogueAddition } from "../../src/extraction/catalogue/addition.ts";
import { BUILT_IN_BRANDS, findKnownReference } from "../../src/extraction/catalogue/catalogue.ts";
import { catalogueSha256 } from "../../src/listings/dealer-catalogue.ts";
import { builtInCatalogue, findKnown } from "../support/extraction.ts";

describe("what is known about a reference", () => {
  const add = (brand: object) =>
    mergeCatalogue(builtInCatalogue, parseCatalogueAddition({ brands: [brand] }));

  test("a longer form has the launch year and the usual price of its base, unless it has its own", () => {
    const catalogue = add({
      name: "Zyrtal",
      models: [{ name: "Diver", references: "37.05 37.05X 38.01" }],
      launched: { "37.05": 2021 },
      usual: [{ notedYear: 2025, eur: { "37.05": 4000, "37.05R": 9000 } }],
    });

    const facts = (reference: string) => {
      const known = findKnown(catalogue, "Zyrtal", reference);
      return [known?.model, known?.launchedYear, known?.usualEur, known?.usualNotedYear];
    };

    assert.deepEqual(facts("37.05"), ["Diver", 2021, 4000, 2025]);
    assert.deepEqual(facts("37.05X"), ["Diver", 2021, 4000, 2025]);
    assert.deepEqual(facts("37.05R"), ["Diver", 2021, 9000, 2025]);
    assert.deepEqual(facts("38.01"), ["Diver", undefined, undefined, undefined]);
  });

  test("the metal decides about the usual price of a Patek Philippe", () => {
    const steel = findKnown(builtInCatalogue, "Patek Philippe", "5167A")?.usualEur ?? 0;
    const rose = findKnown(builtInCatalogue, "Patek Philippe", "5167R")?.usualEur ?? 0;

    assert.ok(steel > 0 && rose > steel);
  });

  test("a base number has the lowest usual price of its longer forms, unless they differ a lot", () => {
    const catalogue = add({
      name: "Zyrtal",
      models: [{ name: "Diver", references: "3705 3705A 3705R 3801 3801A 3801P" }],
      usual: [
        { notedYear: 2025, eur: { "3705A": 4000, "3705R": 9000, "3801A": 4000, "3801P": 11_000 } },
      ],
    });

    assert.equal(findKnown(catalogue, "Zyrtal", "3705")?.usualEur, 4000);
    assert.equal(findKnown(catalogue, "Zyrtal", "3801")?.usualEur, undefined);
  });

  for (const [brand, plain, prefixed] of [
    ["Rolex", "126610LN", "M126610LN"],
    ["Tudor", "79030N", "M79030N"],
    ["Richard Mille", "11-03", "RM11-03"],
    ["Richard Mille", "055", "RM055"],
    ["Panerai", "PAM01312", "PAM1312"],
    ["Panerai", "PAM00111", "PAM111"],
    ["Jaeger-LeCoultre", "3978480", "Q3978480"],
  ] as const) {
    test(`${brand} ${prefixed} is ${plain}`, () => {
      const known = findKnown(builtInCatalogue, brand, plain);

      assert.ok(known?.usualEur !== undefined);
      assert.deepEqual(findKnown(builtInCatalogue, brand, prefixed), known);
    });
  }

  test("17-01 is a Richard Mille only with its prefix, because it could be a date", () => {
    assert.ok(findKnown(builtInCatalogue, "Richard Mille", "RM17-01")?.usualEur !== undefined);
    assert.equal(findKnown(builtInCatalogue, "Richard Mille", "17-01"), undefined);
  });

  test("a dealer's own usual price replaces the built-in one and keeps its year", () => {
    const catalogue = add({
      name: "Rolex",
      usual: [{ notedYear: 2027, eur: { M126610LN: 12345, "126610LN-0001": 12999 } }],
    });

    const own = findKnown(catalogue, "Rolex", "126610LN");
    const other = findKnown(catalogue, "Rolex", "124060");

    assert.deepEqual([own?.usualEur, own?.usualNotedYear], [12345, 2027]);
    assert.equal(findKnown(catalogue, "Rolex", "126610LN-0001")?.usualEur, 12999);
    assert.equal(other?.usualNotedYear, 2026);
  });

  test("a usual price or a nickname of a reference that no model lists is rejected", () => {
    const priced = { name: "Zyrtal", usual: [{ notedYear: 2026, eur: { "37.05": 4000 } }] };
    const called = { name: "Zyrtal", nicknames: { frog: { name: "Frog", references: "37.05" } } };

    assert.throws(() => add(priced), { name: "OperatorError", message: /Zyrtal 37\.05/ });
    assert.throws(() => add(called), { name: "OperatorError", message: /Zyrtal 37\.05/ });
  });

  test("a reference has the nicknames that all its watches have, also in its longer forms", () => {
    const nicknames = (reference: string) =>
      findKnownReference(builtInCatalogue, reference, "Rolex")?.nicknames;

    assert.deepEqual(nicknames("116610LV"), ["Hulk"]);
    assert.deepEqual(nicknames("126710BLNR"), ["Batman", "Batgirl"]);
    assert.deepEqual(nicknames("M126710BLNR-0002"), ["Batman", "Batgirl"]);
    // The bezel decides, and its colours are not part of the number.
    assert.equal(nicknames("16710"), undefined);
    assert.equal(nicknames("126610LN"), undefined);
  });

  test("every nicknamed reference of the built-in data is known by its nickname", () => {
    for (const { name: brand, nicknames = {} } of BUILT_IN_BRANDS)
      for (const { name, references = "" } of Object.values(nicknames))
        for (const reference of references.split(" ").filter(Boolean))
          assert.ok(
            findKnown(builtInCatalogue, brand, reference)?.nicknames?.includes(name),
            `${brand} ${reference} ${name}`,
          );
  });

  test("a changed usual price makes another catalogue, so messages are read again", () => {
    const withPrice = (euros: number) =>
      catalogueSha256(
        add({ name: "Rolex", usual: [{ notedYear: 2026, eur: { "124060": euros } }] }),
      );

    assert.equal(withPrice(10_000), withPrice(10_000));
    assert.notEqual(withPrice(10_000), withPrice(10_001));
  });
});
