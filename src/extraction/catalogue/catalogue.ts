import { copyText, normalizeReference } from "../../base/text.ts";
import { buildLexicon, type Lexicon, type Phrase } from "../words/lexicon.ts";
import { phrasesFor, wordPhrases } from "../words/phrases.ts";
import { WORD_FILES, type WordFiles } from "../words/words.ts";
import { type BrandData, mergeBrands } from "./brand.ts";
import { langeSoehne } from "./brands/a-lange-soehne.ts";
import { audemarsPiguet } from "./brands/audemars-piguet.ts";
import { breitling } from "./brands/breitling.ts";
import { cartier } from "./brands/cartier.ts";
import { families } from "./brands/families.ts";
import { houses } from "./brands/houses.ts";
import {
  chopard,
  fpJourne,
  girardPerregaux,
  hMoser,
  parmigiani,
  smallMakers,
  ulysseNardin,
} from "./brands/independents.ts";
import { iwc } from "./brands/iwc.ts";
import { jaegerLeCoultre } from "./brands/jaeger-lecoultre.ts";
import { bulgari, hublot, tagHeuer, zenith } from "./brands/lvmh.ts";
import { omega } from "./brands/omega.ts";
import { ordinaryNames } from "./brands/ordinary-names.ts";
import { blancpain, breguet, grandSeiko, otherBrands } from "./brands/other-brands.ts";
import { otherScripts } from "./brands/other-scripts.ts";
import { panerai } from "./brands/panerai.ts";
import { patekPhilippe } from "./brands/patek-philippe.ts";
import { richardMille } from "./brands/richard-mille.ts";
import { rolex } from "./brands/rolex.ts";
import { tudor } from "./brands/tudor.ts";
import { vacheronConstantin } from "./brands/vacheron-constantin.ts";
import { listKnownReferences, type ReferenceFacts } from "./known-references.ts";
import { parseShape, type Shape } from "./shape.ts";

/** If the shapes of two brands match, the earlier brand wins. Brands with strict shapes and frequent brands come first. */
export const BUILT_IN_BRANDS: readonly BrandData[] = mergeBrands(
  [
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
  ],
  [...otherScripts, ...ordinaryNames, ...families],
);

interface KnownReference extends ReferenceFacts {
  readonly brand: string;
}

/** One shape of a brand's references. */
export interface BrandShape {
  readonly brand: string;
  readonly shape: Shape;
  readonly trust: "shape" | "context";
  /** What the brand's data says about references that were read before, as they were written. */
  readonly seen: Map<string, SeenReference>;
}

/** A reference as far as its own text and its brand decide it. */
interface SeenReference {
  /** Without a dial code at its end. */
  readonly text: string;
  readonly facts: KnownReference | undefined;
  readonly dial: string | undefined;
  readonly isDigitsOnly: boolean;
}

/** Built once from the brand data, with an index for each kind of lookup. */
export interface Catalogue {
  readonly brands: readonly BrandData[];
  readonly words: WordFiles;
  readonly lexicon: Lexicon;
  /** Index: the number of digits that the shape starts with, then the first two of them as a number. */
  readonly shapesByDigits: readonly (readonly (readonly BrandShape[])[])[];
  /** By the first two letters of a word, or its only one, in lower case. */
  readonly shapesByLetter: ReadonlyMap<string, readonly BrandShape[]>;
  /** Shapes that start with one of several letters, in the same way. */
  readonly shapesByLetters: ReadonlyMap<string, readonly BrandShape[]>;
  /** By normalized reference. A number can belong to two brands. */
  readonly known: ReadonlyMap<string, readonly KnownReference[]>;
  /** By brand, then by the normalized beginning of a reference: the collection. */
  readonly families: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** The brands that have a known reference, by everything that it can start with, in lower case. */
  readonly knownStarts: ReadonlyMap<string, ReadonlySet<string>>;
  /** By brand. */
  readonly dialCodes: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** Known references with letters, by each form with one character missing. Used to find typing errors. */
  readonly byMissingCharacter: ReadonlyMap<string, readonly string[]>;
}

