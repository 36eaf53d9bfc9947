import { normalizeReference } from "../../base/text.ts";
import type { BrandData } from "./brand.ts";

/** What a brand's data says about a reference. */
export interface ReferenceFacts {
  readonly model: string;
  readonly launchedYear?: number;
  /** What dealers usually ask, in whole euros. Rough. */
  readonly usualEur?: number;
  readonly usualNotedYear?: number;
  /** What dealers call every watch of this reference: Batman. */
  readonly nicknames?: readonly string[];
}

/**
 * Returns the references of a brand by their normalized form: those that a model lists, and longer forms of them that
 * have a usual price. A longer form has the model of its base. It also has the base's year, price and nicknames, unless it
 * has its own.
 *
 * Example: the model Aquanaut lists 5167, which was launched in 2007, and 5167R has a usual price. Then 5167R is an
 * Aquanaut, launched in 2007, with that price. 5167 itself has no price.
 */
export function listKnownReferences(brand: BrandData): ReadonlyMap<string, ReferenceFacts> {
  const models = modelsByReference(brand);
  const launched = launchedByReference(brand);
  const usual = usualByReference(brand);
  const called = nicknamesByReference(brand);
  const known = new Map<string, ReferenceFacts>();
  for (const written of [...listedReferences(brand), ...pricedReferences(brand)]) {
    const model = findByForm(models, brand, written);
    if (model === undefined) continue;
    const launchedYear = findByForm(launched, brand, written);
    const price = findByForm(usual, brand, written);
    const nicknames = findByForm(called, brand, written);
    const facts = {
      model,
      ...(launchedYear === undefined ? {} : { launchedYear }),
      ...price,
      ...(nicknames === undefined ? {} : { nicknames }),
    };
    for (const form of listForms(brand, written)) if (!known.has(form)) known.set(form, facts);
  }
  return withBasePrices(known);
}

/**
 * Gives a base number without a price the lowest one of its longer forms, if these are alike: dealers write 5711 for the
 * steel watch. Forms that differ by more than this factor give none.
 */
const BASE_SPREAD_MAX = 2.5;

function withBasePrices(known: Map<string, ReferenceFacts>): ReadonlyMap<string, ReferenceFacts> {
  const forms = [...known.keys()].sort();
  for (const [at, base] of forms.entries()) {
    const facts = known.get(base);
    if (facts === undefined || facts.usualEur !== undefined || !/^\D*\d{4,}$/.test(base)) continue;
    const prices: number[] = [];
    let notedYear = 0;
    for (let next = at + 1; forms[next]?.startsWith(base) === true; next += 1) {
      // 16013 is not a form of 1601.
      if (/^\d$/.test(forms[next]?.slice(base.length) ?? "")) continue;
      const { usualEur, usualNotedYear = 0 } = known.get(forms[next] ?? "") ?? {};
      if (usualEur !== undefined) prices.push(usualEur);
      notedYear = Math.max(notedYear, usualNotedYear);
    }
    const lowest = Math.min(...prices);
    if (prices.length > 0 && Math.max(...prices) <= lowest * BASE_SPREAD_MAX)
      known.set(base, { ...facts, usualEur: lowest, usualNotedYear: notedYear });
  }
  return known;
}

/** Returns the references with a usual price or a nickname that no model lists, neither whole nor by the number they start with. */
export function listUnlistedReferences(brand: BrandData): string[] {
  const models = modelsByReference(brand);
  return [...pricedReferences(brand), ...nicknamedReferences(brand)].filter(
    (written) => findByForm(models, brand, written) === undefined,
  );
}

function listedReferences(brand: BrandData): string[] {
  return brand.models.flatMap(splitReferences);
}

function nicknamedReferences(brand: BrandData): string[] {
  return Object.values(brand.nicknames ?? {}).flatMap(splitReferences);
}

function splitReferences({ references = "" }: { readonly references?: string }): string[] {
  return references.split(" ").filter((written) => written !== "");
}

function pricedReferences(brand: BrandData): string[] {
  return (brand.usual ?? []).flatMap(({ eur }) => Object.keys(eur));
}

/** If two models list a reference, it belongs to the first one. */
function modelsByReference(brand: BrandData): Map<string, string> {
  const models = new Map<string, string>();
  for (const model of brand.models) {
    for (const written of splitReferences(model)) {
      const key = toKey(brand, written);
      if (!models.has(key)) models.set(key, model.name);
    }
  }
  return models;
}

function launchedByReference(brand: BrandData): Map<string, number> {
  return new Map(
    Object.entries(brand.launched ?? {}).map(([written, year]) => [toKey(brand, written), year]),
  );
}

interface UsualPrice {
  readonly usualEur: number;
  readonly usualNotedYear: number;
}

function usualByReference(brand: BrandData): Map<string, UsualPrice> {
  return new Map(
    (brand.usual ?? []).flatMap(({ notedYear, eur }) =>
      Object.entries(eur).map(([written, usualEur]): [string, UsualPrice] => [
        toKey(brand, written),
        { usualEur, usualNotedYear: notedYear },
      ]),
    ),
  );
}

/** In the order of the data. Two spellings can have one name. */
function nicknamesByReference(brand: BrandData): ReadonlyMap<string, readonly string[]> {
  const nicknames = new Map<string, readonly string[]>();
  for (const nickname of Object.values(brand.nicknames ?? {})) {
    for (const written of splitReferences(nickname)) {
      const key = toKey(brand, written);
      nicknames.set(key, [...new Set([...(nicknames.get(key) ?? []), nickname.name])]);
    }
  }
  return nicknames;
}

/** The normalized reference without the brand's prefix: RM11-03 and 11-03 have the same facts. */
function toKey(brand: BrandData, written: string): string {
  const normalized = normalizeReference(written);
  const prefix = brand.prefix ?? "";
  return normalized.startsWith(prefix) ? normalized.slice(prefix.length) : normalized;
}

/** A reference that is written without the prefix is known in both forms, and one with the prefix only in that form. */
function listForms(brand: BrandData, written: string): string[] {
  const normalized = normalizeReference(written);
  const prefix = brand.prefix ?? "";
  return normalized.startsWith(prefix) ? [normalized] : [normalized, prefix + normalized];
}

/** Looks up the reference, then the forms that it starts with, the longest first: 5711/1A-010, 5711/1A, 5711/1, 5711. */
function findByForm<Value>(
  map: ReadonlyMap<string, Value>,
  brand: BrandData,
  written: string,
): Value | undefined {
  const whole = map.get(toKey(brand, written));
  if (whole !== undefined) return whole;
  const parts = written.match(/[a-z]+|\d+/gi) ?? [];
  for (let count = parts.length - 1; count > 0; count -= 1) {
    const value = map.get(toKey(brand, parts.slice(0, count).join("")));
    if (value !== undefined) return value;
  }
  return undefined;
}
