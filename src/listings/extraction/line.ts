import type { Catalogue } from "./catalogue/catalogue.ts";
import { findMarks, type Mark } from "./lexicon.ts";
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
  readonly marks: readonly Mark[];
  readonly references: readonly PlacedReference[];
  /** For each token whether it was read. */
  readonly claimed: boolean[];
  /** The phrase that starts at a token, and the one that ends right before it. */
  readonly starts: readonly (Mark | undefined)[];
  readonly ends: readonly (Mark | undefined)[];
}

export function isFree(line: Line, at: number): boolean {
  return line.claimed[at] === false;
}

export function claim(line: Line, from: number, to: number): void {
  line.claimed.fill(true, from, to);
}

/** The phrase that starts at this token. */
export function markAt(line: Line, at: number): Mark | undefined {
  return line.starts[at];
}

/** The phrase that ends right before this token. */
export function markEndingAt(line: Line, at: number): Mark | undefined {
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

/** A reference with the tokens that it takes. */
export type PlacedReference = ReferenceMatch & Span;

/** What the lines above have named. */
export interface Above {
  readonly brands: ReadonlySet<string>;
  /** A reference that cannot be taken for an amount. */
  readonly hasReference: boolean;
}

/** Splits a line into tokens and finds its phrases and references. */
export function openLine(source: NormalLine, catalogue: Catalogue, above: Above): Line {
  const { lexicon } = catalogue;
  const tokens = tokenize(source.text, lexicon.spelling);
  const marks = findMarks(tokens, lexicon);
  const context = {
    text: source.text,
    tokens,
    marks,
    catalogue,
    brands: withNamed(above.brands, marks),
    isBelowReference: above.hasReference,
  };
  const found = withoutClosingAmount(context, findReferences(context));
  if (found.length === 0) return makeLine(source, { tokens, marks, references: [] });
  const cut = cutTokens(tokens, found, source.text);
  const references = placeReferences(cut, found);
  const isCut = cut.length !== tokens.length;
  return makeLine(source, {
    tokens: cut,
    marks: isCut ? marksBetween(cut, references, catalogue) : marksOutside(marks, references),
    references,
  });
}

function withNamed(brands: ReadonlySet<string>, marks: readonly Mark[]): ReadonlySet<string> {
  let named: Set<string> | undefined;
  for (const { meaning } of marks) {
    if (meaning.kind !== "brand" && meaning.kind !== "model") continue;
    named ??= new Set(brands);
    named.add(meaning.brand);
  }
  return named ?? brands;
}

/** The LN of 126610LN is no condition: phrases that touch a reference are dropped. */
function marksOutside(marks: readonly Mark[], references: readonly PlacedReference[]): Mark[] {
  let next = 0;
  return marks.filter((mark) => {
    while (next < references.length && (references[next]?.to ?? 0) <= mark.from) next += 1;
    const reference = references[next];
    return reference === undefined || reference.from >= mark.to;
  });
}

/** Words that join two watches. */
export const JOINTS: ReadonlySet<string> = new Set("and or und oder en of et ou e o y".split(" "));

/** "11661lv 04/2019 84000": behind another reference, a round number that closes a line without an ask is the ask. */
function withoutClosingAmount(
  context: ReferenceContext,
  found: ReferenceMatch[],
): ReferenceMatch[] {
  const last = found.at(-1);
  if (last === undefined) return findOddReference(context);
  const isClosing =
    last.isPlain &&
    last.text.endsWith("00") &&
    last.end === context.tokens.findLast((token) => token.kind !== "mark")?.end;
  if (!isClosing || context.marks.some(({ meaning }) => meaning.kind === "currency")) return found;
  const before = found.length > 1 ? found.slice(0, -1) : findOddReference(context);
  const previous = before.at(-1);
  // "WTB 116200 or 126200" names two watches: an ask stands behind something that is said of the first.
  const isSaidMore = context.tokens.some(
    (token) =>
      previous !== undefined &&
      token.start >= previous.end &&
      token.end <= last.start &&
      token.kind !== "mark" &&
      !JOINTS.has(token.word),
  );
  return isSaidMore ? before : found;
}

/** A reference may end inside a run of letters ("126610LNblack"): what is left becomes a token of its own. */
function cutTokens(
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
function marksBetween(
  tokens: readonly Token[],
  references: readonly PlacedReference[],
  catalogue: Catalogue,
): Mark[] {
  const marks: Mark[] = [];
  let from = 0;
  for (const stop of [...references, { from: tokens.length, to: tokens.length }]) {
    for (const mark of findMarks(tokens.slice(from, stop.from), catalogue.lexicon)) {
      marks.push({ ...mark, from: mark.from + from, to: mark.to + from });
    }
    from = stop.to;
  }
  return marks;
}

function makeLine(
  source: NormalLine,
  parts: {
    readonly tokens: readonly Token[];
    readonly marks: readonly Mark[];
    readonly references: readonly PlacedReference[];
  },
): Line {
  const { tokens, marks, references } = parts;
  const claimed = tokens.length === 0 ? NONE : new Array<boolean>(tokens.length).fill(false);
  for (const reference of references) claimed.fill(true, reference.from, reference.to);
  if (marks.length === 0) return { source, ...parts, claimed, starts: NO_MARKS, ends: NO_MARKS };
  const starts = new Array<Mark | undefined>(tokens.length + 1).fill(undefined);
  const ends = new Array<Mark | undefined>(tokens.length + 1).fill(undefined);
  for (const mark of marks) {
    starts[mark.from] = mark;
    ends[mark.to] = mark;
    // "Code 11.59" and "OP 36" are names: their numbers are neither dates nor amounts.
    if (mark.meaning.kind === "model") claimed.fill(true, mark.from, mark.to);
  }
  return { source, ...parts, claimed, starts, ends };
}

const NONE: boolean[] = [];
const NO_MARKS: readonly undefined[] = [];