const ALPHABET = [..."abcdefghijklmnopqrstuvwxyz"];

/** No reference starts with more digits. */
const DIGIT_RUN_MAX = 14;

export function buildCatalogue(
  brands: readonly BrandData[] = BUILT_IN_BRANDS,
  words: WordFiles = WORD_FILES,
): Catalogue {
  const shapesByDigits: BrandShape[][][] = Array.from({ length: DIGIT_RUN_MAX + 1 }, () =>
    Array.from({ length: 100 }, () => []),
  );
  const shapesByLetter = new Map<string, BrandShape[]>();
  const shapesByLetters = new Map<string, BrandShape[]>();
  const known = new Map<string, KnownReference[]>();
  const dialCodes = new Map<string, Readonly<Record<string, string>>>();
  const familiesByBrand = new Map<string, ReadonlyMap<string, string>>();
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
      const [index, starts] =
        letter === undefined ? [shapesByLetters, letters] : [shapesByLetter, [letter]];
      for (const start of new Set(starts.flatMap(listStarts))) pushTo(index, start, entry);
    }
    for (const [key, facts] of listKnownReferences(brand)) {
      pushTo(known, key, { brand: brand.name, ...facts });
    }
    if (brand.families !== undefined)
      familiesByBrand.set(brand.name, indexFamilies(brand.families));
    if (brand.dialCodes !== undefined) dialCodes.set(brand.name, brand.dialCodes);
  }
  const lexicon = buildLexicon(
    words,
    [...wordPhrases(words), ...brands.flatMap(brandPhrases)],
    brands.flatMap(ordinaryPhrases),
  );
  return {
    brands,
    words,
    lexicon,
    shapesByDigits,
    shapesByLetter,
    shapesByLetters,
    known,
    families: familiesByBrand,
    knownStarts: indexByStart(known),
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

/** Returns the first two letters of a word, or each two that a single letter can start. */
function listStarts(word: string): string[] {
  return word.length > 1 ? [word.slice(0, 2)] : [word, ...ALPHABET.map((next) => word + next)];
}

function indexByStart(known: ReadonlyMap<string, readonly KnownReference[]>) {
  const brands = new Map<string, Set<string>>();
  for (const [key, references] of known) {
    for (let length = 1; length <= key.length; length += 1) {
      const start = key.slice(0, length).toLowerCase();
      const named = brands.get(start) ?? new Set();
      for (const { brand } of references) named.add(brand);
      brands.set(start, named);
    }
  }
  return brands;
}

/** Returns the phrases that name the brand, its models and its nicknames. */
export function brandPhrases(brand: BrandData): Phrase[] {
  return [
    ...phrasesFor(brand.spellings, { kind: "brand", brand: brand.name }),
    ...brand.models.flatMap((model) =>
      phrasesFor(model.words ?? [], { kind: "model", brand: brand.name, model: model.name }),
    ),
    ...Object.entries(brand.nicknames ?? {}).flatMap(([words, { name, model, dial }]) =>
      phrasesFor([words], {
        kind: "model",
        brand: brand.name,
        nickname: name,
        ...(model === undefined ? {} : { model }),
        ...(dial === undefined ? {} : { dial }),
      }),
    ),
  ];
}

/** Returns the phrases that name the brand in a text about watches only. */
function ordinaryPhrases({ name, ordinary = [] }: BrandData): Phrase[] {
  return phrasesFor(ordinary, { kind: "brand", brand: name });
}

function indexFamilies(byCollection: Readonly<Record<string, string>>): Map<string, string> {
  return new Map(
    Object.entries(byCollection).flatMap(([collection, beginnings]) =>
      beginnings
        .split(" ")
        .filter((start) => start !== "")
        .map((start) => [normalizeReference(start), collection] as const),
    ),
  );
}

/** No beginning is longer. */
const FAMILY_LENGTH_MAX = 8;

/** Returns what the beginning of a reference says about it. What is behind the beginning must be there too. */
export function findFamily(
  { families }: Catalogue,
  written: string,
  brand: string,
): KnownReference | undefined {
  const byStart = families.get(brand);
  if (byStart === undefined) return undefined;
  const key = normalizeReference(written);
  for (let length = Math.min(FAMILY_LENGTH_MAX, key.length - 1); length > 2; length -= 1) {
    const model = byStart.get(key.slice(0, length));
    if (model !== undefined) return { brand, model };
  }
  return undefined;
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

/** Dealers trade a few hundred references of a brand. The bound stops hostile text from filling the memory. */
const SEEN_MAX = 1000;

/**
 * Returns what the catalogue says about a reference of this shape. The same few references are written again and again, so
 * the answers are kept.
 */
export function lookUpReference(
  catalogue: Catalogue,
  written: string,
  { brand, seen }: BrandShape,
): SeenReference | undefined {
  const known = seen.get(written);
  if (known !== undefined) return known;
  const reference = toReference(catalogue, written, brand);
  if (seen.size < SEEN_MAX && reference !== undefined) seen.set(copyText(written), reference);
  return reference;
}

function toReference(
  catalogue: Catalogue,
  written: string,
  brand: string,
): SeenReference | undefined {
  const isDigitsOnly = DIGITS_ONLY.test(written);
  const codes = isDigitsOnly ? undefined : catalogue.dialCodes.get(brand);
  const { base, dial } =
    codes === undefined
      ? { base: written, dial: undefined }
      : splitDialCode(written, codes, (form) => isKnownForm(catalogue, form, brand));
  const facts = findKnownReference(catalogue, base, brand) ?? findFamily(catalogue, base, brand);
  // "126334 LN" is a Datejust that is like new. A suffix after a space counts only if the catalogue knows the whole.
  if (/ [a-z]{2,6}$/i.test(base) && /^\d/.test(base) && !isKnownForm(catalogue, base, brand))
    return undefined;
  return { text: copyText(base.trim()), facts, dial, isDigitsOnly };
}

const DIGITS_ONLY = /^\d+$/;

function isKnownForm(catalogue: Catalogue, form: string, brand: string): boolean {
  const entries = catalogue.known.get(normalizeReference(form));
  return entries?.some((entry) => entry.brand === brand) === true;
}

/** "126334g" is 126334 with the dial code g. A suffix that the catalogue knows ("126610LN") is not a dial code. */
function splitDialCode(
  written: string,
  codes: Readonly<Record<string, string>>,
  isKnown: (form: string) => boolean,
): { readonly base: string; readonly dial: string | undefined } {
  const letters = /[a-z]{1,8}$/i.exec(written)?.[0].toUpperCase() ?? "";
  if (letters === "" || isKnown(written)) return { base: written, dial: undefined };
  for (let length = Math.min(4, letters.length); length > 0; length -= 1) {
    const code = letters.slice(-length);
    const dial = Object.hasOwn(codes, code) ? codes[code] : undefined;
    const base = written.slice(0, -length);
    const isWholeSuffix = length === letters.length || isKnown(base);
    if (dial !== undefined && isWholeSuffix) return { base, dial };
  }
  return { base: written, dial: undefined };
}

/**
 * Looks up the reference, then shorter forms of it: 5711/1A-010 is known by 5711, 126610LN-0001 by 126610LN. Without a brand,
 * that of any brand.
 */
export function findKnownReference(
  catalogue: Catalogue,
  written: string,
  brand?: string,
): KnownReference | undefined {
  const isWanted = (known: KnownReference) => brand === undefined || known.brand === brand;
  const whole = catalogue.known.get(normalizeReference(written))?.find(isWanted);
  if (whole !== undefined || DIGITS_ONLY.test(written)) return whole;
  const parts = written.match(/[a-z]+|\d+/gi) ?? [];
  for (let count = parts.length - 1; count > 0; count -= 1) {
    const key = parts.slice(0, count).join("").toUpperCase();
    const entry = catalogue.known.get(key)?.find(isWanted);
    if (entry !== undefined) return entry;
  }
  return undefined;
}
