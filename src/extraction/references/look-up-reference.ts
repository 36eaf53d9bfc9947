import { copyText, normalizeReference } from "../../base/text.ts";
import type {
  BrandShape,
  Catalogue,
  KnownReference,
  SeenReference,
} from "../catalogue/catalogue.ts";

/** Dealers trade a few hundred references of a brand. The bound stops hostile text from filling the memory. */
const SEEN_MAX = 1000;

/** The same few references are written again and again, so what the catalogue says about them is kept. */
export function lookUpReference(
  catalogue: Catalogue,
  written: string,
  { brand, seen }: BrandShape,
): SeenReference | undefined {
  const known = seen.get(written);
  if (known !== undefined) return known;
  const reference = toReference(catalogue, written, brand);
  if (seen.size < SEEN_MAX && reference !== undefined) seen.set(copyText(written), reference);
  return reference;
}

function toReference(
  catalogue: Catalogue,
  written: string,
  brand: string,
): SeenReference | undefined {
  const isDigitsOnly = DIGITS_ONLY.test(written);
  const codes = isDigitsOnly ? undefined : catalogue.dialCodes.get(brand);
  const { base, dial } =
    codes === undefined
      ? { base: written, dial: undefined }
      : splitDialCode(written, codes, (form) => isKnownForm(catalogue, form, brand));
  const facts = findKnownReference(catalogue, base, brand);
  // "126334 LN" is a Datejust that is like new. A suffix after a space counts only if the catalogue knows the whole.
  if (/ [a-z]{2,6}$/i.test(base) && /^\d/.test(base) && !isKnownForm(catalogue, base, brand))
    return undefined;
  return { text: copyText(base.trim()), facts, dial, isDigitsOnly };
}

const DIGITS_ONLY = /^\d+$/;

function isKnownForm(catalogue: Catalogue, form: string, brand: string): boolean {
  const entries = catalogue.known.get(normalizeReference(form));
  return entries?.some((entry) => entry.brand === brand) === true;
}

/** "126334g" is 126334 with the dial code g. A suffix that the catalogue knows ("126610LN") is not a dial code. */
function splitDialCode(
  written: string,
  codes: Readonly<Record<string, string>>,
  isKnownForm: (form: string) => boolean,
): { readonly base: string; readonly dial: string | undefined } {
  const letters = /[a-z]{1,8}$/i.exec(written)?.[0].toUpperCase() ?? "";
  if (letters === "" || isKnownForm(written)) return { base: written, dial: undefined };
  for (let length = Math.min(4, letters.length); length > 0; length -= 1) {
    const code = letters.slice(-length);
    const dial = Object.hasOwn(codes, code) ? codes[code] : undefined;
    const base = written.slice(0, -length);
    const isWholeSuffix = length === letters.length || isKnownForm(base);
    if (dial !== undefined && isWholeSuffix) return { base, dial };
  }
  return { base: written, dial: undefined };
}

/**
 * Looks up the reference, then shorter forms of it: 5711/1A-010 is known by 5711, 126610LN-0001 by 126610LN. Without a brand,
 * that of any brand.
 */
export function findKnownReference(
  catalogue: Catalogue,
  written: string,
  brand?: string,
): KnownReference | undefined {
  const isWanted = (known: KnownReference) => brand === undefined || known.brand === brand;
  const whole = catalogue.known.get(normalizeReference(written))?.find(isWanted);
  if (whole !== undefined || DIGITS_ONLY.test(written)) return whole;
  const parts = written.match(/[a-z]+|\d+/gi) ?? [];
  for (let count = parts.length - 1; count > 0; count -= 1) {
    const key = parts.slice(0, count).join("").toUpperCase();
    const entry = catalogue.known.get(key)?.find(isWanted);
    if (entry !== undefined) return entry;
  }
  return undefined;
}
