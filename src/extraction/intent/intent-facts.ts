/**
 * What a text says about its intent: the facts that `intents.ts` weighs. A fact has a kind and a value, and is there or not.
 *
 * Idea: dealers write offers in a short style of their own, so structure says most: an ask, a date, a set, words of a
 * sentence, a part before the watch. Words add what the structure leaves open. All facts are gathered here, and none of them
 * decides alone.
 *
 * Example: "haha 33k for 116500LN, dream on" has `ask unit`, `described+ask 0`, `w haha`, `w for` and `w #price for`.
 */

import type { Line } from "../lines/line.ts";
import { type LinePart, pricesOf, wholeLine } from "../lines/line-reading.ts";
import { usualRatio } from "../listing/doubts.ts";
import type { ListingDraft } from "../listing/listing-draft.ts";
import { type Span, within } from "../text/token.ts";
import { isA, isPart } from "../words/words.ts";
import { follows } from "./listed-words.ts";

/** What the whole message has, worked out once for all its watches. */
export interface MessageFacts {
  readonly watchCount: number;
  readonly lineCount: number;
  readonly askCount: number;
}

/** Takes the facts, and the words of the text, each with the word behind it. The same fact may come twice. */
export interface FactSink {
  readonly add: (kind: string, value: string) => void;
  readonly addWord: (word: string, next: string) => void;
}

/** Longer texts are judged by their beginning. The bounds keep the work linear. */
const TOKENS_MAX = 160;
const HEADER_TOKENS_MAX = 60;

/** Gathers the facts about one watch and its text. */
export function gatherFacts(draft: ListingDraft, message: MessageFacts, sink: FactSink): void {
  const { segment } = draft;
  const own = listOwnText(draft, message);
  const style = isRich(draft) ? "rich" : "plain";
  addWatchFacts(draft, message, sink);
  addStyleFacts(draft, { own, style }, sink);
  addPartFacts(draft, style, sink);
  let left = TOKENS_MAX;
  for (const part of own) {
    const to = Math.min(part.to, part.from + left);
    addTokenFacts({ reading: part.reading, from: part.from, to }, style, sink);
    addPhraseFacts(part, sink);
    left -= to - part.from;
    if (left <= 0) break;
  }
  left = HEADER_TOKENS_MAX;
  for (const header of segment.headers.toReversed()) {
    const { from, to, reading } = wholeLine(header);
    const end = Math.min(to, from + left);
    for (let at = from; at < end; at += 1) addWordFacts(reading.line, at, "header", sink);
    addHeaderFacts({ reading, from, to: end }, style, sink);
    left -= end - from;
    if (left <= 0) break;
  }
}

/** The text that is about this watch. Below several watches, a line that says nothing about one of them is about the sale. */
function listOwnText(
  { segment, evidence }: ListingDraft,
  message: MessageFacts,
): readonly LinePart[] {
  const { parts, shared, ordinal } = segment;
  if (message.watchCount === 1) return parts;
  const own = parts.length === 1 ? parts : listSaid(parts, evidence);
  return ordinal > 0 ? [...shared, ...own] : own;
}

/** Returns the first part, and those that gave a value. */
function listSaid(parts: readonly LinePart[], evidence: ListingDraft["evidence"]): LinePart[] {
  const said = new Set(evidence.flatMap(({ lineSpans }) => lineSpans.map(({ line }) => line)));
  return parts.filter((part, at) => at === 0 || said.has(part.reading.line.source.sourceLine));
}

/** The watch, its ask and what describes it. */
function addWatchFacts(draft: ListingDraft, message: MessageFacts, { add }: FactSink): void {
  const { segment, fields, leftOut } = draft;
  const { reference } = segment;
  add("reference", reference === undefined ? "none" : reference.isKnown ? "known" : "unknown");
  const prices = pricesOf(segment.parts);
  const ask = prices.find(({ isRetail }) => !isRetail);
  add("ask", ask === undefined ? "none" : ask.strength);
  if (prices.length > 1) add("ask", "several");
  if (prices.some(({ isRetail }) => isRetail)) add("ask", "retail");
  if (prices.some(({ discountPercent }) => discountPercent !== undefined)) add("ask", "discount");
  if (leftOut.length > 0) add("ask", "left_out");
  if (fields.price !== undefined)
    add("ratio", ratioName(usualRatio(fields.price, reference?.usualEur)));
  const details =
    addDetail("date", fields.year ?? fields.cardMonth, add) +
    addDetail("set", fields.fullSetStatus, add) +
    addDetail("condition", fields.condition, add) +
    addDetail("dial", fields.dialType, add) +
    addDetail("variant", fields.variant, add) +
    addDetail("status", fields.status, add);
  add(ask === undefined ? "described" : "described+ask", bucket(details));
  add("watches", bucket(message.watchCount));
  if (message.watchCount > 1) add("asks", shareName(message.askCount / message.watchCount));
  add("lines", bucket(message.lineCount));
  if (segment.ordinal > 0) add("has", "shared_line");
}

