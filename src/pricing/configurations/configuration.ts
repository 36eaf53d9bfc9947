import { foldWord, normalizeReference } from "../../base/text.ts";
import { restricts, SET_MEMBERS } from "../../filters/language/sets.ts";
import type { CellStatus } from "../cells/cell.ts";

export function configurationStatus(
  availableYears: readonly number[],
  lastSuccessAtMs: number | null,
): CellStatus {
  if (lastSuccessAtMs === null) return "pending";
  return availableYears.length > 0 ? "available" : "insufficient";
}

/** What a configuration asks of its listings besides its declared filters. */
export function ownFilters(brand: string, marketReference: string) {
  return { side: ["for_sale"], brand: [brand], reference: [marketReference] };
}

/** What makes a configuration more specific than another one; members of one row ask for the same. */
const SPECIFIC_MEMBERS = [["dial_type", "dial_types"], ["variant", "variants"], SET_MEMBERS];

/** One point each if the filters restrict dial, variant, set. */
export function specificityOf(filters: Readonly<Record<string, unknown>>): number {
  return SPECIFIC_MEMBERS.filter((members) => restricts(filters, members)).length;
}

/** The filter members that usually distinguish configurations of one reference. */
const DISTINGUISHING_MEMBERS = ["dial_type", "dial_types", "variant", "variants"] as const;

/** The key of a configuration that declares none, such as `rolex:126500LN:white`. */
export function makeConfigurationKey(configuration: {
  readonly brand: string;
  readonly reference: string;
  readonly filters: Readonly<Record<string, unknown>>;
}): string {
  const { brand, reference, filters } = configuration;
  const details = DISTINGUISHING_MEMBERS.map((member) => wordsOf(filters[member]).join("+"));
  return [foldWord(brand), normalizeReference(reference), ...details]
    .filter((part) => part !== "")
    .join(":");
}

function wordsOf(values: unknown): readonly string[] {
  if (!Array.isArray(values)) return [];
  const words = values.map((value) => foldWord(String(value))).filter((word) => word !== "");
  return [...new Set(words)].sort();
}
