import { foldWord, normalizeReference } from "../base/text.ts";
import type { ExtractedListing, Extraction, Price } from "../extraction/extraction.ts";
import type { Label, LabelPrice, ListingLabel } from "./label.ts";

/** One comparison of a label with what was read. */
export interface Finding {
  readonly field: string;
  readonly isRight: boolean;
  readonly expected: unknown;
  readonly read: unknown;
}

/** Compares what was read in a message with its label, field by field. Fields without a label are not compared. */
export function scoreMessage(label: Label, { side, listings }: Extraction): readonly Finding[] {
  const { prices } = label;
  if (prices === "ambiguous")
    return [
      finding("ambiguous price left out", listings.every(hasNoPrice), null, pricesOf(listings)),
    ];
  if (prices !== undefined)
    return [finding("price only", hasPrices(listings, prices), prices, pricesOf(listings))];
  if (label.side === "none")
    return [finding("no listing where none is", listings.length === 0, 0, listings.length)];
  const readSide = listings[0]?.side ?? side;
  const findings =
    label.side === undefined
      ? []
      : [finding("side", readSide === label.side, label.side, readSide)];
  if (label.listings === undefined) return findings;
  const [expected, read] = [label.listings.length, listings.length];
  return [
    ...findings,
    finding("number of listings", expected === read, expected, read),
    ...pairListings(label.listings, listings).flatMap(([wanted, found]) =>
      scoreListing(wanted, found),
    ),
  ];
}

export interface Tally {
  readonly right: number;
  readonly all: number;
}

/** Counts by field, in the order in which the fields first occur. */
export function tallyFindings(findings: readonly Finding[]): ReadonlyMap<string, Tally> {
  const tallies = new Map<string, Tally>();
  for (const { field, isRight } of findings) {
    const { right, all } = tallies.get(field) ?? { right: 0, all: 0 };
    tallies.set(field, { right: right + (isRight ? 1 : 0), all: all + 1 });
  }
  return tallies;
}

function finding(field: string, isRight: boolean, expected: unknown, read: unknown): Finding {
  return { field, isRight, expected, read };
}

function hasNoPrice({ price }: ExtractedListing): boolean {
  return price === undefined;
}

function pricesOf(listings: readonly ExtractedListing[]): readonly (Price | undefined)[] {
  return listings.map(({ price }) => price);
}

/** True if each of these prices was read, and no other. */
function hasPrices(listings: readonly ExtractedListing[], prices: readonly LabelPrice[]): boolean {
  const read = pricesOf(listings).filter((price) => price !== undefined);
  return (
    prices.every((expected) => read.some((price) => samePrice(price, expected))) &&
    read.every((price) => prices.some((expected) => samePrice(price, expected)))
  );
}

/** Without a read listing, every labelled value was missed. */
function scoreListing(
  label: ListingLabel,
  listing: ExtractedListing | undefined,
): readonly Finding[] {
  const compare = <Expected, Read>(
    field: string,
    [expected, read]: readonly [Expected | null | undefined, Read | undefined],
    isSame: (read: Read, expected: Expected) => boolean,
  ): readonly Finding[] => {
    if (expected === undefined) return [];
    if (expected === null)
      return [finding(field, listing !== undefined && read === undefined, null, read)];
    return [finding(field, read !== undefined && isSame(read, expected), expected, read)];
  };
  const { alternative_price: other } = label;
  const price = label.price !== null && label.price?.currency == null ? undefined : label.price;
  return [
    ...compare("brand", [label.brand, listing?.brand], isSameWord),
    ...compare("reference", [label.reference, listing?.reference], sameReference),
    ...compare(
      "price",
      [price, listing?.price],
      (read, expected) => samePrice(read, expected) || (other != null && samePrice(read, other)),
    ),
    ...compare("year", [label.year, listing?.year], Object.is),
    ...compare("card month", [label.card_month, listing?.cardMonth], Object.is),
    ...compare("condition", [label.condition, listing?.condition], Object.is),
    ...compare("full set", [label.full_set_status, listing?.fullSetStatus], isSameList),
    ...compare("dial", [label.dial_type, listing?.dialType], containsWord),
    ...compare("model", [label.model, listing?.model], containsWord),
  ];
}

function isSameList(read: readonly string[], expected: readonly string[]): boolean {
  return read.toSorted().join() === expected.toSorted().join();
}

function isSameWord(read: string, expected: string): boolean {
  return foldPlain(read) === foldPlain(expected);
}

/** "green ombre" and "green" are the same dial, "Datejust 36" and "Datejust" the same model. */
function containsWord(read: string, expected: string): boolean {
  const [left, right] = [foldPlain(read), foldPlain(expected)];
  return left.includes(right) || right.includes(left);
}

/** Also without accents. */
function foldPlain(text: string): string {
  return foldWord(text.normalize("NFKD").replace(/\p{Mark}/gu, ""));
}

type Pair = readonly [ListingLabel, ExtractedListing | undefined];

/**
 * Finds the listing that each label is about. The surest pairs are made first: by reference and price, then by reference,
 * then by brand where the label has no reference, and at last the only label with the only listing.
 */
function pairListings(
  labels: readonly ListingLabel[],
  listings: readonly ExtractedListing[],
): readonly Pair[] {
  const rest = new Set(listings);
  const found = new Map<ListingLabel, ExtractedListing>();
  for (const isPair of RULES) {
    for (const label of labels) {
      if (found.has(label)) continue;
      const listing = [...rest].find((candidate) => isPair(label, candidate));
      if (listing === undefined) continue;
      rest.delete(listing);
      found.set(label, listing);
    }
  }
  const [only] = listings;
  return labels.map((label) => {
    const isOnly = labels.length === 1 && listings.length === 1;
    return [label, found.get(label) ?? (isOnly ? only : undefined)];
  });
}

/** References are as written: a base number and one with a dealer's suffix are the same. */
function sameReference(read: string, expected: string): boolean {
  const [left, right] = [normalizeReference(read), normalizeReference(expected)];
  const isStart = (start: string, whole: string) =>
    start.length >= BASE_LENGTH_MIN && whole.startsWith(start);
  return left === right || isStart(left, right) || isStart(right, left);
}

/** Shorter numbers are not unique enough to stand for a longer one. */
const BASE_LENGTH_MIN = 5;

function samePrice(read: Price, expected: LabelPrice): boolean {
  return read.amountMinor === expected.amount_minor && read.currency === expected.currency;
}

const hasReference = ({ reference }: ListingLabel, listing: ExtractedListing) =>
  reference != null &&
  listing.reference !== undefined &&
  sameReference(listing.reference, reference);

const hasPrice = ({ price }: ListingLabel, listing: ExtractedListing) =>
  price == null || (listing.price !== undefined && samePrice(listing.price, price));

const hasBrand = ({ reference, brand }: ListingLabel, listing: ExtractedListing) =>
  reference == null && normalizeReference(listing.brand ?? "") === normalizeReference(brand ?? "");

const RULES: readonly ((label: ListingLabel, listing: ExtractedListing) => boolean)[] = [
  (label, listing) => hasReference(label, listing) && hasPrice(label, listing),
  hasReference,
  (label, listing) => hasBrand(label, listing) && hasPrice(label, listing),
  hasBrand,
];
