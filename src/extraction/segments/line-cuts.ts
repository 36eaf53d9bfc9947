/** Where the text of one watch ends in a line, and that of the next one starts. */
import type { Line } from "../lines/line.ts";
import type { LineReading } from "../lines/line-reading.ts";
import type { Meaning } from "../text/meaning.ts";
import { firstFrom, isSign, lastUntil, type Span, tokenAt, within } from "../text/token.ts";
import { isA } from "../words/words.ts";

/** What can be before the name of a watch. */
type Lead = Meaning["kind"] | "date" | "price";

/** Words, dates and amounts of a line, in order. */
interface Item extends Span {
  readonly kind: Lead;
}

/** Kinds that always lead to a name. */
const NAMING_KINDS: ReadonlySet<Lead> = new Set(["brand", "model", "side"]);

/** Kinds that lead to a name only where they also lead to the first name of the line. */
const LEADING_KINDS: ReadonlySet<Lead> = new Set([
  "date",
  "price",
  "condition",
  "set",
  "dial",
  "bracelet",
]);

/** Kinds that are before the first name of the line and not behind the last: so they are before every name. */
export function listLeads(reading: LineReading, names: Span): ReadonlySet<Lead> {
  const { tokens } = reading.line;
  const behind = new Set(
    listItems(reading, { from: names.to, to: tokens.length }).map(({ kind }) => kind),
  );
  const before = listItems(reading, { from: 0, to: names.from }).map(({ kind }) => kind);
  // "126334 new 126300": without asks, a condition between two references is about the second.
  if (reading.prices.length === 0) before.push("condition");
  return new Set(before.filter((kind) => LEADING_KINDS.has(kind) && !behind.has(kind)));
}

/** Returns where the text of the next watch starts: `between` is the text from the name above to its name. */
export function findStart(reading: LineReading, between: Span, leads: ReadonlySet<Lead>): number {
  const cut = findCut(reading, between, leads);
  if (cut !== undefined) return cut;
  let start = between.to;
  for (const item of listItems(reading, between).toReversed()) {
    if (!NAMING_KINDS.has(item.kind) && !leads.has(item.kind)) break;
    if (!isBeside(reading.line, item.to, start)) break;
    start = item.from;
  }
  return start;
}

/**
 * Returns the end of the last separator, if there is one. An ask behind it leads to the next watch only if the watch above
 * has its own: "126334 | 2022 | €9.450 126300 | 2021 | €8.100" is not cut there.
 */
function findCut(
  reading: LineReading,
  between: Span,
  leads: ReadonlySet<Lead>,
): number | undefined {
  let at = between.to - 1;
  while (at >= between.from && !isSeparator(reading.line, at)) at -= 1;
  if (at < between.from) return undefined;
  const ask = lastUntil(reading.prices, between.to)?.from ?? -1;
  if (ask <= at || leads.has("price")) return at + 1;
  return within(reading.prices, { from: between.from, to: at }).length > 0 ? at + 1 : undefined;
}

/** Returns true for a bullet, a semicolon, a bar, two slashes, and the full stop of a sentence. */
export function isSeparator({ tokens, claims }: Line, at: number): boolean {
  const token = tokenAt(tokens, at);
  if (token?.kind !== "symbol" || claims[at] !== undefined) return false;
  const before = tokenAt(tokens, at - 1);
  if (token.word === "/") return before?.word === "/" && token.isGlued;
  // "Ref. 126334" is one sentence.
  if (token.word === ".")
    return token.isGlued && tokens[at + 1]?.isGlued === false && !isA(before, "reference");
  return isSign(token, "\u2022|;");
}

function listItems({ line, dates, prices }: LineReading, range: Span): Item[] {
  const items: Item[] = [];
  for (const { from, to } of within(prices, range)) items.push({ from, to, kind: "price" });
  for (const { from, to, isOtherEvent } of within(dates, range))
    if (!isOtherEvent) items.push({ from, to, kind: "date" });
  for (const { from, to, meaning } of within(line.phrases, range))
    if (!isInside(prices, { from, to })) items.push({ from, to, kind: meaning.kind });
  return items.sort((a, b) => a.from - b.from);
}

/** The currency is a word too, and part of the amount. */
function isInside(spans: readonly Span[], { from, to }: Span): boolean {
  return firstFrom(spans, from)?.from === from || lastUntil(spans, to)?.to === to;
}

/** Returns true if only symbols and "Ref." are between the two. */
function isBeside({ tokens }: Line, from: number, to: number): boolean {
  return tokens
    .slice(from, to)
    .every((token) => token.kind === "symbol" || isA(token, "reference"));
}
