/**
 * Labelled messages as plain text, easier to write by hand than JSON: a message as it was sent, and what must be read in it,
 * one watch a line behind `=>`. `docs/extraction.md` describes the format.
 *
 * Example:
 *   [EUR 2026-04]
 *   # The currency can be behind the amount
 *   126710BLNR 2023 full set 14.300€ => sell Rolex 126710BLNR 2023 full_set 14300 EUR
 *   USED
 *   126334 2021 €9.500
 *   126333 €11.200
 *   => sell Rolex 126334 2021 used 9500 EUR
 *   => sell Rolex 126333 no year used 11200 EUR
 *   Anyone know a good watchmaker? => nothing #talk #en
 */
import { OperatorError } from "../base/errors.ts";
import { isCurrency } from "./corrections/correction.ts";
import type { Label, LabelInput, LabelPrice, ListingLabel } from "./label.ts";

/** A watch of a labelled text. It can say more than a label that is scored. */
export interface WatchLabel extends ListingLabel {
  readonly side?: string;
  readonly reference_normalized?: string | null;
  readonly variant?: string | null;
  readonly retail_price?: LabelPrice | null;
  readonly status?: string | null;
  /** Why values were found but not used. */
  readonly left_out?: readonly string[];
}

export interface TextLabel {
  /** Where the message starts, from 1. */
  readonly line: number;
  /** The `#` line above it. */
  readonly title: string;
  /** The `!` line above it, such as "must hold". */
  readonly mode: string;
  readonly input: LabelInput;
  readonly expected: Label & { readonly listings: readonly WatchLabel[] };
  /** Behind `nothing`: any of these rejections is right. */
  readonly rejections: readonly string[];
  readonly tags: readonly string[];
}

type Context = Omit<LabelInput, "text">;

interface Reader {
  readonly labels: TextLabel[];
  first: Context | undefined;
  context: Context;
  title: string;
  mode: string;
}

/** Returns the messages of a text in order. Throws an error with the line that cannot be read. */
export function parseLabelText(text: string): readonly TextLabel[] {
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  const reader: Reader = { labels: [], first: undefined, context: {}, title: "", mode: "" };
  let at = 0;
  while (at < lines.length) {
    if (readDirective(reader, lines[at] ?? "")) at += 1;
    else at = readLabel(reader, lines, at);
  }
  return reader.labels;
}

/** Reads a blank line, a title, a mode or a context. Any other line starts a message. */
function readDirective(reader: Reader, line: string): boolean {
  if (line.trim() === "") return true;
  if (line.startsWith("#")) {
    reader.title = line.slice(1).trim();
    reader.context = reader.first ?? {};
    return true;
  }
  const mode = /^! ((?:must hold|scored).*)$/.exec(line)?.[1];
  if (mode !== undefined) {
    reader.mode = mode;
    return true;
  }
  const context = parseContext(line, reader.first ?? {});
  if (context === undefined) return false;
  reader.first ??= context;
  reader.context = context;
  return true;
}

/** "[HKD +852 2026-04-02]", "[no date]": names what differs from the first such line. Other text in brackets is none. */
function parseContext(line: string, first: Context): Context | undefined {
  const words = /^\[(.*)\]$/.exec(line)?.[1]?.replaceAll("no ", "no_").split(" ");
  if (words === undefined) return undefined;
  const context: { -readonly [Name in keyof Context]: Context[Name] } = { ...first };
  for (const word of words) {
    if (word === "no_currency") delete context.default_currency;
    else if (word === "no_date") delete context.message_date;
    else if (/^\+\d{1,4}$/.test(word)) context.sender_country = word.slice(1);
    else if (/^\d{4}-\d{2}(-\d{2})?$/.test(word)) context.message_date = word;
    else if (isCurrency(word)) context.default_currency = word;
    else return undefined;
  }
  return context;
}

