import { UsageError } from "./command.ts";

/** E.164 allows 15 digits; the shortest numbers with a country code have 7. */
const DIGITS = /^[1-9]\d{6,14}$/;

/** Returns the digits of a phone number with its country code, as people write it: `+44 7700 900120`, `0044-7700-900120`. */
export function parsePhone(text: string): string {
  const bare = text.trim().replace(/[\s\u00a0().\u2010-\u2015/-]/g, "");
  const digits = bare.replace(/^(?:\+|00)/, "");
  if (DIGITS.test(digits)) return digits;
  const reason = /^0\d+$/.test(bare)
    ? "it begins with 0, so its country code is missing"
    : "it may have 7 to 15 digits, spaces, dashes and a + in front, and nothing else";
  throw new UsageError(`not a phone number: ${text}; ${reason}`);
}
