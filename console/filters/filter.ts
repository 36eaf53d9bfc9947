import { FILTER_MEMBERS, type FilterMembers } from "../../client/assay-client.ts";
import { DAY_MS, HOUR_MS } from "../words/formats.ts";

/**
 * A filter object of the service (`docs/filters.md`). It may come from an address or a text, so its values can be anything. It
 * may have members that the contract does not; they are kept.
 */
export type Filter = Readonly<Record<string, unknown>>;

export type MemberName = keyof FilterMembers;

/** In the order of the contract. */
export const MEMBER_NAMES = Object.keys(FILTER_MEMBERS) as readonly MemberName[];

type MemberOf<Value> = {
  [Name in MemberName]: Required<FilterMembers>[Name] extends Value ? Name : never;
}[MemberName];

/** The members of the contract with values that nothing has checked. */
type Unchecked = { readonly [Name in MemberName]?: unknown };

export type BooleanMember = MemberOf<boolean>;
export type RangeMember = MemberOf<Readonly<Partial<Record<Bound, number>>>>;

/** The facets of the service, and where the filter has the values that are chosen in them. */
export const FACETS = [
  { name: "brand", member: "brand" },
  { name: "reference", member: "reference" },
  { name: "model", member: "model" },
  { name: "year", member: "year", inner: "values", isNumber: true },
  { name: "condition", member: "condition" },
  { name: "full_set_status", member: "full_set_status" },
  { name: "dial_type", member: "dial_type" },
  { name: "variant", member: "variant" },
  { name: "country_code", member: "country_codes", inner: "include" },
  { name: "group", member: "group_ids" },
] as const satisfies readonly Facet[];

export type FacetName = (typeof FACETS)[number]["name"];

export interface Facet {
  readonly name: string;
  readonly member: MemberName;
  /** Where the values are inside of the member, if it is an object. */
  readonly inner?: "values" | "include";
  readonly isNumber?: boolean;
}

/** Yes or no. Without those that select no listings. */
export const MARKS = MEMBER_NAMES.filter(
  (member): member is BooleanMember =>
    FILTER_MEMBERS[member].shape === "boolean" && member !== "exclude_outliers",
);

export type Bound = "gte" | "lte";

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

export function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((item) => typeof item === "number");
}

/** Undefined if the text is not a JSON object. */
export function parseFilter(text: string): Filter | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Equal as JSON: the order of members does not matter. */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, at) => isSameJson(item, right[at]));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSameJson(left[name], right[name]))
  );
}

/** The service ignores such a member, as if it were absent. */
export function asksNothing(value: unknown): boolean {
  if (isObject(value)) return Object.values(value).every(asksNothing);
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

export function without(filter: Filter, members: readonly string[]): Filter {
  return Object.fromEntries(Object.entries(filter).filter(([name]) => !members.includes(name)));
}

export function withMember(filter: Filter, member: string, value: unknown): Filter {
  return value === undefined ? without(filter, [member]) : { ...filter, [member]: value };
}

/** Sets or removes what stands inside of a member, and removes the member with its last part. */
export function withInner(
  filter: Filter,
  [member, name]: readonly [member: string, name: string],
  value: unknown,
): Filter {
  const rest = without(innerOf(filter, member), [name]);
  const inner = value === undefined ? rest : { ...rest, [name]: value };
  return Object.keys(inner).length === 0
    ? without(filter, [member])
    : { ...filter, [member]: inner };
}

export function boundOf(filter: Filter, member: string, bound: Bound): number | undefined {
  const value = innerOf(filter, member)[bound];
  return typeof value === "number" ? value : undefined;
}

/** By what a filter selects a time. */
export const TIME_MEMBERS: readonly MemberName[] = [
  "last_seen_at_ms",
  "message_timestamp_ms",
  "from_ms",
  "to_ms",
];

let countedFromMs = 0;
/** Of the times that were handed out: how many days ago. Each means the same for as long as the page is open. */
const daysOf = new Map<number, number>();

/** From a full hour that holds for a day, so that the same choice is the same filter for a while. */
export function daysAgo(days: number): number {
  const hourMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  if (hourMs - countedFromMs >= DAY_MS) countedFromMs = hourMs;
  const atMs = countedFromMs - days * DAY_MS;
  daysOf.set(atMs, days);
  return atMs;
}

/** How many days ago this was when `daysAgo` returned it; undefined for any other time. */
export function askedDays(atMs: number): number | undefined {
  return daysOf.get(atMs);
}

export const WORDS = "q" satisfies MemberName;

/** The words that are searched for. */
export function wordsOf({ [WORDS]: words }: Unchecked): string {
  return typeof words === "string" ? words : "";
}

/** The currency of the price. */
export function currencyOf({ price }: Unchecked): string {
  const { currency } = isObject(price) ? price : {};
  return typeof currency === "string" ? currency.toUpperCase() : "EUR";
}

export function chosenValues(filter: Filter, { member, inner }: Facet): readonly string[] {
  const values = inner === undefined ? filter[member] : innerOf(filter, member)[inner];
  return Array.isArray(values) ? values.map(String) : [];
}

export function withValues(filter: Filter, facet: Facet, values: readonly string[]): Filter {
  const given = facet.isNumber === true ? values.map(Number) : values;
  if (facet.inner === undefined) {
    return values.length === 0
      ? without(filter, [facet.member])
      : { ...filter, [facet.member]: given };
  }
  return withInner(filter, [facet.member, facet.inner], values.length === 0 ? undefined : given);
}

export function toggleValue(filter: Filter, facet: Facet, value: string): Filter {
  const values = chosenValues(filter, facet);
  const others = values.filter((chosen) => !isSameValue(chosen, value));
  return withValues(filter, facet, others.length < values.length ? others : [...values, value]);
}

/** The service ignores case, accents and punctuation in most values; so does this, to find a value among those of a facet. */
export function isSameValue(left: string, right: string): boolean {
  return left === right || (fold(left) !== "" && fold(left) === fold(right));
}

function innerOf(filter: Filter, member: string): Readonly<Record<string, unknown>> {
  const value = filter[member];
  return isObject(value) ? value : {};
}

function fold(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}
