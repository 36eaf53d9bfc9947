import {
  findPhraseWhere,
  NO_QUOTE,
  pricesIn,
  quotePhrase,
  quoteText,
  wholeLine,
} from "../lines/line-reading.ts";
import { findSide, type SideReading } from "../lines/sides.ts";
import type { Segment } from "../segments/segment-draft.ts";
import { addEvidence, dropEvidence, type ListingDraft } from "./listing-draft.ts";

/** Takes the side. Without a word of a side, a watch is for sale. */
export function fillSide(draft: ListingDraft): void {
  const { segment, context, fields } = draft;
  const found = segmentSide(segment);
  const hasPrice = segment.parts.some((part) => pricesIn(part).length > 0);
  const message = context.side?.side === "want_to_buy" && !hasPrice ? context.side : undefined;
  const reading = found?.reading ?? message;
  fields.side = reading?.side ?? "for_sale";
  const quote = reading === undefined ? NO_QUOTE : quotePhrase(reading.part, reading.phrase);
  const source = reading === undefined ? "default" : found?.isOwn === true ? "explicit" : "section";
  addEvidence(draft, "side", quote, source);
}

/** Returns the side from the watch's own text, else from the nearest header. `isOwn` is true for its own text. */
export function segmentSide(
  segment: Segment,
): { readonly reading: SideReading; readonly isOwn: boolean } | undefined {
  // Below an ask, "want to see more" and "looking for a quick sale" are part of the offer.
  const hasPrice = segment.parts.some((part) => pricesIn(part).length > 0);
  const watchLine = segment.parts[0]?.reading.line.source.sourceLine ?? 0;
  for (const part of segment.parts) {
    if (hasPrice && part.reading.line.source.sourceLine > watchLine) continue;
    const reading = findSide(part);
    if (reading !== undefined) return { reading, isOwn: true };
  }
  const above = [...segment.headers.map(wholeLine), ...segment.shared];
  for (const part of above.toReversed()) {
    const reading = findSide(part);
    if (reading !== undefined) return { reading, isOwn: false };
  }
  return undefined;
}

/** Corrects the side if the whole text, or a word that decides, says otherwise than the phrase that was found. */
export function settleSide(
  draft: ListingDraft,
  chances: { readonly offer: number; readonly request: number },
  word: SideReading | undefined,
): void {
  const side = chances.request > chances.offer ? "want_to_buy" : "for_sale";
  const source = draft.evidence.find(({ field }) => field === "side")?.source;
  const isSaid = word === undefined || source !== "default";
  if (draft.fields.side === side && isSaid) return;
  draft.fields.side = side;
  dropEvidence(draft, "side");
  if (word === undefined) addEvidence(draft, "side", NO_QUOTE, "default");
  else addEvidence(draft, "side", quotePhrase(word.part, word.phrase), "explicit");
}

/** Takes the status: sold if a line is struck through, else what the words say. */
export function fillStatus(draft: ListingDraft): void {
  const { segment, fields } = draft;
  const struck = segment.parts.find(({ reading }) => reading.line.source.isStruckThrough);
  if (struck !== undefined) {
    fields.status = "sold";
    const { source } = struck.reading.line;
    addEvidence(
      draft,
      "status",
      quoteText(source, { start: 0, end: source.text.length }),
      "explicit",
    );
    return;
  }
  const found = findPhraseWhere(segment.parts, (meaning) => meaning.kind === "status");
  if (found === undefined || found.phrase.meaning.kind !== "status") return;
  fields.status = found.phrase.meaning.status;
  addEvidence(draft, "status", quotePhrase(found.part, found.phrase), "explicit");
}
