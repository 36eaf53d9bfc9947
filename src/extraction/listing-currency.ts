import { quotePhrase } from "./details/names.ts";
import type { Quote } from "./extraction.ts";
import type { PhraseMatch } from "./lines/lexicon.ts";
import type { LinePart } from "./lines/line-part.ts";
import { NO_QUOTE } from "./lines/quote.ts";
import { within } from "./lines/span.ts";
import type { ListingDraft, MessageContext } from "./listing-draft.ts";
import type { CurrencyHints } from "./prices/money.ts";
import type { ChosenPrice } from "./prices/price-choice.ts";

interface HeaderCurrency {
  readonly currency: string;
  readonly part: LinePart;
  readonly phrase: PhraseMatch;
}

export function findHeaderCurrency(draft: ListingDraft): HeaderCurrency | undefined {
  // In a message with one watch, the header lines are parts of the segment. They still decide the currency.
  const { parts } = draft.segment;
  const watchLine = parts[0]?.reading.line.source.sourceLine ?? 0;
  const linesAbove =
    parts.length === 1
      ? draft.inherited
      : parts
          .filter(
            ({ reading }) =>
              reading.line.source.sourceLine < watchLine && reading.prices.length === 0,
          )
          .concat(draft.inherited);
  for (const part of linesAbove) {
    for (const phrase of within(part.reading.line.phrases, part)) {
      if (phrase.meaning.kind !== "currency") continue;
      // A stray "u" or "us" in a header is a word.
      const [before, word] = part.reading.line.tokens.slice(Math.max(0, phrase.from - 1));
      const isFirst = phrase.from === 0;
      if (/^us?$/.test((isFirst ? before : word)?.word ?? "")) continue;
      // "Back from HK" is a journey.
      if (!isFirst && /^(from|to|via|back|visit|visiting)$/.test(before?.word ?? "")) continue;
      return { currency: phrase.meaning.currency, part, phrase };
    }
  }
  return undefined;
}

export function currencyHints(
  { input, place }: MessageContext,
  header: string | undefined,
): CurrencyHints {
  const { defaultCurrency, senderCountry } = input;
  return { header, place: place?.currency, defaultCurrency, senderCountry };
}

/** Quotes the currency where it is written: at the amount, in the header, or as the name of the place. */
export function quoteCurrency(
  draft: ListingDraft,
  chosen: ChosenPrice,
  header: HeaderCurrency | undefined,
): Quote {
  if (chosen.currencySource === "explicit") return chosen.quote;
  if (chosen.currencySource === "default") return NO_QUOTE;
  if (header?.currency === chosen.price.currency) return quotePhrase(header.part, header.phrase);
  return draft.context.place?.quote ?? NO_QUOTE;
}
