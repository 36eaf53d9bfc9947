import { asksNothing, MEMBERS, type MemberName } from "./members.ts";

const VALUES_SHOWN_MAX = 3;
const SUMMARY_LENGTH_MAX = 200;

/** The filter object in one short line of English; it must have passed `parseFilter`. */
export function summarizeFilter(given: Readonly<Record<string, unknown>>): string {
  const phrases = [...MEMBERS.keys()]
    .filter((member) => Object.hasOwn(given, member) && !asksNothing(given[member]))
    .map((member) => PHRASES[member as MemberName](given[member] as never))
    .filter((phrase) => phrase !== "");
  const line = phrases.join(", ").replace(/\s+/g, " ").trim() || "everything";
  if (line.length <= SUMMARY_LENGTH_MAX) return line;
  // Whole characters only: half of a surrogate pair cannot be stored.
  return `${[...line].slice(0, SUMMARY_LENGTH_MAX - 1).join("")}…`;
}

type Values = readonly (string | number)[];
type Bounds = { readonly gte?: number | null; readonly lte?: number | null };

const PHRASES: Readonly<Record<MemberName, (value: never) => string>> = {
  q: (query: string) => `text "${query}"`,
  text_search: ({ query, mode }: { readonly query?: string; readonly mode?: string }) =>
    query ? `text "${query}"${mode && mode !== "broad" ? ` (${mode.replace("_", " ")})` : ""}` : "",
  side: (values: Values) => listed(values).replaceAll("_", " "),
  message_type: (values: Values) => listed(values),
  brand: (values: Values) => listed(values),
  model: (values: Values) => listed(values),
  reference: (values: Values) => listed(values),
  year: (year: Bounds & { readonly values?: Values | null }) =>
    [listed(year.values ?? []), bounded(year, String, "year")].filter(Boolean).join(", "),
  years: (values: Values) => listed(values),
  price: (price: Bounds & { readonly currency?: string }) =>
    bounded(
      price,
      (minor) => `${toAmount(minor)} ${price.currency?.toUpperCase() ?? "EUR"}`,
      "ask",
    ),
  condition: (values: Values) => listed(values).toLowerCase().replaceAll("_", " "),
  conditions: (values: Values) => listed(values).toLowerCase().replaceAll("_", " "),
  full_set_status: (values: Values) => listed(values).toLowerCase().replaceAll("_", " "),
  full_set_options: (values: Values) => listed(values).toLowerCase().replaceAll("_", " "),
  dial_type: (values: Values) => listed(values, "dial "),
  dial_types: (values: Values) => listed(values, "dial "),
  variant: (values: Values) => listed(values),
  variants: (values: Values) => listed(values),
  country_codes: (sets: Sets) => includedExcluded(sets, "from country "),
  phone_numbers: (sets: Sets) => includedExcluded(sets, "from "),
  phone_numbers_include: (values: Values) => listed(values, "from "),
  phone_numbers_exclude: (values: Values) => listed(values, "not from "),
  phone_number: (value: string) => `from ${value}`,
  group_ids: (values: Values) => counted(values, "group"),
  group_names: (values: Values) => listed(values, "in "),
  contact_ids: (values: Values) => counted(values, "contact"),
  contact_id: () => "of 1 contact",
  canonical_message_ids: (values: Values) => counted(values, "message"),
  canonical_message_id: () => "of 1 message",
  has_media: (hasMedia: boolean) => (hasMedia ? "with media" : "without media"),
  message_timestamp_ms: (bounds: Bounds) => bounded(bounds, toDay, "sent"),
  last_seen_at_ms: (bounds: Bounds) => bounded(bounds, toDay, "seen"),
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

function includedExcluded(sets: Sets, before: string): string {
  const phrases = [listed(sets.include ?? [], before), listed(sets.exclude ?? [], `not ${before}`)];
  return phrases.filter(Boolean).join(", ");
}

/** `A, B or 4 more`. */
function listed(values: Values, before = ""): string {
  if (values.length === 0) return "";
  const shown = values.slice(0, VALUES_SHOWN_MAX).map(String);
  const restCount = values.length - shown.length;
  const words = restCount > 0 ? [...shown, `${restCount} more`] : shown;
  const last = words.pop() ?? "";
  return before + (words.length === 0 ? last : `${words.join(", ")} or ${last}`);
}

function counted(values: Values, noun: string): string {
  if (values.length === 0) return "";
  return `of ${values.length} ${noun}${values.length === 1 ? "" : "s"}`;
}

function bounded(bounds: Bounds, show: (value: number) => string, noun: string): string {
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

/** Beyond this a JavaScript date has no value. */
const DATE_MS_MAX = 8.64e15;
