/**
 * A filter in words: its parts as a reader removes them (one for each value of a short list, one for each range, one for the rest),
 * the names of its members and of their values.
 */
import { signal } from "@preact/signals";
import { FILTER_MEMBERS } from "../../client/assay-client.ts";
import { countryOf } from "../words/countries.ts";
import { filterWords } from "../words/filters.ts";
import { DAY_MS, formatAmount, times } from "../words/formats.ts";
import {
  askedDays,
  asksNothing,
  boundOf,
  currencyOf,
  daysAgo,
  type Filter,
  isNumbers,
  isObject,
  isTexts,
  type MemberName,
  withInner,
  withMember,
  without,
} from "./filter.ts";

export interface Part {
  readonly id: string;
  readonly member: string;
  /** Such as `Brand`. */
  readonly label: string;
  /** Such as `Rolex`. */
  readonly text: string;
  /** The filter without this part. */
  readonly rest: Filter;
}

/** Longer lists are one part. */
const VALUES_APART_MAX = 4;
const VALUES_NAMED_MAX = 3;
const TEXT_MAX = 60;
const formatDate = times({ day: "numeric", month: "short", year: "numeric" });
/** Names of groups and dealers, as far as facets and rows have told them. */
const ownerNames = signal<ReadonlyMap<string, string>>(new Map());

export function listParts(filter: Filter): readonly Part[] {
  return Object.entries(filter)
    .filter(([, value]) => !asksNothing(value))
    .flatMap(([member, value]) => partsOf(filter, member, value));
}

/** The whole member in words, such as `2021, from 2020`. */
export function describeMember(filter: Filter, member: string): string {
  const parts = partsOf(filter, member, filter[member]);
  return parts.map(({ text }) => text).join(", ");
}

export function memberLabel(member: string): string {
  const own = filterWords.titles[member];
  if (own !== undefined) return own;
  return Object.hasOwn(FILTER_MEMBERS, member)
    ? FILTER_MEMBERS[member as MemberName].title
    : member;
}

/** A condition in words, a group by its name, a country by its calling code. `member` is that of the filter. */
export function nameValue(member: string, value: string): string {
  if (member === "group_ids") return ownerNames.value.get(value) ?? filterWords.group;
  if (member === "contact_ids" || member === "contact_id") {
    return ownerNames.value.get(value) ?? filterWords.dealer;
  }
  if (member === "country_codes") return countryOf(value);
  return Object.hasOwn(filterWords.values, value.toUpperCase())
    ? filterWords.values[value.toUpperCase() as keyof typeof filterWords.values]
    : value;
}

/** Ids of groups and dealers are unique, so one list has both. */
export function noteNames(owners: readonly (readonly [id: string, name: string])[]): void {
  const unknown = owners.filter(([id, name]) => ownerNames.peek().get(id) !== name);
  if (unknown.length > 0) ownerNames.value = new Map([...ownerNames.peek(), ...unknown]);
}

export function isNamed(id: string): boolean {
  return ownerNames.value.has(id);
}

function partsOf(filter: Filter, member: string, value: unknown): readonly Part[] {
  const whole = (text: string): Part => ({
    id: member,
    member,
    label: memberLabel(member),
    text: shorten(text),
    rest: without(filter, [member]),
  });
  if (isTexts(value)) {
    return listOf(value, member, (rest) => withMember(filter, member, rest), whole);
  }
  if (typeof value === "string") return [whole(nameValue(member, value))];
  if (typeof value === "boolean") return [whole(value ? filterWords.yes : filterWords.no)];
  if (typeof value === "number" && member.endsWith("_ms")) return [whole(formatDay(value))];
  if (isObject(value)) return objectParts(filter, member, value);
  return [whole(JSON.stringify(value))];
}

