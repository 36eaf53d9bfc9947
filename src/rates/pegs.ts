/** A currency that the ECB does not quote, but whose price in another currency is fixed. */
export interface Peg {
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

export const CONVENTIONS: ReadonlySet<string> = new Set(
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
