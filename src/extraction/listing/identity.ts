import { normalizeReference } from "../../base/text.ts";
import type { Quote } from "../extraction.ts";
import type { PlacedReference } from "../lines/line.ts";
import {
  findPhraseWhere,
  type LinePart,
  quotePhrase,
  quoteText,
  quoteTokens,
} from "../lines/line-reading.ts";
import { findModelWords } from "../segments/model-words.ts";
import type { Segment } from "../segments/segment-draft.ts";
import { lastUntil, within } from "../text/token.ts";
import { addEvidence, type ListingDraft } from "./listing-draft.ts";

interface NamedModel {
  readonly brand: string;
  readonly model: string;
  readonly quote: Quote;
}

/** Takes reference, brand and model: from the reference if there is one, else from the words. */
export function fillIdentity(draft: ListingDraft): void {
  const { fields } = draft;
  const { reference } = draft.segment;
  if (reference !== undefined) {
    fields.reference = withPrefix(reference.text, reference.brand);
    fields.referenceNormalized = toReferenceKey(
      reference.repaired ?? reference.text,
      reference.brand,
    );
    fields.brand = namedBrand(draft.segment, reference) ?? reference.brand;
    const { source, start, text } = reference;
    const quote = quoteText(source, { start, end: start + text.length });
    addEvidence(draft, "reference", quote, "explicit");
    addEvidence(draft, "brand", quote, "explicit");
    if (reference.model !== undefined) {
      fields.model = reference.model;
      addEvidence(draft, "model", quote, "explicit");
      return;
    }
  }
  fillModelByName(draft);
}

/** "Tudor 79270, rare Rolex crown": the house right before a reference that the catalogue does not have. */
function namedBrand({ parts }: Segment, reference: PlacedReference): string | undefined {
  const line = parts[0]?.reading.line;
  if (reference.isKnown || line?.source !== reference.source) return undefined;
  const before = lastUntil(line.phrases, reference.from);
  return before?.meaning.kind === "brand" ? before.meaning.brand : undefined;
}

/** One key for each watch: "M126622-0002" and "126622-0002", "RM 7-01" and "RM07-01" and "07-01" have the same. */
export function toReferenceKey(text: string, brand: string): string {
  const key = normalizeReference(withPrefix(text, brand));
  if (brand === "Rolex") return key.replace(/^M(?=\d{5})/, "");
  return brand === "Richard Mille" ? key.replace(/^RM(?=\d{3}$)(?!0)/, "RM0") : key;
}

/** "35-02" and "RM35-02" are one watch, so both get the prefix. */
export function withPrefix(text: string, brand: string): string {
  return brand === "Richard Mille" && /^\d/.test(text) ? `RM${text}` : text;
}

/** Takes brand and model from the words, unless they name two different brands. */
function fillModelByName(draft: ListingDraft): void {
  const { segment, fields } = draft;
  const own = findModel(segment.parts, fields.brand);
  const found = own ?? findModel(draft.inherited, fields.brand);
  const source = own === undefined ? "section" : "explicit";
  const ownBrand = findBrand(segment.parts);
  const named = ownBrand ?? findBrand(draft.inherited);
  const isOther = named !== undefined && named.brand !== found?.brand;
  if (found !== undefined && (!isOther || startsWithBrand(found))) {
    fields.model = found.model;
    addEvidence(draft, "model", found.quote, source);
    if (fields.brand !== undefined) return;
    fields.brand = found.brand;
    addEvidence(draft, "brand", found.quote, source);
    return;
  }
  if (named !== undefined && fields.brand === undefined) {
    fields.brand = named.brand;
    addEvidence(draft, "brand", named.quote, ownBrand === undefined ? "section" : "explicit");
  }
  if (fields.reference === undefined) fillUnknownModel(draft);
}

/** "Sinn 556", "MB&F LM101": such a model counts also below the header of another brand, or with "trade for Seiko" behind it. */
function startsWithBrand({ brand, quote }: NamedModel): boolean {
  const [first = brand] = brand.split(" ");
  return normalizeReference(quote.words).startsWith(normalizeReference(first));
}

/** "Czapek Antarctique": without a reference, the words behind the brand name the model. */
function fillUnknownModel(draft: ListingDraft): void {
  const words = findModelWords(draft.segment.parts);
  if (words === undefined) return;
  draft.fields.model = words.text;
  draft.isModelUnknown = true;
  addEvidence(draft, "model", quoteTokens(words.part.reading.line, words), "explicit");
}

/** Returns the first model that the parts name; if `brand` is given, the first model of that brand. */
function findModel(parts: readonly LinePart[], brand: string | undefined): NamedModel | undefined {
  for (const part of parts) {
    for (const phrase of within(part.reading.line.phrases, part)) {
      if (phrase.meaning.kind !== "model" || phrase.meaning.model === undefined) continue;
      if (brand !== undefined && phrase.meaning.brand !== brand) continue;
      return {
        brand: phrase.meaning.brand,
        model: phrase.meaning.model,
        quote: quotePhrase(part, phrase),
      };
    }
  }
  return undefined;
}

/** Returns the first brand that the parts name. */
function findBrand(
  parts: readonly LinePart[],
): { readonly brand: string; readonly quote: Quote } | undefined {
  const found = findPhraseWhere(parts, ({ kind }) => kind === "brand");
  if (found?.phrase.meaning.kind !== "brand") return undefined;
  return { brand: found.phrase.meaning.brand, quote: quotePhrase(found.part, found.phrase) };
}