function objectParts(
  filter: Filter,
  member: string,
  value: Readonly<Record<string, unknown>>,
): readonly Part[] {
  const label = memberLabel(member);
  const found: Part[] = [];
  const known = new Set<string>();
  for (const name of ["values", "include", "exclude"]) {
    const values = value[name];
    if (!isTexts(values) && !isNumbers(values)) continue;
    known.add(name);
    const set = (rest: readonly unknown[] | undefined) => withInner(filter, [member, name], rest);
    const whole = (text: string): Part => ({
      id: `${member}.${name}`,
      member,
      label: name === "exclude" ? filterWords.not(label) : label,
      text: shorten(text),
      rest: set(undefined),
    });
    found.push(...listOf(values, member, set, whole));
  }
  const bounds = describeBounds(filter, member);
  if (bounds !== undefined) {
    for (const name of ["gte", "lte", "currency"]) known.add(name);
    const rest = ["gte", "lte", "currency"].reduce(
      (left, name) => withInner(left, [member, name], undefined),
      filter,
    );
    found.push({ id: `${member}.bounds`, member, label, text: bounds, rest });
  }
  if (member === "text_search" && typeof value["query"] === "string") {
    known.add("query").add("mode");
    const isAll = value["mode"] === "all";
    const text = isAll ? value["query"] : `“${value["query"]}”${describeMode(value["mode"])}`;
    const rest = without(filter, [member]);
    const title = isAll ? FILTER_MEMBERS.q.title : label;
    found.push({ id: member, member, label: title, text: shorten(text.trim()), rest });
  }
  const strange = Object.entries(value).filter(
    ([name, inner]) => !known.has(name) && !asksNothing(inner),
  );
  const others = strange.map(([name, inner]) => ({
    id: `${member}.${name}`,
    member,
    label: `${label}.${name}`,
    text: shorten(JSON.stringify(inner)),
    rest: withInner(filter, [member, name], undefined),
  }));
  return [...found, ...others];
}

function listOf(
  values: readonly (string | number)[],
  member: string,
  set: (rest: readonly unknown[] | undefined) => Filter,
  whole: (text: string) => Part,
): readonly Part[] {
  const names = values.map((value) => nameValue(member, String(value)));
  if (values.length > VALUES_APART_MAX) {
    const shown = names.slice(0, VALUES_NAMED_MAX).join(", ");
    return [whole(filterWords.more(shown, values.length - VALUES_NAMED_MAX))];
  }
  return names.map((text, at) => {
    const rest = values.filter((_, other) => other !== at);
    const part = whole(text);
    return {
      ...part,
      id: `${part.id} ${at}`,
      rest: rest.length === 0 ? set(undefined) : set(rest),
    };
  });
}

function describeBounds(filter: Filter, member: string): string | undefined {
  const [gte, lte] = [boundOf(filter, member, "gte"), boundOf(filter, member, "lte")];
  if (gte === undefined && lte === undefined) return undefined;
  const days = gte === undefined ? 0 : (askedDays(gte) ?? (daysAgo(0) - gte) / DAY_MS);
  if (member === "last_seen_at_ms" && lte === undefined && Number.isInteger(days) && days > 0) {
    return filterWords.lastDays(days);
  }
  const show = (value: number): string => {
    if (member.endsWith("_ms")) return formatDay(value);
    if (member === "price_drop_bps") return `${value / 100}%`;
    if (member !== "price") return String(value);
    return formatAmount({ minor: value, currency: currencyOf(filter) });
  };
  if (member === "price_drop_bps" && gte !== undefined) return filterWords.drop(show(gte));
  if (gte === undefined) return filterWords.atMost(show(lte ?? 0));
  return lte === undefined
    ? filterWords.atLeast(show(gte))
    : filterWords.between(show(gte), show(lte));
}

function describeMode(mode: unknown): string {
  const name = filterWords.textModes[mode as keyof typeof filterWords.textModes];
  return name === undefined ? "" : ` ${name}`;
}

function formatDay(atMs: number): string {
  return Math.abs(atMs) <= 8.64e15 ? formatDate(atMs) : String(atMs);
}

function shorten(text: string): string {
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text;
}
