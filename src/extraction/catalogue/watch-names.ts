/**
 * The names of watches, for searches: what a dealer types, and the models or references that are meant.
 *
 * Idea: the extraction takes one model or nickname from a text. A search must find all that the name covers: "submariner"
 * is also the Submariner Date, and "pepsi" is three references. Longer names of the same brand tell which.
 *
 * Example: "gmt" names the models GMT-Master and GMT-Master II; "sub no date" only the Submariner.
 */
import { foldWord, foldWords } from "../../base/text.ts";
import type { BrandData } from "./brand.ts";
import type { Catalogue } from "./catalogue.ts";

/** A brand, a model of it, or what certain references of it are called. */
export interface WatchName {
  readonly kind: "brand" | "model" | "nickname";
  readonly brand: string;
  /** As it is shown. */
  readonly name: string;
  /** Every way to write it. Case and accents are as in the data. */
  readonly spellings: readonly string[];
  /** As written in the data, perhaps without their last letters. Only a nickname has some. */
  readonly references: readonly string[];
}

/** Returns the models that these words name: `model` itself, and those of the brand whose names begin with the words. */
export function modelsNamed(
  catalogue: Catalogue,
  named: { readonly brand: string; readonly model: string; readonly words: string },
): readonly string[] {
  const typed = foldWords(named.words).join(" ");
  const begins = (name: string) => {
    const spaced = foldWords(name).join(" ");
    return IDEOGRAPHS.test(typed) ? spaced.includes(typed) : `${spaced} `.startsWith(`${typed} `);
  };
  const models = findBrand(catalogue, named.brand)?.models ?? [];
  const others = models
    .filter(({ name, words = [] }) => [name, ...words].some(begins))
    .map(({ name }) => name);
  return [...new Set([named.model, ...others])];
}

/** Chinese has no blanks, and what a name is about comes last. */
const IDEOGRAPHS = /^\p{Script=Han}+$/u;

/** Returns the references that are called so, or none if the words are the name of no reference. */
export function referencesCalled(
  catalogue: Catalogue,
  named: { readonly brand: string; readonly nickname?: string | undefined; readonly words: string },
): readonly string[] {
  const folded = foldWord(named.words);
  const isMeant = ({ kind, brand, name, spellings }: WatchName) =>
    kind === "nickname" &&
    brand === named.brand &&
    (name === named.nickname || spellings.some((spelling) => foldWord(spelling) === folded));
  const found = listWatchNames(catalogue).filter(isMeant);
  return [...new Set(found.flatMap(({ references }) => references))];
}

/**
 * Returns the names whose words begin with these, in any order; the brand's words count too: "rolex sub", "batm". Folded
 * words. Nicknames come first, then models, then brands, and of each kind the shortest name.
 */
export function findWatchNames(
  catalogue: Catalogue,
  words: readonly string[],
): readonly WatchName[] {
  if (words.length === 0) return [];
  const found = indexOf(catalogue).filter(
    ({ own, all }) =>
      words.every((word) => hasStart(all, word)) && words.some((word) => hasStart(own, word)),
  );
  return found.map(({ name }) => name);
}

function hasStart(words: readonly string[], start: string): boolean {
  return words.some((word) => word.startsWith(start));
}

interface IndexedName {
  readonly name: WatchName;
  readonly own: readonly string[];
  /** Its own words and those of the brand. */
  readonly all: readonly string[];
}

const indexed = new WeakMap<Catalogue, readonly IndexedName[]>();

function indexOf(catalogue: Catalogue): readonly IndexedName[] {
  const known = indexed.get(catalogue);
  if (known !== undefined) return known;
  const names = listWatchNames(catalogue);
  const brands = new Map(
    names.filter(({ kind }) => kind === "brand").map((name) => [name.brand, wordsOf(name)]),
  );
  const index = names
    .map((name) => {
      const own = wordsOf(name);
      return { name, own, all: [...own, ...(brands.get(name.brand) ?? [])] };
    })
    .toSorted(
      (a, b) =>
        KINDS.indexOf(a.name.kind) - KINDS.indexOf(b.name.kind) ||
        a.name.name.length - b.name.name.length,
    );
  indexed.set(catalogue, index);
  return index;
}

const KINDS: readonly WatchName["kind"][] = ["nickname", "model", "brand"];

function wordsOf({ spellings }: WatchName): readonly string[] {
  return [...new Set(spellings.flatMap(foldWords))];
}

const listed = new WeakMap<Catalogue, readonly WatchName[]>();

/** Returns all names of the catalogue. */
export function listWatchNames(catalogue: Catalogue): readonly WatchName[] {
  const known = listed.get(catalogue);
  if (known !== undefined) return known;
  const { brands } = catalogue;
  const names = [
    ...brands.flatMap(nicknamesOf),
    ...brands.flatMap(modelNamesOf),
    ...brands.map(brandNameOf),
  ];
  listed.set(catalogue, names);
  return names;
}

/** Two spellings of a nickname are one name. */
function nicknamesOf({ name: brand, nicknames = {}, called = {} }: BrandData): WatchName[] {
  const byName = new Map<string, { spellings: string[]; references: string[] }>();
  for (const [words, { name, references = "" }] of Object.entries(nicknames)) {
    const known = byName.get(name) ?? { spellings: [], references: [] };
    known.spellings.push(words);
    known.references.push(...splitReferences(references));
    byName.set(name, known);
  }
  const kind = "nickname" as const;
  return [
    ...[...byName].map(([name, rest]) => ({ kind, brand, name, ...rest })),
    ...Object.entries(called).map(([words, references]) => {
      const spellings = words.split(",").map((word) => word.trim());
      return {
        kind,
        brand,
        name: spellings[0] ?? words,
        spellings,
        references: splitReferences(references),
      };
    }),
  ].filter(({ references }) => references.length > 0);
}

function splitReferences(references: string): string[] {
  return references.split(" ").filter((reference) => reference !== "");
}

/** A model can be there twice, with words of other scripts. */
function modelNamesOf({ name: brand, models }: BrandData): WatchName[] {
  const words = new Map<string, string[]>();
  for (const model of models)
    words.set(model.name, [...(words.get(model.name) ?? [model.name]), ...(model.words ?? [])]);
  return [...words].map(([name, spellings]) => ({
    kind: "model",
    brand,
    name,
    spellings,
    references: [],
  }));
}

function brandNameOf({ name, spellings }: BrandData): WatchName {
  return { kind: "brand", brand: name, name, spellings: [name, ...spellings], references: [] };
}

function findBrand({ brands }: Catalogue, name: string): BrandData | undefined {
  return brands.find((brand) => brand.name === name);
}