/** Returns 1 if there is a value. */
function addDetail(name: string, value: unknown, add: FactSink["add"]): number {
  if (value === undefined) return 0;
  add("has", name);
  return 1;
}

function ratioName(ratio: number | undefined): string {
  if (ratio === undefined) return "unknown";
  if (ratio < 0.08) return "tiny";
  if (ratio < 0.25) return "small";
  return ratio < 0.5 ? "low" : ratio < 2 ? "usual" : "high";
}

function shareName(share: number): string {
  return share === 0 ? "none" : share < 0.5 ? "few" : "most";
}

const BUCKETS = ["0", "1", "2", "3"] as const;

function bucket(count: number): string {
  return BUCKETS[count] ?? (count < 7 ? "4-6" : count < 12 ? "7-11" : "12+");
}

/** Two of date, set and condition, or one of them with an ask of the usual size: such a watch is sold with its parts. */
function isRich({ fields, segment }: ListingDraft): boolean {
  const count =
    Number(fields.year !== undefined) +
    Number(fields.fullSetStatus !== undefined) +
    Number(fields.condition !== undefined);
  if (count !== 1 || fields.price === undefined) return count > 1;
  return (usualRatio(fields.price, segment.reference?.usualEur) ?? 0) > USUAL_MIN;
}

const USUAL_MIN = 0.4;

/** Whether the text is written in sentences: words of sentences, words that no list knows, what it opens with. */
function addStyleFacts(
  draft: ListingDraft,
  { own, style }: { readonly own: readonly LinePart[]; readonly style: string },
  { add }: FactSink,
): void {
  const { segment, fields, evidence } = draft;
  let sentence = 0;
  let unknown = 0;
  for (const part of own) {
    const counted = countWords(part);
    sentence += counted.sentence;
    unknown += counted.unknown;
  }
  add("sentence", bucket(sentence));
  add("unknown", bucket(unknown));
  const prose = bucket(sentence + unknown);
  add(fields.price === undefined ? "prose" : "prose+ask", prose);
  add(fields.price === undefined ? style : `${style}+ask`, prose);
  if (opensWithWatch(segment.parts[0], segment.reference)) add("opens+sentence", bucket(sentence));
  const source = evidence.find(({ field }) => field === "side")?.source ?? "default";
  add(fields.side === "want_to_buy" ? "seeks" : "sells", source);
}

function opensWithWatch(part: LinePart | undefined, name: Span | undefined): boolean {
  if (part === undefined) return false;
  const { tokens, starts } = part.reading.line;
  let first = part.from;
  while (tokens[first]?.kind === "symbol") first += 1;
  if (name !== undefined) return name.from === first;
  const kind = starts[first]?.meaning.kind;
  return kind === "brand" || kind === "model";
}

/** Words inside known phrases ("in the box", "never worn") do not count. */
function countWords({ reading, from, to }: LinePart): {
  readonly sentence: number;
  readonly unknown: number;
} {
  const { tokens, starts, claims } = reading.line;
  const end = Math.min(to, from + TOKENS_MAX);
  let sentence = 0;
  let unknown = 0;
  for (let at = from; at < end; at += 1) {
    const phrase = starts[at];
    const isCue = phrase?.meaning.kind === "cue" && phrase.to === at + 1;
    if (phrase !== undefined && !isCue) {
      at = phrase.to - 1;
      continue;
    }
    const token = tokens[at];
    if (token?.kind !== "letters" || claims[at] !== undefined) continue;
    if (isA(token, "sentence")) sentence += 1;
    else if (phrase === undefined && token.word.length > 1) unknown += 1;
  }
  return { sentence, unknown };
}

/** Tokens between a part and the watch that it fits. */
const PART_GAP_MAX = 8;

