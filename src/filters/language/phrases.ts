/** The words of values in the summary of a filter, such as `from country 49 or 39` or `ask to 12,500 EUR`. */

export type GivenValues = readonly (string | number)[];
export type GivenBounds = { readonly gte?: number | null; readonly lte?: number | null };

export interface GivenSets {
  readonly include?: GivenValues | null;
  readonly exclude?: GivenValues | null;
}

const VALUES_SHOWN_MAX = 3;
/** The latest time that a JavaScript Date can hold. */
const DATE_MS_MAX = 8.64e15;

export function summarizeSets(sets: GivenSets, prefix: string): string {
  const phrases = [
    summarizeValues(sets.include ?? [], prefix),
    summarizeValues(sets.exclude ?? [], `not ${prefix}`),
  ];
  return phrases.filter(Boolean).join(", ");
}

/** `A, B or 4 more`. */
export function summarizeValues(values: GivenValues, prefix = ""): string {
  if (values.length === 0) return "";
  const shown = values.slice(0, VALUES_SHOWN_MAX).map(String);
  const restCount = values.length - shown.length;
  const words = restCount > 0 ? [...shown, `${restCount} more`] : shown;
  const last = words.pop() ?? "";
  return prefix + (words.length === 0 ? last : `${words.join(", ")} or ${last}`);
}

export function countValues(values: GivenValues, noun: string): string {
  if (values.length === 0) return "";
  return `of ${values.length} ${noun}${values.length === 1 ? "" : "s"}`;
}

export function summarizeBounds(
  bounds: GivenBounds,
  show: (value: number) => string,
  noun: string,
): string {
  const { gte, lte } = bounds;
  if (gte != null && lte != null) {
    return gte === lte ? `${noun} ${show(gte)}` : `${noun} ${show(gte)} to ${show(lte)}`;
  }
  if (gte != null) return `${noun} from ${show(gte)}`;
  return lte == null ? "" : `${noun} to ${show(lte)}`;
}

/** `12,500` or `12,500.50`. */
export function toAmount(minor: number): string {
  const [whole = "", fraction] = (Math.abs(minor) / 100).toFixed(2).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${minor < 0 ? "-" : ""}${grouped}${fraction === "00" ? "" : `.${fraction}`}`;
}

export function toDay(ms: number): string {
  const isDate = Math.abs(ms) <= DATE_MS_MAX;
  return isDate ? new Date(ms).toISOString().slice(0, 10) : String(ms);
}
