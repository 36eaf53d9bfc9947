import { normalizeReference } from "../../base/text.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { isSign, type Token, tokenAt, YEAR_LIKE } from "../text/token.ts";
import { type NumberFact, scoreOf } from "../weights/weights.ts";
import { classSet, isA, isOneOf, isPart } from "../words/words.ts";
import { isMoneySign, isUnit } from "./money-beside.ts";
import type { ReferenceContext, ReferenceMatch } from "./reference-context.ts";

/**
 * Finds a reference that has no known shape, in a line without any other reference. There are three
 * kinds: one that the dealer announces ("Ref. 187949"), a misspelled one ("11661lv"), and a code behind a brand ("LCF036").
 */
export function findOddReference(context: ReferenceContext): ReferenceMatch[] {
  if (!/\d/.test(context.text)) return [];
  const announced = findAnnouncedReference(context);
  if (announced.length > 0) return announced;
  const misspelled = findMisspelledReference(context);
  return misspelled.length > 0 ? misspelled : findBrandedReferences(context);
}

/**
 * "Laurent Ferrier Classic Origin LCF036", "Junghans 27/4600": behind a brand, letters or a slash with three digits. Each house
 * that the line names can have one. Of several codes the one with the highest score counts, then the first.
 */
function findBrandedReferences(context: ReferenceContext): ReferenceMatch[] {
  const named = listNames(context);
  if (named.length === 0 || (context.isBelowReference && !opensWithBrand(context))) return [];
  return named.flatMap(
    (name, index) => findCodeBehind(context, name, named[index + 1]?.from) ?? [],
  );
}

interface HouseName {
  readonly brand: string;
  readonly from: number;
  readonly to: number;
  /** The token behind the model that follows the name: "Universal Geneve Polerouter 20217". */
  readonly modelEnd: number;
}

/** No line names more houses. */
const NAMES_MAX = 8;

/** Returns the names of houses in the line, each with its first model. The first name can be that of a model. */
function listNames({ phrases }: ReferenceContext): HouseName[] {
  const names: HouseName[] = [];
  phrases.some(({ from, to, meaning }, index) => {
    if (meaning.kind !== "brand" && !(meaning.kind === "model" && names.length === 0)) return false;
    if (names.at(-1)?.brand === meaning.brand) return false;
    const next = phrases[index + 1];
    const isNamed = next?.from === to && next.meaning.kind === "model";
    names.push({ brand: meaning.brand, from, to, modelEnd: isNamed ? next.to : to });
    return names.length === NAMES_MAX;
  });
  return names;
}

function findCodeBehind(
  context: ReferenceContext,
  name: HouseName,
  nextName: number | undefined,
): ReferenceMatch | undefined {
  const { tokens, text } = context;
  const last = Math.min(nextName ?? tokens.length, name.to + SEARCHED_MAX);
  let best: ReferenceMatch | undefined;
  for (let from = name.to; from < last; from += 1) {
    if (tokens[from]?.isGlued === true || tokens[from]?.kind === "symbol") continue;
    if (isNumberOfPart(context, from)) continue;
    let to = from + 1;
    while (to < from + GLUED_MAX && isGluedToReference(tokens, to)) to += 1;
    const [start, end] = [tokens[from]?.start ?? 0, tokens[to - 1]?.end ?? 0];
    const written = text.slice(start, end);
    const direct = name.brand === "Nomos" ? NOMOS_NUMBER : DIRECT_NUMBER;
    const facts: NumberFact<"reference">[] = [];
    if (from === name.modelEnd && direct.test(written) && !ROUND.test(written))
      facts.push("right_behind_name");
    if (BRANDED.test(written)) facts.push("code_behind_name");
    else if (isLongCode(written)) facts.push("long_code");
    const score = scoreOf("reference", facts);
    if (score <= (best?.score ?? 0) || !isUnlikeOtherThings(context, from, written)) continue;
    if (isBeforeMoney(context, to) && !startsAmount(tokens, to, written)) continue;
    best = unknownReference({ start, end, written, brand: name.brand, score });
  }
  return best;
}

/** Below other watches, a line that opens with a brand, or with a model such as "Seiko Prospex", names another one. */
function opensWithBrand({ tokens, phrases }: ReferenceContext): boolean {
  let first = tokens.findIndex((token) => token.kind !== "symbol");
  // "2. Mido": the number of the line in a list.
  if (tokens[first]?.kind === "digits" && isSign(tokens[first + 1], ".)")) first += 2;
  return phrases.some(
    ({ from, to, meaning }) =>
      from === first && (meaning.kind === "brand" || (meaning.kind === "model" && to > from + 1)),
  );
}

function isGluedToReference(tokens: readonly Token[], at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (token?.isGlued !== true) return false;
  return token.kind !== "symbol" || (isSign(token, "/.-") && next?.isGlued === true);
}

/** No reference has more tokens. */
const GLUED_MAX = 16;