/** "Strap for 5167A", "116610LN bezel only": where parts stand beside the watch. */
function addPartFacts({ segment }: ListingDraft, style: string, { add }: FactSink): void {
  const [part] = segment.parts;
  const name = segment.reference ?? (part === undefined ? undefined : firstName(part));
  if (part === undefined || name === undefined) return;
  const { tokens } = part.reading.line;
  let isFitted = false;
  for (let at = name.from - 1; at >= 0 && at >= name.from - PART_GAP_MAX; at -= 1) {
    const token = tokens[at];
    isFitted ||= isA(token, "for", "fit", "from");
    if (!isPart(token)) continue;
    add(isFitted ? "part_for_watch" : "part_before_watch", style);
    if (isA(token, "strap", "loose_part", "part"))
      add(isFitted ? "loose_for" : "loose_before", style);
    break;
  }
  if (isPart(tokens[name.to]))
    add(isA(tokens[name.to + 1], "only") ? "part_only" : "part_behind", style);
  let first = part.from;
  while (first < part.to && tokens[first]?.kind !== "letters") first += 1;
  if (isPart(tokens[first])) add("part_first", style);
}

function firstName(part: LinePart): Span | undefined {
  return within(part.reading.line.phrases, part).find(
    ({ meaning }) => meaning.kind === "model" || meaning.kind === "brand",
  );
}

/** What the phrases of the lexicon say. */
function addPhraseFacts(part: LinePart, { add }: FactSink): void {
  for (const { meaning } of within(part.reading.line.phrases, part)) {
    if (meaning.kind === "cue") add("cue", meaning.cue);
    else if (meaning.kind === "side") add(meaning.isWeak ? "says_weakly" : "says", meaning.side);
    else if (meaning.kind === "place") add("has", "place");
  }
}

/** "New RRP from May:": list prices above watches that nothing else describes are news. */
function addHeaderFacts(part: LinePart, style: string, { add }: FactSink): void {
  for (const { meaning } of within(part.reading.line.phrases, part)) {
    if (meaning.kind === "cue") add(`header_${style}`, meaning.cue);
    else if (meaning.kind === "side") add("header", meaning.side);
  }
}

const THINGS: ReadonlySet<string> = new Set([
  "accessory",
  "gift",
  "strap",
  "loose_part",
  "part_of_watch",
  "set_piece",
  "part",
  "greeting",
  "ask",
]);

/** Stand for a watch, an amount and a date, so that "for #price" is one pair of words whatever the amount is. */
const MARKS = { watch: "#watch", price: "#price", date: "#date" } as const;

/** The words of the part in order, the classes of phrases that start with them, and the things that they name. */
function addTokenFacts(part: LinePart, style: string, sink: FactSink): void {
  const { line } = part.reading;
  const marks = listMarks(part);
  let next = 0;
  let last = "";
  for (let at = part.from; at < part.to; at += 1) {
    const mark = marks[next];
    let word = "";
    if (mark !== undefined && mark.from <= at) {
      next += 1;
      if (mark.to <= at) {
        at -= 1;
        continue;
      }
      word = mark.mark;
      at = mark.to - 1;
      if (word === last) continue;
    } else {
      const token = line.tokens[at];
      if (token === undefined) break;
      addWordFacts(line, at, style, sink);
      if (token.kind === "letters" || token.word === "?" || token.word === "!") word = token.word;
    }
    if (last !== "") sink.addWord(last, word);
    last = word;
  }
  if (last !== "") sink.addWord(last, "");
}

function addWordFacts(line: Line, at: number, style: string, { add }: FactSink): void {
  const token = line.tokens[at];
  if (token?.facts === undefined) return;
  for (const { list, rest } of token.facts.listed)
    if (follows(line.tokens, at + 1, rest)) add(style === "header" ? "h_class" : "class", list);
  for (const name of token.facts.classes) if (THINGS.has(name)) add(name, style);
}

interface Mark extends Span {
  readonly mark: string;
}

/** Returns the watches, amounts and dates of the part, in order. */
function listMarks(part: LinePart): readonly Mark[] {
  const { line, prices, dates } = part.reading;
  const marks: Mark[] = [];
  for (const { from, to, meaning } of within(line.phrases, part))
    if (meaning.kind === "brand" || meaning.kind === "model")
      marks.push({ from, to, mark: MARKS.watch });
  for (const { from, to } of within(line.references, part))
    marks.push({ from, to, mark: MARKS.watch });
  for (const { from, to } of within(dates, part)) marks.push({ from, to, mark: MARKS.date });
  for (const { from, to } of within(prices, part)) marks.push({ from, to, mark: MARKS.price });
  return marks.length < 2 ? marks : marks.sort((a, b) => a.from - b.from);
}
