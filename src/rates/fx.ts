import { DAY_MS } from "../base/clock.ts";
import { assert } from "../base/errors.ts";

/** What one euro buys of a currency, exactly: `digits / divisor`. 1.0823 is 10823 / 10000. */
interface Rate {
  readonly digits: bigint;
  readonly divisor: bigint;
  /** Built in, or a peg without a guarantee. */
  readonly isApproximate: boolean;
}

/** If a day has several rates, the kind that is later in this list wins. */
export const RATE_KINDS = ["built_in", "pegged", "ecb", "declared"] as const;
export type RateKind = (typeof RATE_KINDS)[number];

/** A rate with its origin and its day. */
export interface DatedRate extends Rate {
  readonly kind: RateKind;
  /** Days since 1970-01-01. */
  readonly dayNumber: number;
}

/** Returns the latest rate that is not after the UTC day of `atMs`. */
export type RateOf = (currency: string, atMs: number) => Rate | undefined;
/** The same, with the origin and the day of the rate. */
export type DatedRateOf = (currency: string, atMs: number) => DatedRate | undefined;

export interface FxRateRow {
  readonly currency: string;
  /** Days since 1970-01-01. */
  readonly day_number: number;
  readonly kind: RateKind;
  /** A decimal as text, because a double would round it. */
  readonly per_eur: string;
}

/** An older rate is still used, but `assay doctor` reports it. */
export const RATE_AGE_MAX_DAYS = 10;

/** How many days the rate is older than the UTC day of `atMs`. */
export function ageInDays(rate: DatedRate, atMs: number): number {
  return Math.floor(atMs / DAY_MS) - rate.dayNumber;
}

/** Converts euros to another currency, both in hundredths, rounded half up as `round(numeric)` does in SQL. */
export function toCurrencyMinor(eurMinor: number, rate: Rate): number {
  assert(eurMinor >= 0, "toCurrencyMinor: the amount is negative");
  return Number((2n * BigInt(eurMinor) * rate.digits + rate.divisor) / (2n * rate.divisor));
}

/** A price in euros. A listing stores `isApproximate` in its sources as `price_eur: "approximate"`. */
export interface EurPrice {
  readonly eurMinor: number;
  readonly isApproximate: boolean;
}

/** The price in hundredths of a euro, rounded half up; undefined if there is no rate. */
export function toEurPrice(
  price: { readonly amountMinor: number; readonly currency: string },
  atMs: number,
  rateOf: DatedRateOf,
): EurPrice | undefined {
  assert(price.amountMinor >= 0, "toEurPrice: the amount is negative");
  if (price.currency === "EUR") return { eurMinor: price.amountMinor, isApproximate: false };
  const rate = rateOf(price.currency, atMs);
  if (rate === undefined) return undefined;
  const twice = 2n * BigInt(price.amountMinor) * rate.divisor + rate.digits;
  return { eurMinor: Number(twice / (2n * rate.digits)), isApproximate: rate.isApproximate };
}

export function createRateTable(rows: readonly FxRateRow[]): DatedRateOf {
  const tables = new Map<string, { readonly days: number[]; readonly rates: DatedRate[] }>();
  const ordered = [...rows].sort(
    (left, right) =>
      left.day_number - right.day_number ||
      RATE_KINDS.indexOf(left.kind) - RATE_KINDS.indexOf(right.kind),
  );
  for (const row of ordered) {
    const table = tables.get(row.currency) ?? { days: [], rates: [] };
    tables.set(row.currency, table);
    table.days.push(row.day_number);
    table.rates.push(toRate(row));
  }
  return (currency, atMs) => {
    const table = tables.get(currency);
    if (table === undefined) return undefined;
    return table.rates[countUpTo(table.days, Math.floor(atMs / DAY_MS)) - 1];
  };
}

function toRate({ currency, day_number, kind, per_eur }: FxRateRow): DatedRate {
  const [, whole, fraction = ""] = /^(\d+)(?:\.(\d+))?$/.exec(per_eur) ?? [];
  assert(whole !== undefined, "a stored rate is not a decimal number");
  return {
    digits: BigInt(whole + fraction),
    divisor: 10n ** BigInt(fraction.length),
    kind,
    dayNumber: day_number,
    isApproximate: isApproximateRate(kind, currency),
  };
}

/** Built in, or a peg without a guarantee. */
export function isApproximateRate(kind: RateKind, currency: string): boolean {
  return kind === "built_in" || (kind === "pegged" && CONVENTIONS.has(currency));
}

/** Returns how many of the sorted days are at or before `day`. */
function countUpTo(days: readonly number[], day: number): number {
  let low = 0;
  let high = days.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((days[middle] ?? 0) <= day) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A currency that the ECB does not quote, but whose price in another currency is fixed. */
interface Peg {
  readonly currency: string;
  readonly base: string;
  /** How much of the currency one unit of the base buys; a decimal as text. */
  readonly per_base: string;
  /** True if no central bank guarantees the price. Prices made with it are approximate. */
  readonly isConvention: boolean;
}

/** Each with the institution that fixed it. A declared rate of the currency itself wins on its day. */
export const PEGS: readonly Peg[] = [
  // The Central Bank of the UAE, since 1997.
  { currency: "AED", base: "USD", per_base: "3.6725", isConvention: false },
  // The Saudi Central Bank, since 1986.
  { currency: "SAR", base: "USD", per_base: "3.75", isConvention: false },
  // The Qatar Central Bank, by decree of 2001.
  { currency: "QAR", base: "USD", per_base: "3.64", isConvention: false },
  // The Central Bank of Bahrain, by decree of 2001.
  { currency: "BHD", base: "USD", per_base: "0.376", isConvention: false },
  // The Central Bank of Oman, since 1986; its middle rate.
  { currency: "OMR", base: "USD", per_base: "0.3845", isConvention: false },
  // The Central Bank of Jordan, since 1995; the middle of 0.708 and 0.710.
  { currency: "JOD", base: "USD", per_base: "0.709", isConvention: false },
  // The Monetary Authority of Macao, which pegs the pataca to the Hong Kong dollar.
  { currency: "MOP", base: "HKD", per_base: "1.03", isConvention: false },
  // Dealers treat a dollar token as a dollar. Only its issuer promises that price.
  { currency: "USDT", base: "USD", per_base: "1", isConvention: true },
  { currency: "USDC", base: "USD", per_base: "1", isConvention: true },
];

const CONVENTIONS: ReadonlySet<string> = new Set(
  PEGS.filter(({ isConvention }) => isConvention).map(({ currency }) => currency),
);

interface DayRate {
  readonly currency: string;
  readonly day: string;
  readonly per_eur: string;
}

/** The rates of pegged currencies that follow from these rates, without rounding. */
export function pegRates(rates: readonly DayRate[]): readonly DayRate[] {
  return rates.flatMap(({ currency: base, day, per_eur }) =>
    PEGS.filter((peg) => peg.base === base).map(({ currency, per_base }) => ({
      currency,
      day,
      per_eur: multiply(per_eur, per_base),
    })),
  );
}

/** Multiplies two decimals as text, without rounding: "1.08" and "3.75" give "4.0500". */
function multiply(left: string, right: string): string {
  const [leftDigits, leftScale] = split(left);
  const [rightDigits, rightScale] = split(right);
  const scale = leftScale + rightScale;
  const digits = String(leftDigits * rightDigits).padStart(scale + 1, "0");
  return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function split(decimal: string): readonly [digits: bigint, scale: number] {
  const [whole = "", fraction = ""] = decimal.split(".");
  return [BigInt(whole + fraction), fraction.length];
}
