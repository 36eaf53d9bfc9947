import Type from "typebox";
import { Compile } from "typebox/compile";
import { OperatorError } from "../../base/errors.ts";
import { type AddedWords, AddedWordsSchema, findWordProblems, mergeWords } from "./added-words.ts";
import { type BrandAddition, type BrandData, BrandSchema, mergeBrands } from "./brand.ts";
import { buildCatalogue, type Catalogue } from "./catalogue.ts";
import { listUnlistedReferences } from "./known-references.ts";
import { parseShape, ShapeError } from "./shape.ts";

/** A dealer's own file: brands and words in the form of the built-in ones. Of a brand only the name is required. */
const AdditionSchema = Type.Object(
  {
    brands: Type.Optional(
      Type.Array(
        Type.Intersect(
          [Type.Pick(BrandSchema, ["name"]), Type.Partial(Type.Omit(BrandSchema, ["name"]))],
          { unevaluatedProperties: false },
        ),
        { maxItems: 500 },
      ),
    ),
    words: Type.Optional(AddedWordsSchema),
  },
  { additionalProperties: false, minProperties: 1 },
);

const addition = Compile(AdditionSchema);

interface CatalogueAddition {
  readonly brands?: readonly BrandAddition[];
  readonly words?: AddedWords;
}

/** Throws an error that lists every problem of the file, so that the dealer can fix all of them at once. */
export function parseCatalogueAddition(json: unknown): CatalogueAddition {
  const problems = [...schemaProblems(json), ...findShapeProblems(json)];
  if (problems.length === 0) problems.push(...findWordProblems((json as CatalogueAddition).words));
  if (problems.length > 0) {
    const list = problems.slice(0, PROBLEMS_MAX).join("\n  ");
    throw new OperatorError(`the catalogue file has ${problems.length} problem(s):\n  ${list}`);
  }
  return json as CatalogueAddition;
}

/** The message lists this many problems. Its first line has the total. */
const PROBLEMS_MAX = 50;

function schemaProblems(json: unknown): string[] {
  if (addition.Check(json)) return [];
  return addition.Errors(json).map(({ instancePath, message, params }) => {
    const names = Object.values(params)
      .flat()
      .filter((name) => typeof name === "string");
    return `${instancePath === "" ? "/" : instancePath} ${message} ${names.join(", ")}`.trimEnd();
  });
}

/** The schema cannot check the notation of shapes, so this does. Values of the wrong type are skipped. */
function findShapeProblems(json: unknown): string[] {
  return [...members(json, "brands")].flatMap(([brandIndex, brand]) =>
    [...members(brand, "shapes")].flatMap(([index, shape]) => {
      const pattern = (shape as { pattern?: unknown } | null)?.pattern;
      const problem = typeof pattern === "string" ? findShapeProblem(pattern) : undefined;
      return problem === undefined
        ? []
        : [`/brands/${brandIndex}/shapes/${index}/pattern ${problem}`];
    }),
  );
}

function members(json: unknown, name: string): IterableIterator<[number, unknown]> {
  const list = (json as Record<string, unknown> | null)?.[name];
  return (Array.isArray(list) ? list : []).entries();
}

function findShapeProblem(pattern: string): string | undefined {
  try {
    parseShape(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof ShapeError) return error.message;
    throw error;
  }
}

/** Returns a new catalogue with the brands and words of the file. */
export function mergeCatalogue(base: Catalogue, added: CatalogueAddition): Catalogue {
  const brands = mergeBrands(base.brands, added.brands ?? []);
  rejectUnlistedReferences(brands);
  return buildCatalogue(brands, mergeWords(base.words, added.words ?? {}));
}

/** A price or nickname that no listing can ever have is a typing error in the file, so it is reported. */
function rejectUnlistedReferences(brands: readonly BrandData[]): void {
  const problems = brands.flatMap((brand) =>
    listUnlistedReferences(brand).map((reference) => `${brand.name} ${reference}`),
  );
  if (problems.length === 0) return;
  const list = problems.slice(0, PROBLEMS_MAX).join("\n  ");
  throw new OperatorError(
    `the catalogue file has ${problems.length} usual price(s) or nickname(s) of references that no model lists:\n  ${list}`,
  );
}
