import type { BrandData } from "./brand.ts";

/** The year in which the built-in prices were noted. */
const NOTED_YEAR = 2026;

/** Reads "reference euros" pairs, separated by commas or line ends. The references have no spaces. */
export function usualPrices(text: string): NonNullable<BrandData["usual"]> {
  const eur = Object.fromEntries(
    splitList(text).map(([reference, euros]) => [reference, Number(euros)]),
  );
  return [{ notedYear: NOTED_YEAR, eur }];
}

/** Reads "year reference reference…" groups, separated by commas or line ends. */
export function launchYears(text: string): NonNullable<BrandData["launched"]> {
  return Object.fromEntries(
    splitList(text).flatMap(([year, ...references]) =>
      references.map((reference) => [reference, Number(year)]),
    ),
  );
}

function splitList(text: string): string[][] {
  return text
    .split(/[,\n]/)
    .map((entry) => entry.trim().split(/ +/))
    .filter(([first]) => first !== "");
}
