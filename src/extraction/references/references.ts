/**
 * Finds watch references in a line by the shapes that each brand uses (`catalogue/shape.ts`).
 *
 * Idea: at each token where a reference can start, try the shapes that can start with these digits or this letter. A
 * match must end where a word ends, and its facts must speak for it, because a price or a year can have the same shape.
 * The longest match wins, then one that the catalogue knows, then one of a brand that the message names.
 * Invariant: matches are in line order and do not overlap.
 *
 * Example: in "New126334g blue 126500" the first number is Rolex 126334 with the dial code g ("diamond"). The second has
 * a Rolex shape too. It is the ask, because it is round and closes the line.
 */
import { type BrandShape, lookUpReference } from "../catalogue/catalogue.ts";
import { isSign, tokenAt, YEAR_LIKE } from "../text/token.ts";
import { isA } from "../words/words.ts";
import { findOddReference } from "./odd-references.ts";
import type { ReferenceContext, ReferenceMatch } from "./reference-context.ts";
import { scoreReference } from "./reference-facts.ts";

/** Finds the references of a line. If none has the shape of a brand, one with no known shape may be there. */
export function findReferences(context: ReferenceContext): ReferenceMatch[] {
  const found = findShapes(context);
  const last = found.at(-1);
  if (last === undefined) return findOddReference(context);
  if (!isRoundAtEnd(context, last)) return found;
  const before = found.length > 1 ? found.slice(0, -1) : findOddReference(context);
  return hasWordsBetween(context, before.at(-1), last) ? before : found;
}

/** "11661lv 04/2019 84000": a round number at the end of a line without a currency. */
function isRoundAtEnd({ tokens, phrases }: ReferenceContext, last: ReferenceMatch): boolean {
  if (!last.isDigitsOnly || !last.text.endsWith("00")) return false;
  if (last.end !== tokens.findLast((token) => token.kind !== "symbol")?.end) return false;
  return !phrases.some(({ meaning }) => meaning.kind === "currency");
}

/** "WTB 116200 or 126200" names two watches. An ask has other words between it and the reference. */
function hasWordsBetween(
  { tokens }: ReferenceContext,
  previous: ReferenceMatch | undefined,
  last: ReferenceMatch,
): boolean {
  return (
    previous !== undefined &&
    tokens.some(
      (token) =>
        token.start >= previous.end &&
        token.end <= last.start &&
        token.kind !== "symbol" &&
        !isA(token, "and", "or"),
    )
  );
}

/** Finds the references that have the shape of a brand. */
function findShapes(context: ReferenceContext): ReferenceMatch[] {
  const found: ReferenceMatch[] = [];
  let searchedTo = 0;
  for (let at = 0; at < context.tokens.length; at += 1) {
    const token = context.tokens[at];
    if (token === undefined || token.start < searchedTo || token.kind === "symbol") continue;
    const match = canStartReference(context, at) && bestReferenceAt(context, at, found.at(-1));
    if (!match) continue;
    found.push(match);
    searchedTo = match.end;
  }
  return found;
}

/** A reference can follow a space, a symbol, or a known word that is glued to it ("PP5330G", "New5205r"). */
function canStartReference(context: ReferenceContext, at: number): boolean {
  const token = context.tokens[at];
  const before = tokenAt(context.tokens, at - 1);
  if (token?.isGlued !== true || before === undefined) return true;
  // "Ref.126334" starts a reference. "43.126" does not.
  if (before.kind === "symbol")
    return !isSign(before, ".,") || isA(tokenAt(context.tokens, at - 2), "reference");
  if (token.kind === "letters" || before.kind !== "letters") return false;
  // Chinese has no spaces: each ideograph is a word.
  if (!/^[a-z]/.test(before.word)) return true;
  return before.word.length > 1 && context.catalogue.lexicon.vocabulary.has(before.word);
}

function bestReferenceAt(
  context: ReferenceContext,
  at: number,
  previous: ReferenceMatch | undefined,
): ReferenceMatch | undefined {
  let best: ReferenceMatch | undefined;
  const shapes = shapesAt(context, at);
  const { tokens, brands, catalogue } = context;
  const isJoined = tokens[at + 1]?.isGlued === true;
  const known = catalogue.knownStarts.get(tokens[at]?.word ?? "");
  for (const brandShape of shapes) {
    const { shape, trust, brand } = brandShape;
    if (shape.isJoined && !isJoined) continue;
    // Such a shape counts only for a known reference, or beside the name of its brand: most amounts end here.
    const isOpen = trust === "context" && known?.has(brand) !== true;
    if (isOpen && (previous !== undefined || !brands.has(brand))) continue;
    const match = matchShape(context, at, brandShape);
    if (match === undefined) continue;
    if (best !== undefined && !isBetter(match, best, brands)) continue;
    const score = scoreReference(context, { match, at, brandShape, previous });
    if (score <= 0) continue;
    match.score = score;
    best = match;
  }
  return best;
}

const NO_SHAPES: readonly BrandShape[] = [];

