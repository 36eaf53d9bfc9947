import type { Catalogue } from "./catalogue/catalogue.ts";
import { findPhrases, type PhraseMatch } from "./lexicon.ts";
import type { NormalLine } from "./normalize.ts";
import { findOddReference } from "./odd-references.ts";
import type { ReferenceContext, ReferenceMatch } from "./reference-match.ts";
import { findReferences } from "./references.ts";
import { type Span, within } from "./span.ts";
import { type Token, tokenize } from "./tokens.ts";

/**
 * One line with its tokens and known phrases. Plain data, and little of it: a message may have thousands of lines, and all
 * of them are kept until it is read. Each reader claims what it has read, so that no token is read twice.
 */
export interface Line {
  readonly source: NormalLine;
  readonly tokens: readonly Token[];
  readonly phrases: readonly PhraseMatch[];
  readonly references: readonly PlacedReference[];
  /** For each token whether it was read. */
  readonly claimed: boolean[];
  /** The phrase that starts at a token, and the one that ends right before it. */
  readonly starts: readonly (PhraseMatch | undefined)[];
  readonly ends: readonly (PhraseMatch | undefined)[];
}

export function isFree(line: Line, at: number): boolean {
  return line.claimed[at] === false;
}

export function claim(line: Line, from: number, to: number): void {
  line.claimed.fill(true, from, to);
}

/** The phrase that starts at this token. */
export function phraseAt(line: Line, at: number): PhraseMatch | undefined {
  return line.starts[at];
}

/** The phrase that ends right before this token. */
export function phraseEndingAt(line: Line, at: number): PhraseMatch | undefined {
  return line.ends[at];
}

/** Whether a currency word ends right before this token. */
export function endsCurrency(line: Line, at: number): boolean {
  return line.ends[at]?.meaning.kind === "currency";
}

/** Whether a reference ends right before this token. */
export function endsReference(line: Line, at: number): boolean {
  return within(line.references, { from: 0, to: at }).at(-1)?.to === at;
}

/** Returns the text of the tokens `from` up to but not including `to`, as it is in the line. */
export function textBetween(line: Line, from: number, to: number): string {
  const start = line.tokens[from]?.start ?? 0;
  const end = line.tokens[to - 1]?.end ?? start;
  return line.source.text.slice(start, end);
}

/** A reference with the tokens that it takes. */
export type PlacedReference = ReferenceMatch & Span;

/** What the lines above have named. */
export interface LinesAbove {
  readonly brands: ReadonlySet<string>;
  /** A reference that cannot be taken for an amount. */
  readonly hasReference: boolean;
}

/** Splits a line into tokens and finds its phrases and references. */
export function analyzeLine(source: NormalLine, catalogue: Catalogue, above: LinesAbove): Line {
  const { lexicon } = catalogue;
  const tokens = tokenize(source.text, lexicon.spelling);
  const phrases = findPhrases(tokens, lexicon);
  const context = {
    text: source.text,
    tokens,
    phrases,
    catalogue,
    brands: addNamedBrands(above.brands, phrases),
    isBelowReference: above.hasReference,
  };
  const found = dropClosingPrice(context, findReferences(context));
  if (found.length === 0) return makeLine(source, { tokens, phrases, references: [] });
  const cut = splitTokensAtReferences(tokens, found, source.text);
  const references = placeReferences(cut, found);
  const isCut = cut.length !== tokens.length;
  return makeLine(source, {
    tokens: cut,
    phrases: isCut
      ? phrasesBetween(cut, references, catalogue)
      : phrasesOutside(phrases, references),
    references,
  });
}

function addNamedBrands(
  brands: ReadonlySet<string>,
  phrases: readonly PhraseMatch[],
): ReadonlySet<string> {
  let named: Set<string> | undefined;
  for (const { meaning } of phrases) {
    if (meaning.kind !== "brand" && meaning.kind !== "model") continue;
    named ??= new Set(brands);
    named.add(meaning.brand);
  }
  return named ?? brands;
}

/** The LN of 126610LN is no condition: phrases that touch a reference are dropped. */
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

/** Words that join two watches. */
export const JOINING_WORDS: ReadonlySet<string> = new Set(
  "and or und oder en of et ou e o y".split(" "),
);

