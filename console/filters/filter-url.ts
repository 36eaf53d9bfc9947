/**
 * A filter as a part of the address, and back. Nothing is lost: a member that would not read back as it was stands in the
 * parameter `more`, as JSON. So each member has one way to be written, and a filter that went through the address is the same.
 *
 * Example: `{"brand": ["Rolex"], "price": {"lte": 900000}, "phone_numbers": {"exclude": ["852"]}}` is
 * `brand=Rolex&price_lte=900000&more={"phone_numbers":{"exclude":["852"]}}`.
 */
import { FILTER_MEMBERS } from "../../client/assay-client.ts";
import type { AddressProblem } from "../words/filters.ts";
import {
  type Filter,
  isNumbers,
  isObject,
  isSameJson,
  isTexts,
  MEMBER_NAMES,
  type MemberName,
  parseFilter,
} from "./filter.ts";

interface FilterReading {
  readonly filter: Filter;
  /** What the address says and the filter does not have. */
  readonly problems: readonly AddressProblem[];
}

/** How a member of a filter stands in the address. */
interface UrlMember<Value = unknown> {
  readonly parameters: readonly string[];
  /** What cannot be written this way is left out, and the caller then finds that it reads back as something else. */
  readonly write: (value: unknown) => readonly Parameter[];
  readonly read: (query: URLSearchParams) => Reading<Value>;
}

interface Reading<Value> {
  /** Undefined if the address has no part of this member. */
  readonly value: Value | undefined;
  readonly problems: readonly AddressProblem[];
}

type Parameter = readonly [name: string, text: string];

type Shape = "text" | "texts" | "whole" | "wholes" | "boolean";

const MORE = "more";
const VALUE_SHOWN_MAX = 80;

/** Parameters that are not called as their member. Parts of an object follow it: `seen_gte`. */
const NAMES: { readonly [Name in MemberName]?: string } = {
  text_search: "words",
  group_ids: "group_id",
  group_names: "group_name",
  contact_ids: "contact",
  country_codes: "country",
  last_seen_at_ms: "seen",
  message_timestamp_ms: "sent",
  price_drop_bps: "drop_bps",
};

/** Other names of the same, and what is seldom asked for. They stand in `more`. */
const IN_MORE: readonly MemberName[] = [
  "years",
  "conditions",
  "full_set_options",
  "dial_types",
  "variants",
  "phone_numbers",
  "phone_numbers_include",
  "phone_numbers_exclude",
  "canonical_message_ids",
];

/** All others, as the contract declares them. */
export const URL_MEMBERS: ReadonlyMap<string, UrlMember> = new Map(
  MEMBER_NAMES.filter((member) => !IN_MORE.includes(member)).map((member) => [
    member,
    toUrlMember(member, NAMES[member] ?? member),
  ]),
);

function toUrlMember(member: MemberName, name: string): UrlMember {
  if (member === "text_search") return allWords(name);
  const { shape } = FILTER_MEMBERS[member];
  if (typeof shape === "string") return ofShape(shape, name);
  // A list comes first: `year=2021&year_gte=2020`.
  const parts = Object.entries<Shape>(shape).toSorted(
    ([, one], [, other]) => Number(other.endsWith("s")) - Number(one.endsWith("s")),
  );
  return object(parts.map(([part, inner]) => [part, ofShape(inner, partName(name, part))]));
}

function partName(name: string, part: string): string {
  if (part === "values" || part === "include") return name;
  return part === "exclude" ? `${name}_not` : `${name}_${part}`;
}

function ofShape(shape: Shape, name: string): UrlMember {
  return { text, texts, whole, wholes, boolean }[shape](name);
}

/** `otherParameters` belong to the page, such as `sort`. */
export function readFilter(
  query: URLSearchParams,
  otherParameters: readonly string[] = [],
): FilterReading {
  const plain: [string, unknown][] = [];
  const problems: AddressProblem[] = [];
  for (const [member, { read }] of URL_MEMBERS) {
    const reading = read(query);
    problems.push(...reading.problems);
    if (reading.value !== undefined) plain.push([member, reading.value]);
  }
  const more = readMore(query);
  const twice = Object.keys(more.filter).filter((name) =>
    plain.some(([member]) => member === name),
  );
  problems.push(
    ...more.problems,
    ...twice.map((name) => ({
      name,
      value: JSON.stringify(more.filter[name]),
      kind: "twice" as const,
    })),
    ...listUnknown(query, otherParameters),
  );
  return {
    filter: Object.fromEntries([...Object.entries(more.filter), ...plain]),
    problems: problems.map((problem) => ({
      ...problem,
      value: problem.value.slice(0, VALUE_SHOWN_MAX),
    })),
  };
}

/** Adds the filter to the parameters of the page. A parameter that the page uses otherwise is `taken`. */
export function writeFilter(
  filter: Filter,
  query = new URLSearchParams(),
  taken: readonly MemberName[] = [],
): URLSearchParams {
  const more: [string, unknown][] = [];
  for (const [member, value] of Object.entries(filter)) {
    const parameters = URL_MEMBERS.get(member)?.write(value) ?? [];
    const isFree = !taken.some((name) => name === member);
    if (isFree && isSameJson(readBack(member, parameters), value)) {
      for (const [name, text] of parameters) query.append(name, text);
    } else more.push([member, value]);
  }
  if (more.length > 0) query.set(MORE, JSON.stringify(Object.fromEntries(more)));
  return query;
}

