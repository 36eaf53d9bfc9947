/**
 * The corpus: messages with what must be read in them, as plain text (`docs/extraction.md`, Tests of the reading). A watch
 * is written and shown in one notation, so a failure shows the line to write.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseInput } from "../../src/cli/extract-message.ts";
import type { ExtractedListing, ExtractionInput, Price } from "../../src/extraction/extraction.ts";
import type { LabelPrice } from "../../src/listings/label.ts";
import { parseLabelText, type TextLabel, type WatchLabel } from "../../src/listings/label-text.ts";

const FOLDER = "test/corpus";
/** What a message is. A tag says it, else it follows from the expected result. */
const KINDS = ["offer", "request", "talk", "part", "header"] as const;

export interface CorpusMessage extends TextLabel {
  readonly file: string;
  readonly message: ExtractionInput;
  readonly kind: (typeof KINDS)[number];
  /** Such as `de`, where a tag says it. */
  readonly lang?: string;
}

export function listCorpusFiles(): readonly string[] {
  return readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".txt") && name !== "readings.txt")
    .sort()
    .map((name) => join(FOLDER, name));
}

export function readCorpus(file: string): readonly CorpusMessage[] {
  return parseCorpus(file, readFileSync(file, "utf8"));
}

/** The messages of a file. Throws an error with the file and the line that cannot be read. */
export function parseCorpus(file: string, text: string): readonly CorpusMessage[] {
  try {
    return parseLabelText(text).map((label) => toMessage(file, label));
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

function toMessage(file: string, label: TextLabel): CorpusMessage {
  const tagged = KINDS.find((kind) => label.tags.includes(kind));
  const lang = label.tags.find((tag) => !KINDS.some((kind) => kind === tag));
  return {
    ...label,
    file,
    message: parseInput({ ...label.input }),
    kind: tagged ?? guessKind(label),
    ...(lang === undefined ? {} : { lang }),
  };
}

function guessKind({ expected, rejections }: TextLabel): CorpusMessage["kind"] {
  if (expected.side === "none") return rejections.includes("part_or_accessory") ? "part" : "talk";
  return expected.side === "want_to_buy" ? "request" : "offer";
}

/** What was read of a watch, in the notation of the corpus: only the members that `asserted` has. */
export function showReading(listing: ExtractedListing, asserted: WatchLabel): string {
  const read: Readonly<Record<keyof WatchLabel, unknown>> = {
    side: listing.side,
    brand: listing.brand ?? null,
    model: listing.model ?? null,
    reference: listing.reference ?? null,
    reference_normalized: listing.referenceNormalized ?? null,
    dial_type: listing.dialType ?? null,
    variant: listing.variant ?? null,
    year: listing.year ?? null,
    card_month: listing.cardMonth ?? null,
    condition: listing.condition ?? null,
    full_set_status: listing.fullSetStatus ?? null,
    price: toLabelPrice(listing.price),
    alternative_price: toLabelPrice(listing.alternativePrice),
    retail_price: toLabelPrice(listing.retailPrice),
    status: listing.status ?? null,
    left_out: listing.leftOut.map(({ reason }) => reason),
  };
  const members = Object.entries(read).filter(([name]) => Object.hasOwn(asserted, name));
  return showWatch(Object.fromEntries(members) as WatchLabel);
}

function toLabelPrice(price: Price | undefined): LabelPrice | null {
  return price === undefined ? null : { amount_minor: price.amountMinor, currency: price.currency };
}

const SET_WORDS: Readonly<Record<string, string>> = {
  FULL_SET: "full_set",
  WATCH_AND_CARD: "watch_card",
  WATCH_AND_BOX: "watch_box",
  WATCH: "watch_only",
};

/** A watch in the notation of the corpus, its members always in the same order. */
export function showWatch(watch: WatchLabel): string {
  const named = (word: string, value: string | null | undefined) =>
    value == null ? absent(word, value) : `${word} ${quote(value)}`;
  const price = (word: string, value: LabelPrice | null | undefined) =>
    value == null ? absent(word, value) : showPrice(value);
  const words = [
    watch.side && (watch.side === "for_sale" ? "sell" : "want"),
    watch.brand == null || /\d/.test(watch.brand) ? named("brand", watch.brand) : watch.brand,
    watch.reference == null || !/^(?!(?:19|20)\d\d$).*\d/.test(watch.reference)
      ? named("reference", watch.reference)
      : quote(watch.reference),
    named("key", watch.reference_normalized),
    named("model", watch.model),
    named("dial", watch.dial_type),
    named("variant", watch.variant),
    showDate(watch),
    watch.condition === null ? "no condition" : watch.condition?.toLowerCase(),
    watch.full_set_status === null
      ? "no set"
      : watch.full_set_status?.map((status) => SET_WORDS[status] ?? status).join("+"),
    price("price", watch.price),
    watch.alternative_price && "or",
    price("or", watch.alternative_price),
    watch.retail_price && "retail",
    price("retail", watch.retail_price),
    watch.status === null ? "no status" : watch.status,
    ...(watch.left_out ?? []).map((reason) => `left_out ${reason}`),
  ];
  return words.filter((word) => word != null && word !== "").join(" ");
}

function absent(word: string, value: null | undefined): string {
  return value === null ? `no ${word}` : "";
}

function quote(value: string): string {
  return value.includes(" ") ? `"${value}"` : value;
}

function showPrice({ amount_minor, currency }: LabelPrice): string {
  return `${amount_minor / 100} ${currency ?? "?"}`;
}

function showDate({ year, card_month }: WatchLabel): string {
  if (year != null && card_month != null) return `${year}/${card_month}`;
  const month = card_month == null ? absent("month", card_month) : `month ${card_month}`;
  return [year == null ? absent("year", year) : year, month]
    .filter((word) => word !== "")
    .join(" ");
}
