import { normalizeReference } from "../../base/text.ts";
import { type Catalogue, findFamily } from "../catalogue/catalogue.ts";
import { isSign, type Span, type Token, tokenAt } from "../text/token.ts";
import { type NumberFact, scoreOf } from "../weights/weights.ts";
import { classSet, isA, isOneOf, isPart } from "../words/words.ts";
import {
  isMoneySign,
  isUnit,
  type ReferenceContext,
  type ReferenceMatch,
  startsAmount,
  wordBefore,
} from "./reference-context.ts";

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

/** Returns the names of houses in the line, each with its first model. The first name can be that of a model. */
function listNames({ phrases }: ReferenceContext): HouseName[] {
  const names: HouseName[] = [];
  for (const [index, { from, to, meaning }] of phrases.entries()) {
    if (meaning.kind !== "brand" && !(meaning.kind === "model" && names.length === 0)) continue;
    const next = phrases[index + 1];
    const isNamed = next?.from === to && next.meaning.kind === "model";
    names.push({ brand: meaning.brand, from, to, modelEnd: isNamed ? next.to : to });
  }
  return names;
}

function findCodeBehind(
  context: ReferenceContext,
  name: HouseName,
  nextName: number | undefined,
): ReferenceMatch | undefined {
  const { tokens, text, catalogue } = context;
  const last = Math.min(nextName ?? tokens.length, name.to + SEARCHED_MAX);
  let best: ReferenceMatch | undefined;
  for (let from = name.to; from < last; from += 1) {
    if (tokens[from]?.isGlued === true || isNumberOfPart(context, from)) continue;
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
    if (score <= (best?.score ?? 0) || isDateOrAmount(context, { from, to }, written)) continue;
    const family = findFamily(catalogue, written, name.brand);
    const match = unknownReference({ start, end, text: written, brand: name.brand, score });
    best = family === undefined ? match : { ...match, model: family.model, isKnown: true };
  }
  return best;
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
  if (countDigits(written) < 6) return false;
  return (
    !/^\d{1,3}(?:\.\d{3})+$/.test(written) && !/^\d{1,4}([./-])\d{1,4}(?:\1\d{2,4})?$/.test(written)
  );
}

const NUMBER_WORDS = classSet("year", "numbered", "number_sign", "doubtful_code");

/** "y2021", "12/2024", "usd9500", "9500hk", "4250 \u20AC" and "E853 \u20AC", but not "E853 \u20AC2.400". */
function isDateOrAmount(context: ReferenceContext, { from, to }: Span, written: string): boolean {
  const { tokens, starts } = context;
  if (/^(?:[a-z]{1,5}|\d{2}\/)?(?:19|20)\d\d(?:-\d+)?$/i.test(written)) return true;
  if (isOneOf(tokens[from], NUMBER_WORDS)) return true;
  if (starts[from]?.meaning.kind === "currency") return true;
  const isDigits = tokens[from]?.kind === "digits";
  if (isDigits && starts[from + 1]?.meaning.kind === "currency") return true;
  return isMoneySign(context, to) && (isDigits || !startsAmount(context, to));
}

/**
 * A line that starts with digits and letters of no known shape ("11661lv", "1265R") still offers a watch. If exactly one
 * known reference is one typing error away, that one is used. Otherwise the text stays as written, with the brand that
 * the message names.
 */
function findMisspelledReference(context: ReferenceContext): ReferenceMatch[] {
  const { tokens, facts } = context;
  const first = tokens.findIndex((token) => token.kind !== "symbol");
  // Behind a brand it can stand anywhere: "Rolex 12661OLV".
  const last = facts.namesBrand ? Math.min(tokens.length, SEARCHED_MAX) : first + 1;
  for (let at = first; at < last; at += 1) {
    const found = readMisspelled(context, at);
    if (found !== undefined) return [found];
  }
  return [];
}

/** A watch is named near the start of its line. The bound keeps the work linear. */
const SEARCHED_MAX = 64;

