import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { assertNever, OperatorError } from "../base/errors.ts";
import { foldWord } from "../base/text.ts";
import { mergeCatalogue, parseCatalogueAddition } from "../extraction/catalogue/addition.ts";
import type { BrandData } from "../extraction/catalogue/brand.ts";
import {
  buildCatalogue,
  type Catalogue,
  findKnownReference,
} from "../extraction/catalogue/catalogue.ts";
import { WEIGHTS } from "../extraction/weights/weights.ts";
import type { NamedWatch } from "./figures/named-watch-store.ts";

/** The built-in catalogue, with the dealer's additions from `file` if there is one. */
export async function loadCatalogue(file: string | undefined): Promise<Catalogue> {
  builtIn ??= buildCatalogue();
  if (file === undefined) return builtIn;
  let json: unknown;
  try {
    json = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${file} cannot be read as JSON: ${reason}`, error);
  }
  return mergeCatalogue(builtIn, parseCatalogueAddition(json));
}

let builtIn: Catalogue | undefined;

/** Identifies the data with which messages are read. Messages that were read with other data are outdated. */
export function catalogueSha256(catalogue: Catalogue): string {
  const known = digests.get(catalogue);
  if (known !== undefined) return known;
  const text = JSON.stringify(readingDataOf(catalogue));
  const digest = createHash("sha256").update(text).digest("hex");
  digests.set(catalogue, digest);
  return digest;
}

/** All data that decide what is read in a text, the dealer's own included. A test compares it with the data files. */
export function readingDataOf({ brands, words }: Catalogue): Readonly<Record<string, unknown>> {
  return { brands, words, weights: WEIGHTS };
}

const digests = new WeakMap<Catalogue, string>();

/** A word of listings that the catalogue lacks. */
export interface CatalogueGap {
  /** The brand and the reference or model as dealers write it, or the brand alone. */
  readonly name: string;
  readonly messageCount: number;
}

interface CatalogueGaps {
  readonly references: readonly CatalogueGap[];
  /** Models of listings without a reference. */
  readonly models: readonly CatalogueGap[];
  /** Brands of which the catalogue has no model, and so no reference either. */
  readonly brands: readonly CatalogueGap[];
}

/** Keeps the order of the watches. A reference is known as extraction knows it: 5711/1A-010 by its base 5711. */
export function findCatalogueGaps(
  catalogue: Catalogue,
  watches: readonly NamedWatch[],
): CatalogueGaps {
  const brands = new Map(catalogue.brands.map((brand) => [foldWord(brand.name), brand]));
  const lacking = watches.filter((watch) => {
    const brand = brands.get(foldWord(watch.brand ?? ""));
    switch (watch.kind) {
      case "reference":
        return !hasReference(catalogue, brand, watch);
      case "model":
        return watch.model !== null && !hasModel(brand, foldWord(watch.model));
      case "brand":
        return watch.brand !== null && (brand?.models.length ?? 0) === 0;
      default:
        return assertNever(watch.kind);
    }
  });
  const gapsOf = (kind: NamedWatch["kind"]) =>
    lacking.filter((watch) => watch.kind === kind).map(toGap);
  return { references: gapsOf("reference"), models: gapsOf("model"), brands: gapsOf("brand") };
}

/** The normalized reference can differ from the written one, because extraction repairs typing errors. */
function hasReference(
  catalogue: Catalogue,
  brand: BrandData | undefined,
  { reference, reference_normalized }: NamedWatch,
): boolean {
  if (brand === undefined) return false;
  return [reference_normalized, reference].some(
    (written) =>
      written !== null && findKnownReference(catalogue, written, brand.name) !== undefined,
  );
}

function hasModel(brand: BrandData | undefined, folded: string): boolean {
  if (brand === undefined) return false;
  const names = [
    ...brand.models.flatMap(({ name, words }) => [name, ...(words ?? [])]),
    ...Object.values(brand.nicknames ?? {}).flatMap(({ model }) => model ?? []),
  ];
  return names.some((name) => foldWord(name) === folded);
}

function toGap({ kind, brand, reference, model, message_count }: NamedWatch): CatalogueGap {
  const word = { reference, model, brand: null }[kind];
  const name = [brand, word].filter((part) => part !== null).join(" ");
  return { name, messageCount: message_count };
}
