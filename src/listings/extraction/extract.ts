import { isWatchPartOnly, namesAccessory, namesWatchPart } from "./accessories.ts";
import { assembleListing, type MessageContext } from "./assemble.ts";
import type { Catalogue } from "./catalogue/catalogue.ts";
import type { Extraction, ExtractionInput, MessageType, Rejection, Side } from "./extraction.ts";
import { normalizeLines } from "./normalize.ts";
import { type LineReading, readLines } from "./reading.ts";
import type { Segment } from "./segment-draft.ts";
import { findSegments } from "./segments.ts";
import { messageSide } from "./sides.ts";

/** Rises whenever the same text may give another result: stored listings are then extracted anew. */
export const EXTRACTION_VERSION = 1;

/** WhatsApp's own limit for a text is 65,536 characters; what is longer did not come from a person. */
export const TEXT_MAX = 65_536;
/** The longest dealer lists that were seen hold about eighty watches. */
export const LISTINGS_MAX = 200;

/** Twenty lines for each of the most listings. All lines are kept until the end, so their number is bounded too. */
export const LINES_MAX = 4_000;

/** Reads a message. Never throws, whatever the text; the same input and catalogue give the same result. */
export function extract(input: ExtractionInput, catalogue: Catalogue): Extraction {
  const lines = normalizeLines(input.text.slice(0, TEXT_MAX), LINES_MAX + 1);
  const isCut = input.text.length > TEXT_MAX || lines.length > LINES_MAX;
  const readings = readLines(lines.slice(0, LINES_MAX), catalogue, input.messageDate);
  const side = messageSide(readings);
  const context: MessageContext = { input, side, place: placeCurrency(readings) };
  const { segments, isFull } = boundedSegments(readings);
  const watches = segments.filter((segment) => !isWatchPartOnly(segment));
  const listings = watches.flatMap((segment) => assembleListing(segment, context) ?? []);
  const taken = listings[0]?.side ?? side?.side;
  return {
    version: EXTRACTION_VERSION,
    messageType: toMessageType(taken, readings),
    listings,
    rejections: [
      ...(isCut ? [{ reason: "text_cut" } as const] : []),
      ...(isFull ? [{ reason: "too_many_listings" } as const] : []),
      ...(listings.length === 0 ? [explainNone(readings, segments, side?.side)] : []),
    ],
    ...(taken === undefined ? {} : { side: taken }),
  };
}

function boundedSegments(readings: readonly LineReading[]): {
  readonly segments: readonly Segment[];
  readonly isFull: boolean;
} {
  const segments = findSegments(readings, LISTINGS_MAX + 1);
  const isFull = segments.length > LISTINGS_MAX;
  return { segments: isFull ? segments.slice(0, LISTINGS_MAX) : segments, isFull };
}

/** The currency of the place that a message names, if it names places of one currency only. */
function placeCurrency(readings: readonly LineReading[]): string | undefined {
  const currencies = new Set<string>();
  for (const { line } of readings) {
    for (const { meaning } of line.phrases)
      if (meaning.kind === "place") currencies.add(meaning.currency);
  }
  return currencies.size === 1 ? [...currencies][0] : undefined;
}

const PERSONAL: ReadonlySet<string> = new Set([
  "thanks",
  "thank",
  "thx",
  "morning",
  "congrats",
  "congratulations",
  "birthday",
  "welcome",
  "hello",
  "hi",
  "danke",
  "bedankt",
  "grazie",
  "gracias",
  "merci",
  "谢",
  "謝",
]);

function toMessageType(side: Side | undefined, readings: readonly LineReading[]): MessageType {
  if (side !== undefined) return side === "for_sale" ? "selling" : "buying";
  const isPersonal = readings.some(({ line }) =>
    line.tokens.some((token) => PERSONAL.has(token.word)),
  );
  return isPersonal ? "personal" : "unknown";
}

function explainNone(
  readings: readonly LineReading[],
  segments: readonly Segment[],
  side: Side | undefined,
): Rejection {
  if (readings.every((reading) => reading.isBlank)) return { reason: "empty" };
  if (segments.length > 0 || readings.some(namesAccessory) || readings.some(namesWatchPart)) {
    return { reason: "part_or_accessory" };
  }
  return { reason: side === "want_to_buy" ? "wanted_without_watch" : "no_watch" };
}
