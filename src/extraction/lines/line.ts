/**
 * One line of a message, split into tokens, with its known phrases and its references.
 *
 * Idea: the readers of numbers run over the same tokens, and what is chosen (`numbers.ts`) claims its tokens and says as what.
 * Invariant: no token is read as two things.
 *
 * Example: in "126334 blue 11/25 €9.500" 126334 is claimed as a reference, 11/25 as a date and €9.500 as an amount.
 */
import type { Catalogue } from "../catalogue/catalogue.ts";
import { type ReferenceMatch, readLineFacts } from "../references/reference-context.ts";
import { findReferences } from "../references/references.ts";
import type { Meaning } from "../text/meaning.ts";
import type { NormalLine } from "../text/normalize.ts";
import { lastUntil, type Span, type Token, tokenAt } from "../text/token.ts";
import { tokenize } from "../text/tokenize.ts";
import type { NumberKind } from "../weights/weights.ts";
import { findPhrases, type Lexicon, type PhraseMatch } from "../words/lexicon.ts";
import { isA, type WordClass } from "../words/words.ts";
import { withHouse } from "./written-house.ts";

/** Kept small: a message can have thousands of lines, and all of them stay in memory until the message is read. */
export interface Line {
  readonly source: NormalLine;
  readonly tokens: readonly Token[];
  readonly phrases: readonly PhraseMatch[];
  readonly references: readonly PlacedReference[];
  /** For each token, what it is read as. */
  readonly claims: (Claim | undefined)[];
  /** By token index: the phrase that starts at the token, and the phrase that ends right before it. */
  readonly starts: readonly (PhraseMatch | undefined)[];
  readonly ends: readonly (PhraseMatch | undefined)[];
  readonly lexicon: Lexicon;
}

/** What a token is read as: a kind of number, or the name of a model ("Code 11.59"). */
export type Claim = NumberKind | "name";

/** A reference with its line and the tokens that it covers. */
export type PlacedReference = ReferenceMatch & Span & { readonly source: NormalLine };

export function hasWordOf({ tokens }: Line, name: WordClass): boolean {
  return tokens.some((token) => isA(token, name));
}

export function isFree(line: Line, at: number): boolean {
  return line.claims[at] === undefined;
}

export function claim(line: Line, { from, to }: Span, kind: Claim): void {
  line.claims.fill(kind, from, to);
}

/** Returns the phrase that starts at this token. */
export function phraseAt(line: Line, at: number): PhraseMatch | undefined {
  return line.starts[at];
}

/** Returns the phrase that ends right before this token. */
export function phraseEndingAt(line: Line, at: number): PhraseMatch | undefined {
  return line.ends[at];
}

/** Returns true if a currency word or a sign of money ends right before this token. */
export function endsCurrency(line: Line, at: number): boolean {
  return line.ends[at]?.meaning.kind === "currency" || tokenAt(line.tokens, at - 1)?.word === "$";
}

/** Returns true if a currency word or a sign of money starts at this token. */
export function startsCurrency(line: Line, at: number): boolean {
  return line.starts[at]?.meaning.kind === "currency" || line.tokens[at]?.word === "$";
}

/** Returns true if a reference ends right before this token. */
export function endsReference(line: Line, at: number): boolean {
  return lastUntil(line.references, at)?.to === at;
}

const DESCRIBING_KINDS: ReadonlySet<Meaning["kind"]> = new Set([
  "set",
  "condition",
  "dial",
  "bracelet",
]);

/** Returns true if a phrase describes the watch: "full set", "blue". */
export function describesWatch(meaning: Meaning): boolean {
  return DESCRIBING_KINDS.has(meaning.kind);
}

/** What the lines above have already named. */
interface LinesAbove {
  readonly brands: ReadonlySet<string>;
  /** Nothing else names a watch, so names count that are ordinary words elsewhere. */
  readonly isWide?: boolean;
  /** True if a line above has a reference that cannot be mistaken for an amount. */
  readonly hasReference: boolean;
  /** The models that the line right above names. */
  readonly models?: ReadonlySet<string>;
}

