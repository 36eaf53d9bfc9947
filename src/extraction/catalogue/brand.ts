import Type, { type Static } from "typebox";
import { foldWord } from "../../base/text.ts";

/** One brand: how dealers write it, what its references look like, and its models with their known references. */
export const BrandSchema = Type.Object(
  {
    /** The full brand name, as the API shows it. */
    name: Type.String({ minLength: 1, maxLength: 80 }),
    spellings: Type.Array(Type.String({ minLength: 1, maxLength: 80 }), { maxItems: 100 }),
    /** Spellings that are also ordinary words: they count only in a text that says that it is about a watch. */
    ordinary: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 80 }), { maxItems: 100 }),
    ),
    shapes: Type.Array(
      Type.Object(
        {
          pattern: Type.String({ minLength: 1, maxLength: 400 }),
          /** `shape`: nothing else looks like this. `context`: counts only if known, or next to the brand's name. */
          trust: Type.Union([Type.Literal("shape"), Type.Literal("context")]),
        },
        { additionalProperties: false },
      ),
      { maxItems: 100 },
    ),
    models: Type.Array(
      Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: 80 }),
          /** What dealers call the model. Each of these words implies the brand. */
          words: Type.Optional(
            Type.Array(Type.String({ minLength: 1, maxLength: 80 }), { maxItems: 100 }),
          ),
          /** Known references, separated by spaces. */
          references: Type.Optional(Type.String({ maxLength: 20_000 })),
        },
        { additionalProperties: false },
      ),
      { maxItems: 500 },
    ),
    /** Upper-case letters that may stand before a reference without changing it: M126610LN is 126610LN. */
    prefix: Type.Optional(Type.String({ pattern: "^[A-Z]{1,4}$" })),
    /**
     * By the name of a collection: how its references begin, separated by spaces. A reference that no list has gets the model of
     * the longest beginning.
     */
    families: Type.Optional(
      Type.Record(
        Type.String({ minLength: 1, maxLength: 80 }),
        Type.String({ minLength: 1, maxLength: 4_000 }),
      ),
    ),
    /** By the words that dealers write. A nickname becomes the variant of the listing. It implies no reference. */
    nicknames: Type.Optional(
      Type.Record(
        Type.String({ minLength: 1, maxLength: 80 }),
        Type.Object(
          {
            name: Type.String({ minLength: 1, maxLength: 80 }),
            model: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
            /** The dial's colour, if the nickname is that of a dial. */
            dial: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
            /** Known references that are always called so, whatever their dial, separated by spaces. */
            references: Type.Optional(Type.String({ maxLength: 2_000 })),
          },
          { additionalProperties: false },
        ),
      ),
    ),
    /**
     * References by what dealers call them, if that is the name of a model to the extraction: a Chinese word for the green
     * Submariner. Words and references are separated as elsewhere. Only searches read it.
     */
    called: Type.Optional(
      Type.Record(
        Type.String({ minLength: 1, maxLength: 200 }),
        Type.String({ minLength: 1, maxLength: 400 }),
      ),
    ),
    /** Letters that dealers append to a reference for its dial: `G` in 126334G is a diamond dial. */
    dialCodes: Type.Optional(
      Type.Record(
        Type.String({ minLength: 1, maxLength: 8 }),
        Type.String({ minLength: 1, maxLength: 80 }),
      ),
    ),
    /**
     * Year in which a reference was first sold. A card with an earlier date is a reading error. The year of a base number
     * counts for its longer forms too.
     */
    launched: Type.Optional(
      Type.Record(
        Type.String({ minLength: 1, maxLength: 40 }),
        Type.Integer({ minimum: 1900, maximum: 2100 }),
      ),
    ),
    /**
     * What dealers usually ask for a reference, in whole euros, and the year in which this was noted. Rough: it tells a
     * plausible ask from an absurd one. One entry for each year; a later entry replaces an earlier one.
     */
    usual: Type.Optional(
      Type.Array(
        Type.Object(
          {
            notedYear: Type.Integer({ minimum: 2000, maximum: 2100 }),
            eur: Type.Record(
              Type.String({ minLength: 1, maxLength: 40 }),
              Type.Integer({ minimum: 1, maximum: 100_000_000 }),
            ),
          },
          { additionalProperties: false },
        ),
        { maxItems: 50 },
      ),
    ),
  },
  { additionalProperties: false },
);

