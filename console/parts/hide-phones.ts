/** What looks like a phone number: an international one with its separators, or a long run of digits. */
const PHONE = /(?:\+|(?<![\d.,])00)\d[\d ().-]{6,}\d|\d{9,}/g;

/** Replaces the digits of phone numbers in free text, and keeps its length, so that offsets stay true. */
export function hidePhones(text: string): string {
  return text.replace(PHONE, (phone) => phone.replace(/\d/g, "•"));
}
