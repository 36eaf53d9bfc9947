import type { FailedClause } from "../../../client/assay-client.ts";
import type { MemberName } from "../../filters/filter.ts";
import { countryOfNumber } from "../../words/countries.ts";
import { formatAmount } from "../../words/formats.ts";
import { listingWords } from "../../words/listing.ts";
import { readingWords } from "../../words/reading.ts";

const AMOUNT = /(\d+) in ([A-Z]{2,10})\b/g;
const BOUNDS = /^(.*) in hundredths of ([A-Z]{2,10})$/;
const CODE = /\b(?:[A-Z]+(?:_[A-Z]+)*|for_sale|want_to_buy)\b/g;
/** Conditions that are no member of the listing. */
const RELATIONS: readonly string[] = ["source_view"];
/** Values of a clause, not how many more there are. */
const DIGITS = /\b\d+\b(?! more)/g;
type Format = (text: string) => string;

const FORMATS: Readonly<Record<string, Format>> = {
  price: formatPrices,
  country_codes: (text) => text.replace(DIGITS, countryOfNumber),
} satisfies Readonly<Partial<Record<MemberName, Format>>>;
const BOOLEANS: Readonly<Record<string, string>> = { true: "yes", false: "no" };

/** `must be at most €11,500, is €12,400`: the service writes prices as hundredths, and codes as they are stored. */
export function formatClause({ member, expected, actual }: FailedClause): string {
  const tell = FORMATS[member] ?? formatCodes;
  if (member === "configuration_ids") return listingWords.needsRule;
  if (RELATIONS.includes(member)) return listingWords.needsOnly(expected);
  return listingWords.needs(tell(expected), actual === undefined ? undefined : tell(actual));
}

function formatPrices(text: string): string {
  const [, bounds, currency] = BOUNDS.exec(text) ?? [];
  if (bounds !== undefined && currency !== undefined) {
    return bounds.replace(/\d+/g, (minor) => formatAmount({ minor: Number(minor), currency }));
  }
  return text.replace(AMOUNT, (_, minor: string, asked: string) =>
    formatAmount({ minor: Number(minor), currency: asked }),
  );
}

function formatCodes(text: string): string {
  return BOOLEANS[text] ?? text.replace(CODE, readingWords.value);
}
