import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { Compile } from "typebox/compile";
import { OperatorError } from "../../src/base/errors.ts";
import { foldWord } from "../../src/base/text.ts";
import { mergeCatalogue, parseCatalogueAddition } from "../../src/extraction/catalogue/addition.ts";
import { BrandSchema } from "../../src/extraction/catalogue/brand.ts";
import { BUILT_IN_BRANDS, buildCatalogue } from "../../src/extraction/catalogue/catalogue.ts";
import { parseShape, ShapeError } from "../../src/extraction/catalogue/shape.ts";
import { extract } from "../../src/extraction/extract.ts";
import { builtInCatalogue, findKnown } from "../support/extraction.ts";

const brandSchema = Compile(BrandSchema);

/** The year in which the built-in prices were noted. */
const NOTED_YEAR = 2026;

describe("the built-in catalogue", () => {
  test("matches its schema", () => {
    for (const brand of BUILT_IN_BRANDS) {
      assert.ok(
        brandSchema.Check(brand),
        `${brand.name}: ${JSON.stringify([...brandSchema.Errors(brand)])}`,
      );
    }
  });

  test("has every brand that dealers trade, by its full name", () => {
    const names = new Set(BUILT_IN_BRANDS.map(({ name }) => name));
    const tradedBrands = [
      "Rolex",
      "Tudor",
      "Patek Philippe",
      "Audemars Piguet",
      "Richard Mille",
      "Cartier",
      "Omega",
      "Vacheron Constantin",
      "A. Lange & Söhne",
      "IWC",
      "Panerai",
      "Breitling",
      "Hublot",
      "Jaeger-LeCoultre",
      "TAG Heuer",
      "Grand Seiko",
      "Zenith",
      "F.P.Journe",
      "H. Moser & Cie.",
      "Breguet",
      "Blancpain",
      "Bulgari",
      "Chopard",
    ];

    assert.deepEqual(
      tradedBrands.filter((name) => !names.has(name)),
      [],
    );
  });

  test("has no brand twice", () => {
    assert.equal(new Set(BUILT_IN_BRANDS.map(({ name }) => name)).size, BUILT_IN_BRANDS.length);
  });

  test("has no spelling that two brands share", () => {
    const owners = new Map<string, string>();
    for (const { name, spellings } of BUILT_IN_BRANDS) {
      for (const spelling of spellings) {
        const owner = owners.get(foldWord(spelling)) ?? name;
        assert.equal(owner, name, spelling);
        owners.set(foldWord(spelling), name);
      }
    }
  });

  test("has launch years for known references only, none of them in the future", () => {
    for (const brand of BUILT_IN_BRANDS) {
      for (const [reference, year] of Object.entries(brand.launched ?? {})) {
        const known = findKnown(builtInCatalogue, brand.name, reference);
        assert.ok(known !== undefined, `${brand.name} ${reference}`);
        assert.ok(year <= NOTED_YEAR, `${brand.name} ${reference} ${year}`);
      }
    }
  });

  test("has usual prices for known references only, each within plausible bounds", () => {
    for (const brand of BUILT_IN_BRANDS) {
      for (const { notedYear, eur } of brand.usual ?? []) {
        assert.equal(notedYear, NOTED_YEAR);
        for (const [reference, euros] of Object.entries(eur)) {
          const known = findKnown(builtInCatalogue, brand.name, reference);
          assert.equal(known?.usualEur, euros, `${brand.name} ${reference}`);
          assert.ok(euros >= 300 && euros <= 10_000_000, `${brand.name} ${reference} ${euros}`);
        }
      }
    }
  });

  test("has a usual price for what dealers trade most", () => {
    const count = (name: string) =>
      BUILT_IN_BRANDS.filter((brand) => name === "" || brand.name === name)
        .flatMap((brand) => brand.usual ?? [])
        .reduce((sum, { eur }) => sum + Object.keys(eur).length, 0);

    assert.ok(count("") >= 400, `${count("")} in all`);
    for (const name of ["Rolex", "Patek Philippe", "Audemars Piguet"]) {
      assert.ok(count(name) >= 100, `${count(name)} of ${name}`);
    }
  });

  test("has a shape for every known reference", () => {
    for (const brand of BUILT_IN_BRANDS) {
      const shapes = brand.shapes.map(({ pattern }) => parseShape(pattern));
      const references = brand.models.flatMap((model) =>
        (model.references ?? "").split(" ").filter((word) => word !== ""),
      );
      // A base number is the start of longer references. A reference with letters or symbols is complete.
      const complete = references.filter((reference) => /\D/.test(reference) && shapes.length > 0);
      const withoutShape = complete.filter(
        (reference) => !shapes.some((shape) => shape.whole.test(reference)),
      );
      assert.deepEqual(withoutShape, [], brand.name);
    }
  });

  test("tries a shape only at numbers with as many digits and the same first digits", () => {
    const shapes = ["(79|80)###", "#####"].map((pattern) => ({ pattern, trust: "shape" as const }));
    const { shapesByDigits } = buildCatalogue([
      { name: "Zyrtal", spellings: [], shapes, models: [] },
    ]);
    const tried = (written: string) =>
      shapesByDigits[written.length]?.[Number(written.slice(0, 2))]?.map(
        ({ shape }) => shape.pattern,
      );

    assert.deepEqual(tried("79123"), ["(79|80)###", "#####"]);
    assert.deepEqual(tried("78123"), ["#####"]);
    assert.deepEqual(tried("7912"), []);
  });
});