function readMisspelled(context: ReferenceContext, at: number): ReferenceMatch | undefined {
  const { tokens, catalogue, brands } = context;
  const [digits, letters] = [tokenAt(tokens, at), tokens[at + 1]];
  if (digits?.kind !== "digits" || letters?.kind !== "letters" || !letters.isGlued)
    return undefined;
  if (!/^\d{4,6}$/.test(digits.text) || !/^[a-z]{1,6}$/.test(letters.word)) return undefined;
  if (context.starts[at + 1] !== undefined || isUnitBehind(context, at + 1)) return undefined;
  if (isNumberOfPart(context, at)) return undefined;
  const { start } = digits;
  const { end } = letters;
  const text = context.text.slice(start, end);
  const repaired = findRepair(catalogue, normalizeReference(text), brands);
  const brand = repaired?.brand ?? onlyOf(brands);
  if (brand === undefined) return undefined;
  const score = scoreOf("reference", ["misspelled"]);
  const match = unknownReference({ start, end, text, brand, score });
  return { ...match, model: repaired?.model, repaired: repaired?.reference };
}

/** Letters that make a number an amount, a year or a decade. */
function isUnitBehind(context: ReferenceContext, at: number): boolean {
  return isUnit(context, at) || isA(context.tokens[at], "year", "decade_end", "two_units");
}

function onlyOf(brands: ReadonlySet<string>): string | undefined {
  return brands.size === 1 ? [...brands][0] : undefined;
}

/** "Bracelet: 78790A", "serial 8123456": the number of something else. */
function isNumberOfPart({ tokens }: ReferenceContext, at: number): boolean {
  const numbered = tokenAt(tokens, wordBefore(tokens, at));
  return isA(numbered, "numbered", "contact_number", "serial") || isPart(numbered);
}

/** "Ref. 187949", "Reference: 87.9001.670/78": any shape is fine if the dealer announces it and the brand is known. */
function findAnnouncedReference(context: ReferenceContext): ReferenceMatch[] {
  const { tokens, brands, text } = context;
  const cue = tokens.findIndex((token) => isA(token, "reference"));
  const brand = onlyOf(brands);
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
  if (!ANNOUNCED.test(written) || countDigits(written) < 3) return [];
  const score = scoreOf("reference", ["announced"]);
  return [unknownReference({ start, end, text: written, brand, score })];
}

const ANNOUNCED = /^[a-z0-9][a-z0-9./-]{2,24}$/i;

function countDigits(text: string): number {
  return text.replace(/\D/g, "").length;
}

function unknownReference(
  found: Pick<ReferenceMatch, "start" | "end" | "text" | "brand" | "score">,
): ReferenceMatch {
  return {
    ...found,
    model: undefined,
    launchedYear: undefined,
    usualEur: undefined,
    dial: undefined,
    repaired: undefined,
    isKnown: false,
    isDigitsOnly: false,
  };
}

interface Repair {
  readonly reference: string;
  readonly brand: string;
  readonly model: string;
}

/** Returns the known reference with one character more or changed. Returns nothing if there are several. */
function findRepair(
  catalogue: Catalogue,
  odd: string,
  brands: ReadonlySet<string>,
): Repair | undefined {
  const found = new Set(catalogue.byMissingCharacter.get(odd) ?? []);
  for (let at = 0; at < odd.length; at += 1) {
    const [before, behind] = [odd.slice(0, at), odd.slice(at + 1)];
    for (const reference of catalogue.byMissingCharacter.get(before + behind) ?? [])
      if (reference.startsWith(before) && reference.endsWith(behind)) found.add(reference);
  }
  const fitting: Repair[] = [];
  for (const reference of found)
    for (const { brand, model } of catalogue.known.get(reference) ?? [])
      if (brands.size === 0 || brands.has(brand)) fitting.push({ reference, brand, model });
  return fitting.length === 1 ? fitting[0] : undefined;
}