/** Splits a line into tokens and finds its phrases and references. */
export function analyzeLine(source: NormalLine, catalogue: Catalogue, above: LinesAbove): Line {
  const { lexicon } = catalogue;
  const text = maskLinks(source.text);
  const tokens = tokenize(text, lexicon.spelling);
  if (tokens.length === 0)
    return makeLine(source, { tokens, phrases: [], references: [], lexicon }, NO_PHRASES);
  const { isWide = false } = above;
  const phrases = isWide
    ? withHouse(findPhrases(tokens, lexicon, true), tokens, above.brands)
    : findPhrases(tokens, lexicon);
  const index = indexPhrases(phrases, tokens.length);
  const named = listBrands(phrases);
  const context = {
    text,
    tokens,
    phrases,
    starts: index.starts,
    ends: index.ends,
    catalogue,
    brands: joinBrands(above.brands, named),
    isBelowReference: above.hasReference,
    modelsAbove: above.models ?? NO_MODELS,
    facts: readLineFacts(tokens, phrases, lexicon),
  };
  const found = findReferences(context);
  if (found.length === 0)
    return makeLine(source, { tokens, phrases, references: [], lexicon }, index);
  const splitTokens = splitTokensAtReferences(tokens, found, { text, lexicon });
  const references = placeReferences(splitTokens, found, source);
  // Indexes of phrases are stale once a token was split, so the phrases are searched again.
  const hasSplit = splitTokens !== tokens;
  const kept = hasSplit
    ? phrasesBetween(splitTokens, references, { lexicon, isWide })
    : phrasesOutside(phrases, references);
  const isSame = kept.length === phrases.length && !hasSplit;
  return makeLine(
    source,
    { tokens: splitTokens, phrases: kept, references, lexicon },
    isSame ? index : indexPhrases(kept, splitTokens.length),
  );
}

interface PhraseIndex {
  readonly starts: readonly (PhraseMatch | undefined)[];
  readonly ends: readonly (PhraseMatch | undefined)[];
}

function indexPhrases(phrases: readonly PhraseMatch[], tokenCount: number): PhraseIndex {
  if (phrases.length === 0) return NO_PHRASES;
  const starts = new Array<PhraseMatch | undefined>(tokenCount + 1).fill(undefined);
  const ends = new Array<PhraseMatch | undefined>(tokenCount + 1).fill(undefined);
  for (const phrase of phrases) {
    starts[phrase.from] = phrase;
    ends[phrase.to] = phrase;
  }
  return { starts, ends };
}

const NO_MODELS: ReadonlySet<string> = new Set();

const NO_PHRASES: PhraseIndex = { starts: [], ends: [] };

/** Replaces links by spaces of the same length: their numbers are not those of a watch. */
function maskLinks(text: string): string {
  if (!text.includes("www.") && !(text.includes("/") && LINK.test(text))) return text;
  return text
    .split(" ")
    .map((word) => (isLink(word) ? " ".repeat(word.length) : word))
    .join(" ");
}

const LINK = /:\/\/|[a-z]\.[a-z]{2,4}\//i;

function isLink(word: string): boolean {
  return word.startsWith("www.") || LINK.test(word);
}

function joinBrands(above: ReadonlySet<string>, named: ReadonlySet<string> | undefined) {
  if (named === undefined) return above;
  return above.size === 0 ? named : new Set([...above, ...named]);
}

/** Returns the brands that the phrases name, or undefined if they name none. */
export function listBrands(phrases: readonly PhraseMatch[]): ReadonlySet<string> | undefined {
  let brands: Set<string> | undefined;
  for (const { meaning } of phrases) {
    if (meaning.kind === "brand" || meaning.kind === "model")
      brands = (brands ?? new Set()).add(meaning.brand);
  }
  return brands;
}

/** Drops phrases that overlap a reference: the LN of 126610LN does not mean "like new". */
function phrasesOutside(
  phrases: readonly PhraseMatch[],
  references: readonly PlacedReference[],
): PhraseMatch[] {
  let next = 0;
  return phrases.filter((phrase) => {
    while (next < references.length && (references[next]?.to ?? 0) <= phrase.from) next += 1;
    const reference = references[next];
    return reference === undefined || reference.from >= phrase.to;
  });
}

