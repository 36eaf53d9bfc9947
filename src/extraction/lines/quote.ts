import type { LineSpan, Quote } from "../extraction.ts";
import type { Line } from "./line.ts";
import type { NormalLine } from "./normalize.ts";
import type { Span } from "./span.ts";

/** For a value that does not come from the message. */
export const NO_QUOTE: Quote = { words: "", lineSpans: [] };

/** Quotes characters of a normalised line. */
export function quoteText(
  source: NormalLine,
  { start, end }: { readonly start: number; readonly end: number },
): Quote {
  return {
    words: source.text.slice(start, end),
    lineSpans: [{ line: source.sourceLine, start, end }],
  };
}

export function quoteTokens({ source, tokens }: Line, { from, to }: Span): Quote {
  const start = tokens[from]?.start ?? 0;
  return quoteText(source, { start, end: tokens[to - 1]?.end ?? start });
}

/** Joins quotes of one piece each, in the order of the text. */
export function joinQuotes(quotes: readonly Quote[], separator: string): Quote {
  const [only] = quotes;
  if (only !== undefined && quotes.length === 1) return only;
  const ordered = quotes.toSorted((a, b) => compareSpans(a.lineSpans[0], b.lineSpans[0]));
  return {
    words: ordered.map(({ words }) => words).join(separator),
    lineSpans: ordered.flatMap(({ lineSpans }) => lineSpans),
  };
}

function compareSpans(a: LineSpan | undefined, b: LineSpan | undefined): number {
  if (a === undefined || b === undefined) return 0;
  return a.line - b.line || a.start - b.start;
}
