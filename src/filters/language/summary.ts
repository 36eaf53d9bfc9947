import { asksNothing, MEMBERS, type MemberName } from "./members.ts";

const VALUES_SHOWN_MAX = 3;
const SUMMARY_LENGTH_MAX = 200;

/** Describes a filter object in one short line of English. The object must have passed `parseFilter`. */
export function summarizeFilter(filter: Readonly<Record<string, unknown>>): string {
  const phrases = [...MEMBERS.keys()]
    .filter((member) => Object.hasOwn(filter, member) && !asksNothing(filter[member]))
    .map((member) => PHRASES[member as MemberName](filter[member] as never))
    .filter((phrase) => phrase !== "");
  const line = phrases.join(", ").replace(/\s+/g, " ").trim() || "everything";
  if (line.length <= SUMMARY_LENGTH_MAX) return line;
  // Cut between whole characters: PostgreSQL does not store half of a surrogate pair.
  return `${[...line].slice(0, SUMMARY_LENGTH_MAX - 1).join("")}…`;
}

type Values = readonly (string | number)[];
type Bounds = { readonly gte?: number | null; readonly lte?: number | null };

const PHRASES: Readonly<Record<MemberName, (value: never) => string>> = {
  q: (query: string) => `text "${query}"`,
  text_search: ({ query, mode }: { readonly query?: string; readonly mode?: string }) =>
    query ? `text "${query}"${mode && mode !== "broad" ? ` (${mode.replace("_", " ")})` : ""}` : "",
  side: (values: Values) => joinValues(values).replaceAll("_", " "),
  message_type: (values: Values) => joinValues(values),
  brand: (values: Values) => joinValues(values),
  model: (values: Values) => joinValues(values),
  reference: (values: Values) => joinValues(values),
  year: (year: Bounds & { readonly values?: Values | null }) =>
    [joinValues(year.values ?? []), describeBounds(year, String, "year")]
      .filter(Boolean)
      .join(", "),
  years: (values: Values) => joinValues(values),
  price: (price: Bounds & { readonly currency?: string }) =>
    describeBounds(
      price,
      (minor) => `${toAmount(minor)} ${price.currency?.toUpperCase() ?? "EUR"}`,
      "ask",
    ),
  condition: (values: Values) => joinValues(values).toLowerCase().replaceAll("_", " "),
  conditions: (values: Values) => joinValues(values).toLowerCase().replaceAll("_", " "),
  full_set_status: (values: Values) => joinValues(values).toLowerCase().replaceAll("_", " "),
  full_set_options: (values: Values) => joinValues(values).toLowerCase().replaceAll("_", " "),
  dial_type: (values: Values) => joinValues(values, "dial "),
  dial_types: (values: Values) => joinValues(values, "dial "),
  variant: (values: Values) => joinValues(values),
  variants: (values: Values) => joinValues(values),
  country_codes: (sets: Sets) => describeSets(sets, "from country "),
  phone_numbers: (sets: Sets) => describeSets(sets, "from "),
  phone_numbers_include: (values: Values) => joinValues(values, "from "),
  phone_numbers_exclude: (values: Values) => joinValues(values, "not from "),
  phone_number: (value: string) => `from ${value}`,
  group_ids: (values: Values) => countValues(values, "group"),
  group_names: (values: Values) => joinValues(values, "in "),
  contact_ids: (values: Values) => countValues(values, "contact"),
  contact_id: () => "of 1 contact",
  canonical_message_ids: (values: Values) => countValues(values, "message"),
  canonical_message_id: () => "of 1 message",
  has_media: (hasMedia: boolean) => (hasMedia ? "with media" : "without media"),
  message_timestamp_ms: (bounds: Bounds) => describeBounds(bounds, toDay, "sent"),
  last_seen_at_ms: (bounds: Bounds) => describeBounds(bounds, toDay, "seen"),
  from_ms: (fromMs: number) => `sent from ${toDay(fromMs)}`,
  to_ms: (toMs: number) => `sent to ${toDay(toMs)}`,
  include_duplicates: (isIncluded: boolean) => (isIncluded ? "with duplicates" : ""),
  include_hidden: (isIncluded: boolean) => (isIncluded ? "with hidden ones" : ""),
  include_revoked: (isIncluded: boolean) => (isIncluded ? "with revoked ones" : ""),
  exclude_outliers: (isExcluded: boolean) => (isExcluded ? "without outliers" : ""),
};

interface Sets {
  readonly include?: Values | null;
  readonly exclude?: Values | null;
}

function describeSets(sets: Sets, prefix: string): string {
  const phrases = [
    joinValues(sets.include ?? [], prefix),
    joinValues(sets.exclude ?? [], `not ${prefix}`),
  ];
  return phrases.filter(Boolean).join(", ");
}

/** `A, B or 4 more`. */
function joinValues(values: Values, prefix = ""): string {
  if (values.length === 0) return "";
  const shown = values.slice(0, VALUES_SHOWN_MAX).map(String);
  const restCount = values.length - shown.length;
  const words = restCount > 0 ? [...shown, `${restCount} more`] : shown;
  const last = words.pop() ?? "";
  return prefix + (words.length === 0 ? last : `${words.join(", ")} or ${last}`);
}

function countValues(values: Values, noun: string): string {
  if (values.length === 0) return "";
  return `of ${values.length} ${noun}${values.length === 1 ? "" : "s"}`;
}

function describeBounds(bounds: Bounds, show: (value: number) => string, noun: string): string {
  const { gte, lte } = bounds;
  if (gte != null && lte != null) {
    return gte === lte ? `${noun} ${show(gte)}` : `${noun} ${show(gte)} to ${show(lte)}`;
  }
  if (gte != null) return `${noun} from ${show(gte)}`;
  return lte == null ? "" : `${noun} to ${show(lte)}`;
}

/** `12,500` or `12,500.50`. */
function toAmount(minor: number): string {
  const [whole = "", fraction] = (Math.abs(minor) / 100).toFixed(2).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${minor < 0 ? "-" : ""}${grouped}${fraction === "00" ? "" : `.${fraction}`}`;
}

function toDay(ms: number): string {
  const isDate = Math.abs(ms) <= DATE_MS_MAX;
  return isDate ? new Date(ms).toISOString().slice(0, 10) : String(ms);
}

/** The latest time that a JavaScript Date can hold. */
const DATE_MS_MAX = 8.64e15;
