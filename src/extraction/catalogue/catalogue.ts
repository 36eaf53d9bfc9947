import { buildLexicon, type Lexicon } from "../lines/lexicon.ts";
import type { BrandData } from "./brand.ts";
import { langeSoehne } from "./brands/a-lange-soehne.ts";
import { audemarsPiguet } from "./brands/audemars-piguet.ts";
import { blancpain } from "./brands/blancpain.ts";
import { breguet } from "./brands/breguet.ts";
import { breitling } from "./brands/breitling.ts";
import { cartier } from "./brands/cartier.ts";
import { fpJourne } from "./brands/fp-journe.ts";
import { grandSeiko } from "./brands/grand-seiko.ts";
import { hMoser } from "./brands/h-moser.ts";
import { houses } from "./brands/houses.ts";
import { hublot } from "./brands/hublot.ts";
import { chopard, girardPerregaux, parmigiani, ulysseNardin } from "./brands/independents.ts";
import { iwc } from "./brands/iwc.ts";
import { jaegerLeCoultre } from "./brands/jaeger-lecoultre.ts";
import { bulgari, tagHeuer } from "./brands/lvmh.ts";
import { omega } from "./brands/omega.ts";
import { otherBrands } from "./brands/other-brands.ts";
import { panerai } from "./brands/panerai.ts";
import { patekPhilippe } from "./brands/patek-philippe.ts";
import { richardMille } from "./brands/richard-mille.ts";
import { rolex } from "./brands/rolex.ts";
import { smallMakers } from "./brands/small-makers.ts";
import { tudor } from "./brands/tudor.ts";
import { vacheronConstantin } from "./brands/vacheron-constantin.ts";
import { zenith } from "./brands/zenith.ts";
import { listKnownReferences, type ReferenceFacts } from "./known-references.ts";
import { brandPhrases, wordPhrases } from "./phrases.ts";
import { parseShape, type Shape } from "./shape.ts";

/** If the shapes of two brands match, the earlier brand wins. Brands with strict shapes and frequent brands come first. */
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
  langeSoehne,
  tagHeuer,
  breitling,
  jaegerLeCoultre,
  bulgari,
  ulysseNardin,
  fpJourne,
  ...smallMakers,
  ...otherBrands,
  ...houses,
];

export interface KnownReference extends ReferenceFacts {
  readonly brand: string;
}

export interface BrandShape {
  readonly brand: string;
  readonly shape: Shape;
  readonly trust: "shape" | "context";
  /** What the brand's data says about references that were read before, as they were written. */
  readonly seen: Map<string, SeenReference>;
}

/** A reference as far as its own text and its brand decide it. */
export interface SeenReference {
  /** Without a dial code at its end. */
  readonly text: string;
  readonly facts: KnownReference | undefined;
  readonly dial: string | undefined;
  readonly isDigitsOnly: boolean;
}

/** Built once from the brand data, with an index for each kind of lookup. */
export interface Catalogue {
  readonly brands: readonly BrandData[];
  readonly lexicon: Lexicon;
  /** Index: the number of digits that the shape starts with, then the first two of them as a number. */
  readonly shapesByDigits: readonly (readonly (readonly BrandShape[])[])[];
  /** By the letter that the shape starts with, in lower case. */
  readonly shapesByLetter: ReadonlyMap<string, readonly BrandShape[]>;
  /** Shapes that start with one of several letters, by each of them. */
  readonly shapesByLetters: ReadonlyMap<string, readonly BrandShape[]>;
  /** By normalized reference. A number can belong to two brands. */
  readonly known: ReadonlyMap<string, readonly KnownReference[]>;
  /** By brand. */
  readonly dialCodes: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** Known references with letters, by each form with one character missing. Used to find typing errors. */
  readonly byMissingCharacter: ReadonlyMap<string, readonly string[]>;
}

const ALPHABET = [..."abcdefghijklmnopqrstuvwxyz"];

/** No reference starts with more digits. */
const DIGIT_RUN_MAX = 14;

export function buildCatalogue(brands: readonly BrandData[] = BUILT_IN_BRANDS): Catalogue {
  const shapesByDigits: BrandShape[][][] = Array.from({ length: DIGIT_RUN_MAX + 1 }, () =>
    Array.from({ length: 100 }, () => []),
  );
  const shapesByLetter = new Map<string, BrandShape[]>();
  const shapesByLetters = new Map<string, BrandShape[]>();
  const known = new Map<string, KnownReference[]>();
  const dialCodes = new Map<string, Readonly<Record<string, string>>>();
  for (const brand of brands) {
    const seen: BrandShape["seen"] = new Map();
    for (const { pattern, trust } of brand.shapes) {
      const entry = { brand: brand.name, shape: parseShape(pattern), trust, seen };
      const { digitsMin, digitsMax, letter, letters = ALPHABET } = entry.shape;
      for (let count = Math.max(1, digitsMin); count <= digitsMax; count += 1) {
        shapesByDigits[count]?.forEach((shapes, firstTwo) => {
          if (canStartWith(entry.shape, firstTwo)) shapes.push(entry);
        });
      }
      if (digitsMax > 0) continue;
      if (letter !== undefined) pushTo(shapesByLetter, letter, entry);
      else for (const one of new Set(letters)) pushTo(shapesByLetters, one, entry);
    }
    for (const [key, facts] of listKnownReferences(brand)) {
      pushTo(known, key, { brand: brand.name, ...facts });
    }
    if (brand.dialCodes !== undefined) dialCodes.set(brand.name, brand.dialCodes);
  }
  const lexicon = buildLexicon([...wordPhrases(), ...brands.flatMap(brandPhrases)]);
  return {
    brands,
    lexicon,
    shapesByDigits,
    shapesByLetter,
    shapesByLetters,
    known,
    dialCodes,
    byMissingCharacter: indexByMissingCharacter(known.keys()),
  };
}

function canStartWith({ firstDigits }: Shape, firstTwo: number): boolean {
  const start = String(firstTwo).padStart(2, "0");
  return (
    firstDigits?.some((digits) => digits.startsWith(start) || start.startsWith(digits)) ?? true
  );
}

/** A shorter reference is too similar to others, so it is never repaired. */
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
