import { normalizeReference } from "../../../base/text.ts";
import { buildLexicon, type Lexicon } from "../lexicon.ts";
import { langeSoehne } from "./a-lange-soehne.ts";
import { audemarsPiguet } from "./audemars-piguet.ts";
import type { BrandData } from "./brand.ts";
import {
  breitling,
  chopard,
  fpJourne,
  girardPerregaux,
  grandSeiko,
  hMoser,
  parmigiani,
  richardMille,
  ulysseNardin,
} from "./independents.ts";
import { bvlgari, hublot, tagHeuer, zenith } from "./lvmh.ts";
import { otherBrands } from "./other-brands.ts";
import { patekPhilippe } from "./patek-philippe.ts";
import { brandPhrases, wordPhrases } from "./phrases.ts";
import { cartier, iwc, jaegerLeCoultre, panerai, vacheronConstantin } from "./richemont.ts";
import { rolex } from "./rolex.ts";
import { parseShape, type Shape } from "./shape.ts";
import { blancpain, breguet, longines, omega } from "./swatch-group.ts";
import { tudor } from "./tudor.ts";

/** The order decides between two houses whose shapes both fit: the more traded first, the stricter shape first. */
export const BUILT_IN_BRANDS: readonly BrandData[] = [
  omega,
  hublot,
  zenith,
  vacheronConstantin,
  rolex,
  patekPhilippe,
  audemarsPiguet,
  tudor,
  richardMille,
  cartier,
  iwc,
  panerai,
  grandSeiko,
  breguet,
  blancpain,
  hMoser,
  chopard,
  girardPerregaux,
  parmigiani,
  longines,
  langeSoehne,
  tagHeuer,
  breitling,
  jaegerLeCoultre,
  bvlgari,
  ulysseNardin,
  fpJourne,
  ...otherBrands,
];

export interface KnownReference {
  readonly brand: string;
  readonly model: string;
  readonly launchedYear?: number;
}

export interface BrandShape {
  readonly brand: string;
  readonly shape: Shape;
  readonly trust: "shape" | "context";
}

/** Made once from the data; everything in it is ready to be asked. */
export interface Catalogue {
  readonly brands: readonly BrandData[];
  readonly lexicon: Lexicon;
  /** Shapes that open with so many digits. */
  readonly shapesByDigitCount: readonly (readonly BrandShape[])[];
  /** Shapes that open with this letter; `*` holds those that open with any. */
  readonly shapesByLetter: ReadonlyMap<string, readonly BrandShape[]>;
  /** By normal form; a number can belong to two houses. */
  readonly known: ReadonlyMap<string, readonly KnownReference[]>;
  readonly dialCodes: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** Known references with letters, by each form that lacks one character: how slips are found. */
  readonly byMissingCharacter: ReadonlyMap<string, readonly string[]>;
}

/** No reference opens with a longer run of digits. */
const DIGIT_RUN_MAX = 14;

export function buildCatalogue(brands: readonly BrandData[] = BUILT_IN_BRANDS): Catalogue {
  const shapesByDigitCount: BrandShape[][] = Array.from({ length: DIGIT_RUN_MAX + 1 }, () => []);
  const shapesByLetter = new Map<string, BrandShape[]>();
  const known = new Map<string, KnownReference[]>();
  const dialCodes = new Map<string, Readonly<Record<string, string>>>();
  for (const brand of brands) {
    for (const { pattern, trust } of brand.shapes) {
      const entry = { brand: brand.name, shape: parseShape(pattern), trust };
      const { digitsMin, digitsMax, letter } = entry.shape;
      for (let count = Math.max(1, digitsMin); count <= digitsMax; count += 1) {
        shapesByDigitCount[count]?.push(entry);
      }
      if (digitsMax === 0) pushTo(shapesByLetter, letter ?? "*", entry);
    }
    for (const [key, reference] of knownReferences(brand)) pushTo(known, key, reference);
    if (brand.dialCodes !== undefined) dialCodes.set(brand.name, brand.dialCodes);
  }
  const lexicon = buildLexicon([...wordPhrases(), ...brands.flatMap(brandPhrases)]);
  return {
    brands,
    lexicon,
    shapesByDigitCount,
    shapesByLetter,
    known,
    dialCodes,
    byMissingCharacter: indexByMissingCharacter(known.keys()),
  };
}

/** A shorter reference has too many neighbours to be guessed. */
const REPAIRED_LENGTH_MIN = 7;

function indexByMissingCharacter(references: Iterable<string>): Map<string, string[]> {
  const index = new Map<string, string[]>();
  for (const reference of references) {
    if (reference.length < REPAIRED_LENGTH_MIN || !/^\d+[A-Z]+$/.test(reference)) continue;
    for (let at = 0; at < reference.length; at += 1) {
      pushTo(index, reference.slice(0, at) + reference.slice(at + 1), reference);
    }
  }
  return index;
}

function pushTo<Item>(map: Map<string, Item[]>, key: string, item: Item): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [item]);
  else list.push(item);
}

function* knownReferences(brand: BrandData): Generator<[string, KnownReference]> {
  const launched = new Map(
    Object.entries(brand.launched ?? {}).map(([reference, year]) => [
      normalizeReference(reference),
      year,
    ]),
  );
  for (const model of brand.models) {
    for (const reference of (model.references ?? "").split(" ")) {
      if (reference === "") continue;
      const key = normalizeReference(reference);
      const launchedYear = launched.get(key);
      yield [
        key,
        {
          brand: brand.name,
          model: model.name,
          ...(launchedYear === undefined ? {} : { launchedYear }),
        },
      ];
    }
  }
}