/** Letters then digits ("LCF036", "BR05A-BL-ST/SST"), or two numbers with a slash of which one has four digits ("27/4600"). */
const BRANDED =
  /^(?:[a-z]{1,5}[-.]?\d{3,6}[a-z0-9./-]{0,12}|[a-z]{3,5}\d{2}[a-z]\d|[a-z]{1,4}\d{2}[a-z]?(?:[-/][a-z0-9]{2,4}){2,3}|\d{2,4}\/\d{4}[a-z0-9.-]{0,8})$/i;

/** "Rolex 227701", "Royal Oak 56271TT", "Laureato 8101-1134": right behind the brand or the model. */
const DIRECT_NUMBER = /^\d{4,6}(?:[a-z]{2}|-\d{3,4})?$/i;
const ROUND = /^\d+00$/;
/** "Nomos Tangente 139". */
const NOMOS_NUMBER = /^\d{3,4}$/;

/** "81060-21-2010-FH7A", "02.0500.420": several groups with six digits or more, but neither a date nor an amount. */
function isLongCode(written: string): boolean {
  if (!/^[a-z0-9]+(?:[./-][a-z0-9]+){1,6}$/i.test(written)) return false;
  if ((written.match(/\d/g) ?? []).length < 6) return false;
  return (
    !/^\d{1,3}(?:\.\d{3})+$/.test(written) && !/^\d{1,4}([./-])\d{1,4}(?:\1\d{2,4})?$/.test(written)
  );
}

function isBeforeMoney(context: ReferenceContext, at: number): boolean {
  const next = context.tokens[at];
  if (next?.word === "%" || isMoneySign(context, at)) return true;
  return isA(next, "thousand", "million");
}

/** "E853 \u20AC2.400": behind a code with a letter, a sign before digits starts the ask. */
function startsAmount(tokens: readonly Token[], at: number, written: string): boolean {
  return (
    /^[a-z]/i.test(written) && tokens[at]?.kind === "symbol" && tokens[at + 1]?.kind === "digits"
  );
}

const NUMBER_WORDS = classSet("year", "numbered", "number_sign", "doubtful_code");

/** "n2024", "usd9500", "y2021" and "12/2024" are no references. */
function isUnlikeOtherThings(context: ReferenceContext, at: number, written: string): boolean {
  const [token, next] = [context.tokens[at], context.tokens[at + 1]];
  if (/^(?:\d{2}\/)?(?:19|20)\d\d(?:-\d+)?$/.test(written)) return false;
  if (token?.kind === "digits") return next?.isGlued !== true || !isUnitLetters(context, at + 1);
  if (/^[a-z]{1,5}(19|20)\d\d$/i.test(written) || token?.word === "n" || isA(token, "no_code"))
    return false;
  if (context.starts[at]?.meaning.kind === "currency") return false;
  return !isOneOf(token, NUMBER_WORDS);
}

/** Letters that make a number an amount, a year, a decade or a size. */
function isUnitLetters(context: ReferenceContext, at: number): boolean {
  const token = context.tokens[at];
  if (token?.kind !== "letters") return false;
  if (isUnit(context, at) || isMoneySign(context, at)) return true;
  const meaning = context.starts[at]?.meaning;
  if (meaning?.kind === "cue" && meaning.cue === "unit_of_measure") return true;
  return token.word === "n" || isA(token, "year", "decade_end", "two_units");
}

/**
 * A line that starts with digits and letters of no known shape ("11661lv", "1265R") still offers a watch. If exactly one
 * known reference is one typing error away, that one is used. Otherwise the text stays as written, with the brand that
 * the message names.
 */
function findMisspelledReference(context: ReferenceContext): ReferenceMatch[] {
  const first = context.tokens.findIndex((token) => token.kind !== "symbol");
  const opening = readMisspelled(context, first);
  if (opening.length > 0 || !context.facts.namesBrand) return opening;
  // Behind a brand it can stand anywhere: "Rolex 12661OLV".
  for (let at = first + 1; at < Math.min(context.tokens.length, SEARCHED_MAX); at += 1) {
    const isOther = context.tokens[at]?.isGlued === true || isNumberOfPart(context, at);
    const found = isOther ? [] : readMisspelled(context, at);
    if (found.length > 0) return found;
  }
  return [];
}

/** A watch is named near the start of its line. The bound keeps the work linear. */
const SEARCHED_MAX = 64;