/** Returns the shapes that can start at this token. Most tokens have none, so most regular expressions never run. */
function shapesAt({ tokens, catalogue }: ReferenceContext, at: number): readonly BrandShape[] {
  const [token, next] = [tokens[at], tokens[at + 1]];
  const isJoined = next?.isGlued === true;
  if (token?.kind === "digits") {
    if (!isJoined && (token.text.length < 3 || YEAR_LIKE.test(token.text))) return NO_SHAPES;
    const byStart = catalogue.shapesByDigits[token.text.length];
    return byStart?.[Number(token.text.slice(0, 2))] ?? NO_SHAPES;
  }
  // Every reference has digits, so a word before another word cannot start one.
  if (token === undefined || next === undefined || next.kind === "letters") return NO_SHAPES;
  const start = token.word.slice(0, 2);
  const shapes = catalogue.shapesByLetter.get(start) ?? NO_SHAPES;
  if (next.kind !== "digits" || !isJoined) return shapes;
  return shapes.concat(catalogue.shapesByLetters.get(start) ?? NO_SHAPES);
}

function isBetter(
  match: ReferenceMatch,
  best: ReferenceMatch,
  brands: ReadonlySet<string>,
): boolean {
  const length = match.end - match.start - (best.end - best.start);
  if (length !== 0) return length > 0;
  if (match.isKnown !== best.isKnown) return match.isKnown;
  return brands.has(match.brand) && !brands.has(best.brand);
}

/** Returns the longest match of one shape that ends where a reference can end. */
function matchShape(
  context: ReferenceContext,
  at: number,
  brandShape: BrandShape,
): ReferenceMatch | undefined {
  const { text, tokens } = context;
  const start = tokens[at]?.start ?? 0;
  const { sticky, whole } = brandShape.shape;
  sticky.lastIndex = start;
  if (!sticky.test(text)) return undefined;
  let longest = sticky.lastIndex;
  while (text.charCodeAt(longest - 1) === SPACE) longest -= 1;
  if (canEndReference(context, at, longest)) {
    const match = toReferenceMatch(context, { start, end: longest }, brandShape);
    if (match !== undefined) return match;
  }
  // Then try shorter matches that end with a token: "126334Green" is 126334, not 126334G.
  let last = at;
  while ((tokens[last + 1]?.end ?? Number.POSITIVE_INFINITY) < longest) last += 1;
  for (let index = last; index >= at; index -= 1) {
    const end = tokens[index]?.end ?? 0;
    if (end >= longest || !whole.test(text.slice(start, end)) || !canEndReference(context, at, end))
      continue;
    const match = toReferenceMatch(context, { start, end }, brandShape);
    if (match !== undefined) return match;
  }
  return undefined;
}

/**
 * Returns true if a reference can end here. If it contains a space, it must also end with a whole token, and not with a
 * year: "6000V/110A 2023".
 */
function canEndReference(context: ReferenceContext, at: number, end: number): boolean {
  const start = context.tokens[at]?.start ?? 0;
  if (!isReferenceEnd(context, end)) return false;
  if (!context.text.slice(start, end).includes(" ")) return true;
  let index = at;
  while ((context.tokens[index]?.end ?? end) < end) index += 1;
  const last = context.tokens[index];
  return last?.end === end && (last.isGlued || !YEAR_LIKE.test(last.text));
}

const SPACE = 0x20;

/** After a reference comes a space, a symbol, or a known word or a date, even without a space ("126500white"). */
function isReferenceEnd({ text, catalogue }: ReferenceContext, end: number): boolean {
  if (end === text.length || text.charCodeAt(end) === SPACE) return true;
  const rest = text.slice(end, end + REST_MAX);
  // "126610LN2021".
  if (/^\d/.test(rest))
    return /[a-z]/i.test(text.charAt(end - 1)) && /^(?:19|20)\d\d(?!\d)/.test(rest);
  const letters = /^[a-z]*/i.exec(rest)?.[0].toLowerCase() ?? "";
  // "12.500" is not the reference 12, and "RM 64,500" is not RM 64. But "5711/1A." and "126334," do end here.
  if (letters === "") return !/^[.,']\d{3}(?!\d)/.test(rest);
  const { vocabulary } = catalogue.lexicon;
  // "126334N7/25", "26240STblueN4/26".
  const word = /^[a-z]*n\d{1,2}(?!\d)/i.test(rest) ? letters.slice(0, -1) : undefined;
  if (word === "" || (word !== undefined && vocabulary.has(word))) return true;
  // A single letter right after digits is a unit or a suffix, and hardly ever a word.
  return letters.length > 1 && vocabulary.has(letters);
}

/** The longest word that is glued to a reference. */
const REST_MAX = 24;

function toReferenceMatch(
  context: ReferenceContext,
  span: { readonly start: number; readonly end: number },
  brandShape: BrandShape,
): ReferenceMatch | undefined {
  const written = context.text.slice(span.start, span.end);
  const reference = lookUpReference(context.catalogue, written, brandShape);
  if (reference === undefined) return undefined;
  const { facts } = reference;
  return {
    start: span.start,
    end: span.end,
    text: reference.text,
    brand: brandShape.brand,
    model: facts?.model,
    launchedYear: facts?.launchedYear,
    usualEur: facts?.usualEur,
    dial: reference.dial,
    repaired: undefined,
    isKnown: facts !== undefined,
    isDigitsOnly: reference.isDigitsOnly,
    score: 0,
  };
}
