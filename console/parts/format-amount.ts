const LOCALE = "en-GB";
const formats = new Map<string, Intl.NumberFormat | undefined>();

/** `15700_00 EUR` is `€15,700`; hundredths are shown if there are any, whatever the currency's own digits are. */
export function formatAmount(amount: {
  readonly minor: number;
  readonly currency: string;
  readonly isSigned?: boolean;
}): string {
  const { minor, currency, isSigned = false } = amount;
  const digits = minor % 100 === 0 ? 0 : 2;
  const format = formatOf(currency, digits, isSigned);
  const text = format?.format(minor / 100);
  return text ?? `${currency} ${(minor / 100).toFixed(digits)}`;
}

/** Undefined if the currency is not one: whatever a dealer wrote is shown as it is. */
function formatOf(
  currency: string,
  digits: number,
  isSigned: boolean,
): Intl.NumberFormat | undefined {
  const key = `${currency} ${digits} ${isSigned}`;
  if (!formats.has(key)) formats.set(key, createFormat({ currency, digits, isSigned }));
  return formats.get(key);
}

function createFormat(options: {
  readonly currency: string;
  readonly digits: number;
  readonly isSigned: boolean;
}): Intl.NumberFormat | undefined {
  try {
    return new Intl.NumberFormat(LOCALE, {
      style: "currency",
      currency: options.currency,
      minimumFractionDigits: options.digits,
      maximumFractionDigits: options.digits,
      signDisplay: options.isSigned ? "exceptZero" : "auto",
    });
  } catch {
    return undefined;
  }
}