/** Through the text of an address, because not every string survives it: half of a surrogate pair does not. */
function readBack(member: string, parameters: readonly (readonly [string, string])[]): unknown {
  const written = new URLSearchParams();
  for (const [name, text] of parameters) written.append(name, text);
  const { value, problems } = URL_MEMBERS.get(member)?.read(
    new URLSearchParams(written.toString()),
  ) ?? { value: undefined, problems: [] };
  return problems.length === 0 ? value : undefined;
}

function readMore(query: URLSearchParams): FilterReading {
  const texts = query.getAll(MORE);
  const filters: Filter[] = [];
  const problems: AddressProblem[] = [];
  for (const [at, value] of texts.entries()) {
    const parsed = parseFilter(value);
    if (parsed === undefined) problems.push({ name: MORE, value, kind: "not_json" });
    else if (at > 0) problems.push({ name: MORE, value, kind: "repeated" });
    else filters.push(parsed);
  }
  return { filter: filters[0] ?? {}, problems };
}

function listUnknown(query: URLSearchParams, others: readonly string[]): readonly AddressProblem[] {
  const known = new Set([
    MORE,
    ...others,
    ...[...URL_MEMBERS.values()].flatMap(({ parameters }) => parameters),
  ]);
  return [...query]
    .filter(([name]) => !known.has(name))
    .map(([name, value]) => ({ name, value, kind: "unknown" as const }));
}

function text(parameter: string): UrlMember<string> {
  return {
    parameters: [parameter],
    write: (value) => (typeof value === "string" ? [[parameter, value]] : []),
    read: (query) => {
      const [first, ...others] = query.getAll(parameter);
      const problems = others.map((value) => ({
        name: parameter,
        value,
        kind: "repeated" as const,
      }));
      return { value: first, problems };
    },
  };
}

/** Words of which a listing has all. A text search of another mode stands in `more`. */
function allWords(parameter: string): UrlMember {
  const { read } = text(parameter);
  return {
    parameters: [parameter],
    write: (value) =>
      isObject(value) && typeof value["query"] === "string" ? [[parameter, value["query"]]] : [],
    read: (query) => {
      const { value, problems } = read(query);
      return { value: value === undefined ? undefined : { query: value, mode: "all" }, problems };
    },
  };
}

/** A list is a repeated parameter: `brand=Rolex&brand=Tudor`. */
function texts(parameter: string): UrlMember {
  return {
    parameters: [parameter],
    write: (value) => (isTexts(value) ? value.map((item) => [parameter, item]) : []),
    read: (query) => {
      const values = query.getAll(parameter);
      return { value: values.length === 0 ? undefined : values, problems: [] };
    },
  };
}

function wholes(parameter: string): UrlMember {
  return {
    parameters: [parameter],
    write: (value) => (isNumbers(value) ? value.map((item) => [parameter, String(item)]) : []),
    read: (query) => {
      const given = query.getAll(parameter).map((value) => ({ value, number: toWhole(value) }));
      const numbers = given.flatMap(({ number }) => (number === undefined ? [] : [number]));
      const problems = given
        .filter(({ number }) => number === undefined)
        .map(({ value }) => ({ name: parameter, value, kind: "not_whole" as const }));
      return { value: numbers.length === 0 ? undefined : numbers, problems };
    },
  };
}

function whole(parameter: string): UrlMember {
  return single(parameter, { type: "number", parse: toWhole, kind: "not_whole" });
}

function boolean(parameter: string): UrlMember {
  const parse = (value: string) =>
    value === "true" || value === "false" ? value === "true" : undefined;
  return single(parameter, { type: "boolean", parse, kind: "not_boolean" });
}

function single(
  name: string,
  {
    type,
    parse,
    kind,
  }: {
    readonly type: string;
    readonly parse: (text: string) => unknown;
    readonly kind: AddressProblem["kind"];
  },
): UrlMember {
  return {
    parameters: [name],
    write: (value) => (typeof value === type ? [[name, String(value)]] : []),
    read: (query) => {
      const { value: given, problems } = text(name).read(query);
      if (given === undefined) return { value: undefined, problems };
      const value = parse(given);
      if (value !== undefined) return { value, problems };
      return { value, problems: [...problems, { name, value: given, kind }] };
    },
  };
}

function object(parts: readonly (readonly [name: string, part: UrlMember])[]): UrlMember {
  return {
    parameters: parts.flatMap(([, { parameters }]) => parameters),
    write: (value) =>
      isObject(value) ? parts.flatMap(([name, part]) => part.write(value[name])) : [],
    read: (query) => {
      const read = parts.map(([name, part]) => [name, part.read(query)] as const);
      const given = read.filter(([, { value }]) => value !== undefined);
      const value = Object.fromEntries(given.map(([name, reading]) => [name, reading.value]));
      return {
        value: given.length === 0 ? undefined : value,
        problems: read.flatMap(([, { problems }]) => problems),
      };
    },
  };
}

function toWhole(value: string): number | undefined {
  const number = Number(value);
  return /^-?\d+$/.test(value) && Number.isSafeInteger(number) ? number : undefined;
}