/** Reads a message and its result lines. Returns the line behind them. */
function readLabel(reader: Reader, lines: readonly string[], start: number): number {
  const message: string[] = [];
  const results: string[] = [];
  let at = start;
  while (at < lines.length && results.length === 0) {
    const [, text = "", result] = /^(.*?)(?:(?:^| )=> (.*))?$/.exec(lines[at] ?? "") ?? [];
    if (result !== undefined) results.push(result);
    if (result === undefined || text !== "") message.push(text);
    at += 1;
  }
  while (lines[at]?.startsWith("=> ")) {
    results.push((lines[at] ?? "").slice(3));
    at += 1;
  }
  try {
    if (results.length === 0) throw new OperatorError("a message without => below it");
    const input = { text: message.map(unescapeText).join("\n"), ...reader.context };
    const { title, mode } = reader;
    reader.labels.push({ line: start + 1, title, mode, input, ...parseResults(results) });
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    throw new OperatorError(`line ${start + 1}: ${error.message}`, error);
  }
  return at;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** `\n`, `\r`, `\t`, `\u{1F600}`; before any other character, and at the end of a line, a backslash is left out. */
function unescapeText(line: string): string {
  return line.replace(
    /\\(?:u\{([0-9A-Fa-f]{1,6})\}|(.?))/g,
    (_, code: string | undefined, other: string) =>
      code === undefined
        ? (ESCAPES[other] ?? other)
        : String.fromCodePoint(Number.parseInt(code, 16)),
  );
}

function parseResults(
  results: readonly string[],
): Pick<TextLabel, "expected" | "rejections" | "tags"> {
  const rows = results.map((result) => {
    const words = result.match(/"[^"]*"|\S+/g) ?? [];
    return {
      words: words.filter((word) => !word.startsWith("#")),
      tags: words.filter((word) => word.startsWith("#")).map((tag) => tag.slice(1)),
    };
  });
  const tags = rows.flatMap((row) => row.tags);
  const [first, ...others] = rows[0]?.words ?? [];
  if (first === "nothing") {
    if (rows.length > 1) throw new OperatorError('"nothing" is the only result of its message');
    const rejections = others.filter((word) => word !== "or");
    return { expected: { side: "none", listings: [] }, rejections, tags };
  }
  const listings = rows.map(({ words }) => parseWatch(words));
  const side = listings[0]?.side;
  const expected = side === undefined ? { listings } : { side, listings };
  return { expected, rejections: [], tags };
}

type Watch = { -readonly [Name in keyof WatchLabel]: WatchLabel[Name] };

/** Words that are a value. */
const VALUES: Readonly<Record<string, WatchLabel>> = {
  sell: { side: "for_sale" },
  want: { side: "want_to_buy" },
  new: { condition: "NEW" },
  like_new: { condition: "LIKE_NEW" },
  used: { condition: "USED" },
  full_set: { full_set_status: ["FULL_SET"] },
  watch_card: { full_set_status: ["WATCH_AND_CARD"] },
  watch_box: { full_set_status: ["WATCH_AND_BOX"] },
  watch_only: { full_set_status: ["WATCH"] },
  sold: { status: "sold" },
  on_hold: { status: "on_hold" },
};

/** Words before a value, and behind `no`. */
const MEMBERS = {
  brand: "brand",
  model: "model",
  reference: "reference",
  key: "reference_normalized",
  dial: "dial_type",
  variant: "variant",
  year: "year",
  month: "card_month",
  condition: "condition",
  set: "full_set_status",
  price: "price",
  or: "alternative_price",
  retail: "retail_price",
  status: "status",
} as const satisfies Readonly<Record<string, keyof WatchLabel>>;
const NAMED = new Set(["brand", "model", "reference", "key", "dial", "variant"]);

/**
 * Reads the words of a watch from left to right: "sell Rolex 126334 2021/7 dial "blue roman" used 9500 EUR no status". Words
 * that mean nothing else are the brand, and the first number that is neither a year nor an amount is the reference.
 */
function parseWatch(words: readonly string[]): WatchLabel {
  const watch: Watch = {};
  const brand: string[] = [];
  let at = 0;
  const next = (): string => words[at++] ?? "";
  while (at < words.length) {
    const word = next();
    const date = /^((?:19|20)\d\d)(?:\/(\d{1,2}))?$/.exec(word);
    if (VALUES[word] !== undefined) Object.assign(watch, VALUES[word]);
    else if (word === "no") watch[MEMBERS[toMember(next())]] = null;
    else if (word === "or" || word === "retail") watch[MEMBERS[word]] = toPrice(next(), next());
    else if (word === "month") watch.card_month = Number(next());
    else if (word === "left_out") watch.left_out = [...(watch.left_out ?? []), next()];
    else if (NAMED.has(word)) Object.assign(watch, { [MEMBERS[toMember(word)]]: unquote(next()) });
    else if (/^\d/.test(word) && isPriceCurrency(words[at])) watch.price = toPrice(word, next());
    else if (date !== null) {
      watch.year = Number(date[1]);
      if (date[2] !== undefined) watch.card_month = Number(date[2]);
    } else if (/\d/.test(word) && watch.reference === undefined) watch.reference = unquote(word);
    else if (/\d/.test(word)) throw new OperatorError(`"${word}" is a second reference`);
    else if (Object.keys(watch).some((name) => name !== "side"))
      throw new OperatorError(`"${word}" is no known word, and the brand comes first`);
    else brand.push(unquote(word));
  }
  if (brand.length > 0) watch.brand = brand.join(" ");
  return watch;
}

function toMember(word: string): keyof typeof MEMBERS {
  if (Object.hasOwn(MEMBERS, word)) return word as keyof typeof MEMBERS;
  throw new OperatorError(`"no ${word}" must name one of: ${Object.keys(MEMBERS).join(", ")}`);
}

/** `?` is a currency that the label does not know. */
function isPriceCurrency(word = ""): boolean {
  return word === "?" || isCurrency(word);
}

function toPrice(amount: string, currency: string): LabelPrice {
  if (!/^\d+(\.\d{1,2})?$/.test(amount) || !isPriceCurrency(currency))
    throw new OperatorError(`"${amount} ${currency}" is no amount with its currency`);
  const amount_minor = Math.round(Number(amount) * 100);
  return { amount_minor, currency: currency === "?" ? null : currency };
}

function unquote(word: string): string {
  return word.replace(/^"(.*)"$/, "$1");
}
