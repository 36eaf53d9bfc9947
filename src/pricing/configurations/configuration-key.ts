import { foldWord, normalizeReference } from "../../base/text.ts";

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
