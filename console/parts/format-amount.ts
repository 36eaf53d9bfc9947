const LOCALE = "en-GB";
/** Below this, hundredths matter; above, they are noise beside a thousand times as much. */
const SMALL_MINOR = 100_00;
const formats = new Map<string, Intl.NumberFormat>();

interface Shape {
  readonly currency: string;
  readonly digits: number;
  readonly isSigned: boolean;
}

/**
 * `15700_00 EUR` is `€15,700`. Minor units are hundredths for every currency, whatever its own digits are. They are shown if
 * there are any, and the amount is small or must be exact.
 */
export function formatAmount(amount: {
  readonly minor: number;
  readonly currency: string;
  readonly isSigned?: boolean;
  readonly isExact?: boolean;
  readonly isPadded?: boolean;
}): string {
  const { minor, currency, isSigned = false, isExact = false, isPadded = false } = amount;
  const hasHundredths = minor % 100 !== 0 && (isExact || Math.abs(minor) < SMALL_MINOR);
  const format = formatOf({ currency, digits: isPadded || hasHundredths ? 2 : 0, isSigned });
  const text = format.format(minor / 100);
  return isCode(currency) ? text : `${currency} ${text}`;
}

function formatOf(shape: Shape): Intl.NumberFormat {
  const key = `${shape.currency} ${shape.digits} ${shape.isSigned}`;
  const format = formats.get(key) ?? createFormat(shape);
  formats.set(key, format);
  return format;
}

function createFormat({ currency, digits, isSigned }: Shape): Intl.NumberFormat {
  return new Intl.NumberFormat(LOCALE, {
    ...(isCode(currency) ? { style: "currency", currency } : {}),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: isSigned ? "exceptZero" : "auto",
  });
}

/** Dealers also ask in what is no currency, such as USDT; Intl refuses those. */
function isCode(currency: string): boolean {
  return /^[A-Z]{3}$/.test(currency);
}

/** Whole units: below them, a comparison with an average is noise. */
export function toWhole(minor: number): number {
  return Math.round(minor / 100) * 100;
}