export type BrandData = Static<typeof BrandSchema>;

/** The year in which the built-in prices were noted. */
const NOTED_YEAR = 2026;

/** Reads "reference euros" pairs, separated by commas or line ends. The references have no spaces. */
export function usualPrices(text: string): NonNullable<BrandData["usual"]> {
  const eur = Object.fromEntries(
    splitList(text).map(([reference, euros]) => [reference, Number(euros)]),
  );
  return [{ notedYear: NOTED_YEAR, eur }];
}

/** Reads "year reference reference…" groups, separated by commas or line ends. */
export function launchYears(text: string): NonNullable<BrandData["launched"]> {
  return Object.fromEntries(
    splitList(text).flatMap(([year, ...references]) =>
      references.map((reference) => [reference, Number(year)]),
    ),
  );
}

function splitList(text: string): string[][] {
  return text
    .split(/[,\n]/)
    .map((entry) => entry.trim().split(/ +/))
    .filter(([first]) => first !== "");
}

/**
 * Reads brands in a short notation, one a line: `name: spellings; model = words; shape = pattern`. The name is the spelling
 * if there is no other. A shape counts only next to the name of the brand (`context`); an `own shape` is unlike anything else.
 */
export function parseBrandLines(text: string): BrandData[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map(parseBrandLine);
}

function parseBrandLine(line: string): BrandData {
  const [head = "", ...rest] = line.split(";");
  const [name = "", spellings = name.toLowerCase()] = head.split(":");
  const parts = rest.map((part) => {
    const [kind = "", value = ""] = part.split("=").map((side) => side.trim());
    return { kind, value };
  });
  return {
    name: name.trim(),
    spellings: splitNames(spellings),
    shapes: parts
      .filter(({ kind }) => kind.endsWith("shape"))
      .map(({ kind, value }) => ({
        pattern: value,
        trust: kind === "own shape" ? "shape" : "context",
      })),
    models: parts
      .filter(({ kind }) => !kind.endsWith("shape"))
      .map(({ kind, value }) => ({ name: kind, words: splitNames(value) })),
  };
}

function splitNames(text: string): string[] {
  return text.split(",").map((name) => name.trim());
}

/** What can be added to a brand: anything, but only the name is required. */
export type BrandAddition = Partial<BrandData> & Pick<BrandData, "name">;

/** Adds to the brand with the same name, or appends a new brand behind the others. Returns a new list. */
export function mergeBrands(
  base: readonly BrandData[],
  added: readonly BrandAddition[],
): BrandData[] {
  const brands = new Map(base.map((brand) => [foldWord(brand.name), brand]));
  for (const brand of added) {
    const key = foldWord(brand.name);
    const known = brands.get(key);
    const prefix = brand.prefix ?? known?.prefix;
    brands.set(key, {
      name: known?.name ?? brand.name,
      spellings: [...(known?.spellings ?? namesOf(brand)), ...(brand.spellings ?? [])],
      ordinary: [...(known?.ordinary ?? []), ...(brand.ordinary ?? [])],
      shapes: [...(known?.shapes ?? []), ...(brand.shapes ?? [])],
      models: [...(known?.models ?? []), ...(brand.models ?? [])],
      ...(prefix === undefined ? {} : { prefix }),
      families: { ...known?.families, ...brand.families },
      nicknames: { ...known?.nicknames, ...brand.nicknames },
      called: { ...known?.called, ...brand.called },
      dialCodes: { ...known?.dialCodes, ...brand.dialCodes },
      launched: { ...known?.launched, ...brand.launched },
      usual: [...(known?.usual ?? []), ...(brand.usual ?? [])],
    });
  }
  return [...brands.values()];
}

/** A name that is an ordinary word is no spelling by itself. */
function namesOf({ name, ordinary }: BrandAddition): readonly string[] {
  return ordinary === undefined ? [name] : [];
}