function readMisspelled(context: ReferenceContext, first: number): ReferenceMatch[] {
  const { tokens, catalogue, brands } = context;
  const [digits, letters, next] = [tokens[first], tokens[first + 1], tokens[first + 2]];
  if (digits?.kind !== "digits" || letters?.kind !== "letters" || !letters.isGlued) return [];
  if (!/^\d{4,6}$/.test(digits.text) || !/^[a-z]{1,6}$/.test(letters.word)) return [];
  if (isUnitLetters(context, first + 1) || context.starts[first + 1] !== undefined) return [];
  if (next?.isGlued === true && next.kind !== "symbol") return [];
  if (tokens.findLastIndex((token) => token.kind === "digits") < first + 2) return [];
  const written = context.text.slice(digits.start, letters.end);
  const repaired = findRepair(catalogue, normalizeReference(written), brands);
  const brand = repaired?.brand ?? (brands.size === 1 ? [...brands][0] : undefined);
  if (brand === undefined) return [];
  const score = scoreOf("reference", ["misspelled"]);
  const match = unknownReference({ start: digits.start, end: letters.end, written, brand, score });
  return [{ ...match, model: repaired?.model, repaired: repaired?.reference }];
}

/** "Bracelet: 78790A", "serial 8123456": the number of something else. */
function isNumberOfPart({ tokens }: ReferenceContext, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && tokens[before]?.kind === "symbol") before -= 1;
  const numbered = tokenAt(tokens, before);
  return isA(numbered, "numbered", "contact_number", "serial") || isPart(numbered);
}

/** "Ref. 187949", "Reference: 87.9001.670/78": any shape is fine if the dealer announces it and the brand is known. */
function findAnnouncedReference(context: ReferenceContext): ReferenceMatch[] {
  const { tokens, brands, text } = context;
  const cue = tokens.findIndex((token) => isA(token, "reference"));
  const brand = brands.size === 1 ? [...brands][0] : undefined;
  if (cue === -1 || brand === undefined || context.isBelowReference) return [];
  // "Our ref" is a stock number.
  if (isA(tokenAt(tokens, cue - 1), "own")) return [];
  let from = cue + 1;
  while (from <= cue + 3 && isSign(tokens[from], ".:#-")) from += 1;
  let to = from;
  while (to < tokens.length && (to === from || tokens[to]?.isGlued === true)) to += 1;
  while (to > from && tokens[to - 1]?.kind === "symbol") to -= 1;
  const [start, end] = [tokens[from]?.start ?? 0, tokens[to - 1]?.end ?? 0];
  const written = text.slice(start, end);
  if (!ANNOUNCED.test(written) || YEAR_LIKE.test(written)) return [];
  if ((written.match(/\d/g) ?? []).length < 3) return [];
  return [
    unknownReference({ start, end, written, brand, score: scoreOf("reference", ["announced"]) }),
  ];
}

const ANNOUNCED = /^[a-z0-9][a-z0-9./-]{2,24}$/i;

function unknownReference(found: {
  readonly start: number;
  readonly end: number;
  readonly written: string;
  readonly brand: string;
  readonly score: number;
}): ReferenceMatch {
  return {
    start: found.start,
    end: found.end,
    text: found.written,
    brand: found.brand,
    model: undefined,
    launchedYear: undefined,
    usualEur: undefined,
    dial: undefined,
    repaired: undefined,
    isKnown: false,
    isDigitsOnly: false,
    score: found.score,
  };
}

interface Repair {
  readonly reference: string;
  readonly brand: string;
  readonly model: string;
}

/** Returns the known reference with one character more, less or changed. Returns nothing if there are several. */
function findRepair(
  catalogue: Catalogue,
  odd: string,
  brands: ReadonlySet<string>,
): Repair | undefined {
  const found = new Set(catalogue.byMissingCharacter.get(odd) ?? []);
  for (const swapped of listSwapped(odd))
    if (catalogue.known.has(swapped) && /[A-Z]/.test(swapped)) found.add(swapped);
  for (const shorter of listOneShorter(odd)) {
    if (catalogue.known.has(shorter) && /[A-Z]/.test(shorter)) found.add(shorter);
    for (const reference of catalogue.byMissingCharacter.get(shorter) ?? []) {
      if (isOneChanged(odd, reference)) found.add(reference);
    }
  }
  const entries = [...found].flatMap((reference) =>
    (catalogue.known.get(reference) ?? []).map(({ brand, model }) => ({ reference, brand, model })),
  );
  const fitting = brands.size === 0 ? entries : entries.filter(({ brand }) => brands.has(brand));
  return fitting.length === 1 ? fitting[0] : undefined;
}

function isOneChanged(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let changed = 0;
  for (let at = 0; at < a.length && changed < 2; at += 1) if (a[at] !== b[at]) changed += 1;
  return changed === 1;
}

/** Returns the text with two neighbours swapped: BLOR is BLRO. */
function listSwapped(text: string): string[] {
  const swapped: string[] = [];
  for (let at = 1; at < text.length; at += 1) {
    const [before, after] = [text[at - 1] ?? "", text[at] ?? ""];
    if (before !== after) swapped.push(text.slice(0, at - 1) + after + before + text.slice(at + 1));
  }
  return swapped;
}

function listOneShorter(text: string): string[] {
  return [...text].map((_, at) => text.slice(0, at) + text.slice(at + 1));
}
