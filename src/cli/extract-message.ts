import { OperatorError } from "../base/errors.ts";
import { toDigits } from "../base/text.ts";
import type {
  ExtractedListing,
  Extraction,
  ExtractionInput,
  ListingField,
  MessageDate,
  Price,
  Quote,
} from "../extraction/extraction.ts";
import { makeSpanFinder, type TextSpan } from "../extraction/text/text-spans.ts";
import { toSnakeCase } from "../listings/listing-rows.ts";

/** Parses one line of input. Throws an error that says what is wrong with it. */
export function parseMessage(line: string): ExtractionInput {
  return parseInput(parseObject(line));
}

/** Parses a message that is part of a larger object. */
export function parseInput(body: Readonly<Record<string, unknown>>): ExtractionInput {
  const text = body["text"];
  if (typeof text !== "string") throw new OperatorError('"text" must be a string');
  const country = optionalText(body, "sender_country");
  const currency = optionalText(body, "default_currency");
  const date = optionalText(body, "message_date");
  if (currency !== undefined && !/^[A-Za-z]{3,4}$/.test(currency)) {
    throw new OperatorError('"default_currency" must be a code such as "EUR"');
  }
  return {
    text,
    ...(country === undefined ? {} : { senderCountry: toDigits(country) }),
    ...(currency === undefined ? {} : { defaultCurrency: currency.toUpperCase() }),
    ...(date === undefined ? {} : { messageDate: parseMessageDate(date) }),
  };
}

export function parseObject(line: string): Record<string, unknown> {
  let body: unknown;
  try {
    body = JSON.parse(line);
  } catch (error) {
    throw new OperatorError("not valid JSON", error);
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new OperatorError("not a JSON object");
  }
  return body as Record<string, unknown>;
}

function optionalText(body: Readonly<Record<string, unknown>>, member: string): string | undefined {
  const value = body[member];
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value !== "string") throw new OperatorError(`"${member}" must be a string`);
  return value;
}

/** Accepts "2026-03-01", "2026-03", a timestamp, and "3/1/26" as in American chat exports. */
function parseMessageDate(text: string): MessageDate {
  const iso = /^(\d{4})-(\d{2})(?:-\d{2})?(?:T.{0,40})?$/.exec(text);
  const american = /^(\d{1,2})\/\d{1,2}\/(\d{2}|\d{4})$/.exec(text);
  const year = Number(iso?.[1] ?? american?.[2] ?? Number.NaN);
  const month = Number(iso?.[2] ?? american?.[1] ?? Number.NaN);
  if (!(month >= 1 && month <= 12) || Number.isNaN(year)) {
    throw new OperatorError('"message_date" must be a date such as "2026-03-01"');
  }
  return { year: year < 100 ? 2000 + year : year, month };
}

/** Returns the extraction with the member names of the API. Members without a value are left out. */
export function toExtractionBody(extraction: Extraction): object {
  return {
    side: extraction.side,
    message_type: extraction.messageType,
    listings: extraction.listings.map((listing) => toListingBody(listing, extraction.version)),
    not_offered:
      extraction.notOffered.length === 0
        ? undefined
        : extraction.notOffered.map((listing) => toListingBody(listing, extraction.version)),
    rejections: extraction.rejections,
  };
}

function toListingBody(listing: ExtractedListing, version: number): object {
  const sources = Object.fromEntries(
    Object.entries(listing.sources).map(([field, source]) => [toSnakeCase(field), source]),
  );
  const leftOut = listing.leftOut.map(({ field, reason, words }) => ({
    field: toSnakeCase(field),
    reason,
    words,
  }));
  return {
    side: listing.side,
    brand: listing.brand,
    model: listing.model,
    reference: listing.reference,
    reference_normalized: listing.referenceNormalized,
    year: listing.year,
    card_month: listing.cardMonth,
    condition: listing.condition,
    full_set_status: listing.fullSetStatus,
    dial_type: listing.dialType,
    variant: listing.variant,
    price: toPriceBody(listing.price),
    alternative_price: toPriceBody(listing.alternativePrice),
    retail_price: toPriceBody(listing.retailPrice),
    status: listing.status,
    source_lines: listing.sourceLines,
    header_lines: listing.headerLines,
    extraction: { version, confidence: listing.confidence, sources, left_out: leftOut },
  };
}

function toPriceBody(price: Price | undefined): object | undefined {
  return price === undefined
    ? undefined
    : { amount_minor: price.amountMinor, currency: price.currency };
}

/** Returns a readable page: every field with its value, the words that it came from, and their place in the text. */
export function explainExtraction(text: string, extraction: Extraction): string {
  const title = text.split("\n", 1)[0]?.slice(0, 72) ?? "";
  const out = [
    `# ${title}`,
    `  ${extraction.messageType}, ${extraction.listings.length} listing(s)`,
  ];
  const findSpans = makeSpanFinder(text);
  const show = (quote: Quote): string =>
    `"${quote.words}" at ${findSpans(quote.lineSpans).map(showSpan).join(", ")}`;
  for (const rejection of extraction.rejections) out.push(`  rejected: ${rejection.reason}`);
  const titled = [
    ...extraction.listings.map((listing, at) => ({ listing, name: `listing ${at + 1}` })),
    ...extraction.notOffered.map((listing) => ({ listing, name: "left out as talk" })),
  ];
  for (const { listing, name } of titled) {
    const lines = listing.sourceLines.map((line) => line + 1).join(", ");
    out.push(`  ${name}, line ${lines}, confidence ${listing.confidence.toFixed(2)}`);
    for (const item of listing.evidence) {
      const { field, source } = item;
      const from =
        source === "default"
          ? "by default"
          : `from ${show(item)}${source === "section" ? ", for the section" : ""}`;
      out.push(
        `    ${toSnakeCase(field).padEnd(17)} ${showValue(listing, field).padEnd(22)} ${from}`,
      );
    }
    if (listing.doubts.length > 0)
      out.push(`    less certain      ${listing.doubts.join(", ").replaceAll("_", " ")}`);
    for (const item of listing.leftOut) {
      const reason = item.reason.replaceAll("_", " ");
      out.push(
        `    ${toSnakeCase(item.field).padEnd(17)} left out               ${show(item)}: ${reason}`,
      );
    }
  }
  return out.join("\n");
}

/** UTF-16 units, the end not included: "12-18". */
function showSpan({ start, end }: TextSpan): string {
  return `${start}-${end}`;
}

function showValue(listing: ExtractedListing, field: ListingField): string {
  if (field === "currency") return listing.price?.currency ?? "";
  const value = listing[field];
  if (value === undefined) return "";
  if (typeof value === "object" && "amountMinor" in value) {
    return `${(value.amountMinor / 100).toLocaleString("en-US")} ${value.currency}`;
  }
  return Array.isArray(value) ? value.join(", ") : String(value);
}