/** "11661lv 04/2019 84000": behind another reference, a round number that closes a line without an ask is the ask. */
function dropClosingPrice(context: ReferenceContext, found: ReferenceMatch[]): ReferenceMatch[] {
  const last = found.at(-1);
  if (last === undefined) return findOddReference(context);
  const isClosing =
    last.isDigitsOnly &&
    last.text.endsWith("00") &&
    last.end === context.tokens.findLast((token) => token.kind !== "symbol")?.end;
  if (!isClosing || context.phrases.some(({ meaning }) => meaning.kind === "currency"))
    return found;
  const before = found.length > 1 ? found.slice(0, -1) : findOddReference(context);
  const previous = before.at(-1);
  // "WTB 116200 or 126200" names two watches: an ask stands behind something that is said of the first.
  const isSaidMore = context.tokens.some(
    (token) =>
      previous !== undefined &&
      token.start >= previous.end &&
      token.end <= last.start &&
      token.kind !== "symbol" &&
      !JOINING_WORDS.has(token.word),
  );
  return isSaidMore ? before : found;
}

/** A reference may end inside a run of letters ("126610LNblack"): what is left becomes a token of its own. */
function splitTokensAtReferences(
  tokens: readonly Token[],
  references: readonly ReferenceMatch[],
  text: string,
): Token[] {
  const cut: Token[] = [];
  let next = 0;
  for (const token of tokens) {
    while (next < references.length && (references[next]?.end ?? 0) <= token.start) next += 1;
    const end = references[next]?.end ?? token.end;
    if (end >= token.end) {
      cut.push(token);
      continue;
    }
    const part = (start: number, stop: number, isGlued: boolean): Token => {
      const slice = text.slice(start, stop);
      return { ...token, text: slice, word: slice.toLowerCase(), start, end: stop, isGlued };
    };
    cut.push(part(token.start, end, token.isGlued), part(end, token.end, true));
  }
  return cut;
}

function placeReferences(
  tokens: readonly Token[],
  references: readonly ReferenceMatch[],
): PlacedReference[] {
  const placed: PlacedReference[] = [];
  let at = 0;
  for (const reference of references) {
    while ((tokens[at]?.start ?? reference.start) < reference.start) at += 1;
    const from = at;
    while ((tokens[at]?.end ?? Number.POSITIVE_INFINITY) <= reference.end) at += 1;
    placed.push(Object.assign(reference, { from, to: at }));
  }
  return placed;
}

/** Phrases are looked for between references only: the LN of 126610LN is no condition. */
function phrasesBetween(
  tokens: readonly Token[],
  references: readonly PlacedReference[],
  catalogue: Catalogue,
): PhraseMatch[] {
  const phrases: PhraseMatch[] = [];
  let from = 0;
  for (const stop of [...references, { from: tokens.length, to: tokens.length }]) {
    for (const phrase of findPhrases(tokens.slice(from, stop.from), catalogue.lexicon)) {
      phrases.push({ ...phrase, from: phrase.from + from, to: phrase.to + from });
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
  },
): Line {
  const { tokens, phrases, references } = parts;
  const claimed = tokens.length === 0 ? NO_CLAIMS : new Array<boolean>(tokens.length).fill(false);
  for (const reference of references) claimed.fill(true, reference.from, reference.to);
  if (phrases.length === 0)
    return { source, ...parts, claimed, starts: NO_PHRASES, ends: NO_PHRASES };
  const starts = new Array<PhraseMatch | undefined>(tokens.length + 1).fill(undefined);
  const ends = new Array<PhraseMatch | undefined>(tokens.length + 1).fill(undefined);
  for (const phrase of phrases) {
    starts[phrase.from] = phrase;
    ends[phrase.to] = phrase;
    // "Code 11.59" and "OP 36" are names: their numbers are neither dates nor amounts.
    if (phrase.meaning.kind === "model") claimed.fill(true, phrase.from, phrase.to);
  }
  return { source, ...parts, claimed, starts, ends };
}

const NO_CLAIMS: boolean[] = [];
const NO_PHRASES: readonly undefined[] = [];
