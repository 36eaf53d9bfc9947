import { normalizeReference } from "../../base/text.ts";
import type { Catalogue } from "./catalogue/catalogue.ts";
import type { ReferenceContext, ReferenceMatch } from "./reference-match.ts";

/**
 * A line of a list that opens with digits and letters of no known shape ("11661lv", "1265R") still offers a watch. It is
 * repaired against the catalogue when one reference alone is a single slip away, and else kept as written under the house
 * that the section names.
 */
export function findOddReference(context: ReferenceContext): ReferenceMatch[] {
  const { tokens, catalogue, brands } = context;
  const first = tokens.findIndex((token) => token.kind !== "mark");
  const [digits, letters, next] = [tokens[first], tokens[first + 1], tokens[first + 2]];
  if (digits?.kind !== "digits" || letters?.kind !== "letters" || !letters.isGlued) return [];
  if (!/^\d{4,6}$/.test(digits.text) || !/^[a-z]{1,4}$/.test(letters.word)) return [];
  if (UNITS.test(letters.word) || context.marks.some((mark) => mark.from === first + 1)) return [];
  if (next?.isGlued === true && next.kind !== "mark") return [];
  if (!tokens.slice(first + 2).some((token) => token.kind === "digits")) return [];
  const written = context.text.slice(digits.start, letters.end);
  const repaired = repair(catalogue, normalizeReference(written), brands);
  const house = repaired?.brand ?? (brands.size === 1 ? [...brands][0] : undefined);
  if (house === undefined) return [];
  return [
    {
      start: digits.start,
      end: letters.end,
      text: written,
      brand: house,
      model: repaired?.model,
      launchedYear: undefined,
      dial: undefined,
      repaired: repaired?.reference,
      isKnown: false,
      isPlain: false,
    },
  ];
}

/** Letters that make a number an amount, a year or a size. */
const UNITS = /^(k|m|w|y|u|n|h|x|hk|mm|cm|kk|yr|th|st|nd)$/;

interface Repair {
  readonly reference: string;
  readonly brand: string;
  readonly model: string;
}

/** The one known reference with a letter or digit more, less or changed; of several, none. */
function repair(
  catalogue: Catalogue,
  odd: string,
  brands: ReadonlySet<string>,
): Repair | undefined {
  const found = new Set(catalogue.byDeletion.get(odd) ?? []);
  for (const shorter of deletions(odd)) {
    if (catalogue.known.has(shorter) && /[A-Z]/.test(shorter)) found.add(shorter);
    for (const reference of catalogue.byDeletion.get(shorter) ?? []) {
      if (isOneChanged(odd, reference)) found.add(reference);
    }
  }
  const entries = [...found].flatMap((reference) =>
    (catalogue.known.get(reference) ?? []).map(({ brand, model }) => ({ reference, brand, model })),
  );
  const fitting = brands.size === 0 ? entries : entries.filter(({ brand }) => brands.has(brand));
  return fitting.length === 1 ? fitting[0] : undefined;
}

function isOneChanged(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let changed = 0;
  for (let at = 0; at < a.length && changed < 2; at += 1) if (a[at] !== b[at]) changed += 1;
  return changed === 1;
}

function deletions(text: string): string[] {
  return [...text].map((_, at) => text.slice(0, at) + text.slice(at + 1));
}
