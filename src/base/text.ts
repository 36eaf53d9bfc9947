/** For words that are equal ignoring case, accents and punctuation: brands, models, dials, group names. */
export function foldWord(text: string): string {
  // Nearly every reference and brand is ASCII, for which normalisation is the dearer half of the work.
  if (ASCII.test(text)) return text.toLowerCase().replace(/[^a-z0-9]+/g, "");
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, "");
}

const ASCII = /^[ -~]*$/;

/** A reference's normal form: upper case, letters and digits only (`5711/1A-010` gives `57111A010`). */
export function normalizeReference(reference: string): string {
  return foldWord(reference).toUpperCase();
}

/** A telephone number or prefix as the API writes it: digits without `+`. */
export function toDigits(text: string): string {
  return text.normalize("NFKC").replace(/\D+/g, "");
}
