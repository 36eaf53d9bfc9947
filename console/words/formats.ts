/**
 * How amounts, counts, ages and times are written, and how phone numbers are hidden. A browser needs some 40 ms for its first
 * format, so each is made at its first use.
 */
import { words } from "./words.ts";

interface Shape {
  readonly currency: string;
  readonly digits: number;
  readonly isSigned: boolean;
}

const LOCALE = "en-GB";
/** Below this, hundredths matter; above, they are noise beside a thousand times as much. */
const SMALL_MINOR = 100_00;
/** What looks like a phone number: an international one with its separators, or a long run of digits. */
const PHONE = /(?:\+|(?<![\d.,])00)\d[\d ().-]{6,}\d|\d{9,}/g;
const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
const amountFormats = new Map<string, Intl.NumberFormat>();

/** `1,234` */
export const formatCount = numbers({});
/** `0.083` is `8%`. */
export const formatPercent = numbers({ style: "percent" });
/** `0.1134` is `11.3%`. */
export const formatShare = numbers({
  style: "percent",
  // Never `−0.0%`.
  signDisplay: "negative",
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const formatWhole = numbers({ maximumFractionDigits: 0 });
const formatTenths = numbers({ minimumFractionDigits: 1, maximumFractionDigits: 1 });
/** `23:05` */
export const formatClock = times({ timeStyle: "short" });
/** `5 Mar` in the browser's time zone. */
export const formatDay = times({ day: "numeric", month: "short" });
/** `5 Mar` of a day that the service counted; its days are of UTC. */
export const formatUtcDay = times({ day: "numeric", month: "short", timeZone: "UTC" });
/** `5 Mar 2026, 23:05` */
export const formatTime = times({ dateStyle: "medium", timeStyle: "short" });
/** A time within it is one of today, or of last night. */
const TODAY_MS = 20 * HOUR_MS;

/** `18:40`, or with its day. */
export function formatRecent(atMs: number): string {
  return Date.now() - atMs < TODAY_MS ? formatClock(atMs) : formatTime(atMs);
}

/** `2 min`, `3 h`, `5 d`. A time in the future is now: clocks differ. */
export function formatAge(ageMs: number): string {
  if (ageMs < 1_000) return words.age.now;
  if (ageMs < MINUTE_MS) return words.age.seconds(Math.floor(ageMs / 1_000));
  if (ageMs < HOUR_MS) return words.age.minutes(Math.floor(ageMs / MINUTE_MS));
  if (ageMs < 2 * DAY_MS) return words.age.hours(Math.floor(ageMs / HOUR_MS));
  return words.age.days(Math.floor(ageMs / DAY_MS));
}

/** `2 min ago` */
export function formatAgo(ageMs: number): string {
  const age = formatAge(ageMs);
  return age === words.age.now ? age : words.age.ago(age);
}

/** `99+` where a count has no room for more than two digits. */
export function formatBadge(count: number): string {
  return count > 99 ? "99+" : String(count);
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
  const format = amountFormat({ currency, digits: isPadded || hasHundredths ? 2 : 0, isSigned });
  const text = toMinus(format.format(minor / 100));
  return isCode(currency) ? text : `${currency} ${text}`;
}

/** `15700_00` is `15.7`, and `139700_00` is `140`: thousands, for a range that has little room. */
export function formatThousands(minor: number): string {
  return (minor < 10_000_000 ? formatTenths : formatWhole)(minor / 100_000);
}

/** Whole units: below them, a comparison with an average is noise. */
export function toWhole(minor: number): number {
  return Math.round(minor / 100) * 100;
}

/** Replaces the digits of phone numbers in free text, and keeps its length, so that offsets stay true. */
export function hidePhones(text: string): string {
  return text.replace(PHONE, (phone) => phone.replace(/\d/g, "•"));
}

export function numbers(options: Intl.NumberFormatOptions): (value: number) => string {
  let format: Intl.NumberFormat | undefined;
  return (value) => {
    format ??= new Intl.NumberFormat(LOCALE, options);
    return toMinus(format.format(value));
  };
}

export function times(options: Intl.DateTimeFormatOptions): (atMs: number) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (atMs) => {
    format ??= new Intl.DateTimeFormat(LOCALE, options);
    return format.format(atMs);
  };
}

/** A minus as wide as a plus; browsers write a hyphen. */
function toMinus(text: string): string {
  return text.replace("-", "−");
}

function amountFormat(shape: Shape): Intl.NumberFormat {
  const key = `${shape.currency} ${shape.digits} ${shape.isSigned}`;
  const format = amountFormats.get(key) ?? createFormat(shape);
  amountFormats.set(key, format);
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