describe("the notation of shapes", () => {
  const cases: readonly [pattern: string, match: string, other: string][] = [
    ["####/#@", "5711/1A", "5711/A1"],
    ["###[#]", "123", "12345"],
    ["(14|15)###", "15400", "16400"],
    ["RM_##-##", "RM 11-03", "RM/11-03"],
    ["##~##", "11.03", "11--03"],
    ["?{2,3}", "A1B", "A1B2"],
  ];
  for (const [pattern, match, other] of cases) {
    test(`${pattern} matches ${match} and not ${other}`, () => {
      const { whole } = parseShape(pattern);

      assert.ok(whole.test(match));
      assert.ok(!whole.test(other));
    });
  }

  for (const pattern of [
    "",
    "(14",
    "14]",
    "a|b",
    "#{1,99}",
    "#{3,2}",
    "{1,2}",
    ".*+",
    "#".repeat(500),
  ]) {
    test(`"${pattern.slice(0, 10)}" is rejected`, () =>
      assert.throws(() => parseShape(pattern), ShapeError));
  }
});

describe("a dealer's own file", () => {
  test("adds a brand", () => {
    const catalogue = mergeCatalogue(
      builtInCatalogue,
      parseCatalogueAddition({
        brands: [
          {
            name: "Zyrtal",
            shapes: [{ pattern: "##.##", trust: "context" }],
            models: [{ name: "Moonphase", references: "37.05" }],
          },
        ],
      }),
    );

    const [listing] = extract({ text: "Zyrtal 37.05 2023 €4.200" }, catalogue).listings;

    assert.equal(listing?.brand, "Zyrtal");
    assert.equal(listing?.model, "Moonphase");
  });

  test("adds to a built-in brand", () => {
    const catalogue = mergeCatalogue(
      builtInCatalogue,
      parseCatalogueAddition({
        brands: [
          { name: "rolex", nicknames: { "the boss": { name: "The Boss", model: "Daytona" } } },
        ],
      }),
    );

    const [listing] = extract({ text: "the boss 126508 €60k" }, catalogue).listings;

    assert.equal(listing?.brand, "Rolex");
    assert.equal(listing?.variant, "The Boss");
  });

  test("the example in the documentation is accepted", () => {
    const page = readFileSync("docs/extraction.md", "utf8");
    const example = /## The catalogue[^#]*?```json\n(.*?)```/s.exec(page)?.[1] ?? "";

    const catalogue = mergeCatalogue(builtInCatalogue, parseCatalogueAddition(JSON.parse(example)));

    assert.equal(findKnown(catalogue, "Ming", "37.05")?.usualEur, 4200);
    assert.equal(findKnown(catalogue, "Rolex", "124060")?.usualNotedYear, 2027);
  });

  test("does not change the catalogue that it is added to", () => {
    mergeCatalogue(builtInCatalogue, parseCatalogueAddition({ brands: [{ name: "Zyrtal" }] }));

    assert.ok(builtInCatalogue.brands.every(({ name }) => name !== "Zyrtal"));
  });

  test("is rejected with a list of all problems", () => {
    const json = {
      brands: [
        { name: "", shapes: [{ pattern: "(1", trust: "shape" }] },
        { name: "Zyrtal", colour: "blue" },
      ],
      extra: 1,
    };

    assert.throws(
      () => parseCatalogueAddition(json),
      (error: unknown) => {
        assert.ok(error instanceof OperatorError);
        for (const place of ["/brands/0/name", "/brands/0/shapes/0/pattern", "colour", "extra"]) {
          assert.ok(error.message.includes(place), `${place} in ${error.message}`);
        }
        return true;
      },
    );
  });

  for (const json of [null, 1, "x", [], {}, { brands: {} }, { brands: [null] }]) {
    test(`${JSON.stringify(json)} is rejected`, () =>
      assert.throws(() => parseCatalogueAddition(json), OperatorError));
  }
});