/** A reference can end inside a run of letters ("126610LNblack"). The rest becomes a token of its own. */
function splitTokensAtReferences(
  tokens: readonly Token[],
  references: readonly ReferenceMatch[],
  { text, lexicon }: { readonly text: string; readonly lexicon: Lexicon },
): readonly Token[] {
  if (!endsInsideToken(tokens, references)) return tokens;
  const split: Token[] = [];
  let next = 0;
  for (const token of tokens) {
    while (next < references.length && (references[next]?.end ?? 0) <= token.start) next += 1;
    const end = references[next]?.end ?? token.end;
    if (end >= token.end) {
      split.push(token);
      continue;
    }
    const part = (start: number, stop: number, isGlued: boolean): Token => {
      const slice = text.slice(start, stop);
      const word = slice.toLowerCase();
      const facts = lexicon.spelling.facts.get(word);
      return { kind: token.kind, text: slice, word, start, end: stop, isGlued, facts };
    };
    split.push(part(token.start, end, token.isGlued), part(end, token.end, true));
  }
  return split;
}

function endsInsideToken(tokens: readonly Token[], references: readonly ReferenceMatch[]): boolean {
  let at = 0;
  for (const { end } of references) {
    while ((tokens[at]?.end ?? end) < end) at += 1;
    if ((tokens[at]?.end ?? end) !== end) return true;
  }
  return false;
}

function placeReferences(
  tokens: readonly Token[],
  references: readonly ReferenceMatch[],
  source: NormalLine,
): PlacedReference[] {
  const placed: PlacedReference[] = [];
  let at = 0;
  for (const reference of references) {
    while ((tokens[at]?.start ?? reference.start) < reference.start) at += 1;
    const from = at;
    while ((tokens[at]?.end ?? Number.POSITIVE_INFINITY) <= reference.end) at += 1;
    placed.push(placeReference(reference, { from, to: at }, source));
  }
  return placed;
}

/** Written out, because a spread of so many fields is slow. */
function placeReference(found: ReferenceMatch, span: Span, source: NormalLine): PlacedReference {
  return {
    start: found.start,
    end: found.end,
    text: found.text,
    brand: found.brand,
    model: found.model,
    launchedYear: found.launchedYear,
    usualEur: found.usualEur,
    dial: found.dial,
    repaired: found.repaired,
    isKnown: found.isKnown,
    isDigitsOnly: found.isDigitsOnly,
    score: found.score,
    from: span.from,
    to: span.to,
    source,
  };
}

/** Finds phrases between the references only: the LN of 126610LN does not mean "like new". */
function phrasesBetween(
  tokens: readonly Token[],
  references: readonly PlacedReference[],
  { lexicon, isWide }: { readonly lexicon: Lexicon; readonly isWide: boolean },
): PhraseMatch[] {
  const phrases: PhraseMatch[] = [];
  let from = 0;
  for (const stop of [...references, { from: tokens.length, to: tokens.length }]) {
    for (const phrase of findPhrases(tokens.slice(from, stop.from), lexicon, isWide)) {
      const { meaning } = phrase;
      phrases.push({ from: phrase.from + from, to: phrase.to + from, meaning });
    }
    from = stop.to;
  }
  return phrases;
}

function makeLine(
  source: NormalLine,
  parts: {
    readonly tokens: readonly Token[];
    readonly phrases: readonly PhraseMatch[];
    readonly references: readonly PlacedReference[];
    readonly lexicon: Lexicon;
  },
  { starts, ends }: PhraseIndex,
): Line {
  const { tokens, phrases, references, lexicon } = parts;
  const claims =
    tokens.length === 0 ? NO_CLAIMS : new Array<Claim | undefined>(tokens.length).fill(undefined);
  for (const reference of references) claims.fill("reference", reference.from, reference.to);
  for (const phrase of phrases) {
    // "Code 11.59" and "OP 36" are names. Their numbers are neither dates nor amounts.
    if (phrase.meaning.kind === "model") claims.fill("name", phrase.from, phrase.to);
  }
  return { source, tokens, phrases, references, claims, starts, ends, lexicon };
}

const NO_CLAIMS: undefined[] = [];
