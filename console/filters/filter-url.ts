/**
 * A filter as a part of the address, and back. Nothing is lost: a member that would not read back as it was stands in the
 * parameter `more`, as JSON. So each member has one way to be written, and a filter that went through the address is the same.
 *
 * Example: `{"brand": ["Rolex"], "price": {"lte": 900000}, "phone_numbers": {"exclude": ["852"]}}` is
 * `brand=Rolex&price_lte=900000&more={"phone_numbers":{"exclude":["852"]}}`.
 */
import type { FilterMembers } from "../../client/assay-client.ts";
import type { AddressProblem } from "../words/filters.ts";
import {
  type Filter,
  isNumbers,
  isObject,
  isSameJson,
  isTexts,
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

/** The type of a member, but with any text where the contract lists words. */
type Loose<Value> = Value extends string
  ? string
  : Value extends readonly string[]
    ? readonly string[]
    : Value extends number | boolean | readonly number[]
      ? Value
      : { readonly [Part in keyof Value]?: Loose<NonNullable<Value[Part]>> };

type UrlTable = { readonly [Name in MemberName]?: UrlMember<Loose<Required<FilterMembers>[Name]>> };

const MORE = "more";
const VALUE_SHOWN_MAX = 80;

const TABLE: UrlTable = {
  q: text("q"),
  phone_number: text("phone_number"),
  contact_id: text("contact_id"),
  canonical_message_id: text("canonical_message_id"),
  brand: texts("brand"),
  model: texts("model"),
  reference: texts("reference"),
  condition: texts("condition"),
  side: texts("side"),
  message_type: texts("message_type"),
  full_set_status: texts("full_set_status"),
  dial_type: texts("dial_type"),
  variant: texts("variant"),
  group_ids: texts("group_id"),
  group_names: texts("group_name"),
  contact_ids: texts("contact"),
  year: object({ values: wholes("year"), gte: whole("year_gte"), lte: whole("year_lte") }),
  price: object({
    gte: whole("price_gte"),
    lte: whole("price_lte"),
    currency: text("price_currency"),
  }),
  country_codes: object({ include: texts("country"), exclude: texts("country_not") }),
  last_seen_at_ms: object({ gte: whole("seen_gte"), lte: whole("seen_lte") }),
  message_timestamp_ms: object({ gte: whole("sent_gte"), lte: whole("sent_lte") }),
  from_ms: whole("from_ms"),
  to_ms: whole("to_ms"),
  has_media: boolean("has_media"),
  include_duplicates: boolean("include_duplicates"),
  include_hidden: boolean("include_hidden"),
  include_revoked: boolean("include_revoked"),
  exclude_outliers: boolean("exclude_outliers"),
};

/** Members that are not listed here stand in the parameter `more`. */
export const URL_MEMBERS: ReadonlyMap<string, UrlMember> = new Map<string, UrlMember>(
  Object.entries(TABLE),
);

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

/** Adds the filter to the parameters of the page. */
export function writeFilter(filter: Filter, query = new URLSearchParams()): URLSearchParams {
  const more: [string, unknown][] = [];
  for (const [member, value] of Object.entries(filter)) {
    const parameters = URL_MEMBERS.get(member)?.write(value) ?? [];
    if (isSameJson(readBack(member, parameters), value)) {
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

/** A list is a repeated parameter: `brand=Rolex&brand=Tudor`. */
function texts(parameter: string): UrlMember<readonly string[]> {
  return {
    parameters: [parameter],
    write: (value) => (isTexts(value) ? value.map((item) => [parameter, item]) : []),
    read: (query) => {
      const values = query.getAll(parameter);
      return { value: values.length === 0 ? undefined : values, problems: [] };
    },
  };
}

function wholes(parameter: string): UrlMember<readonly number[]> {
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

function whole(parameter: string): UrlMember<number> {
  return single(parameter, { type: "number", parse: toWhole, kind: "not_whole" });
}

function boolean(parameter: string): UrlMember<boolean> {
  const parse = (value: string) =>
    value === "true" || value === "false" ? value === "true" : undefined;
  return single(parameter, { type: "boolean", parse, kind: "not_boolean" });
}

function single<Value>(
  name: string,
  {
    type,
    parse,
    kind,
  }: {
    readonly type: string;
    readonly parse: (text: string) => Value | undefined;
    readonly kind: AddressProblem["kind"];
  },
): UrlMember<Value> {
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

/** `Value` comes from the table, so that a part which the member does not have is an error. */
function object<Value>(
  parts: NoInfer<{ readonly [Part in keyof Value]: UrlMember<NonNullable<Value[Part]>> }>,
): UrlMember<Value> {
  const entries = Object.entries<UrlMember>(parts);
  return {
    parameters: entries.flatMap(([, { parameters }]) => parameters),
    write: (value) =>
      isObject(value) ? entries.flatMap(([name, part]) => part.write(value[name])) : [],
    read: (query) => {
      const read = entries.map(([name, part]) => [name, part.read(query)] as const);
      const given = read.filter(([, { value }]) => value !== undefined);
      const value = Object.fromEntries(given.map(([name, reading]) => [name, reading.value]));
      return {
        value: given.length === 0 ? undefined : (value as Value),
        problems: read.flatMap(([, { problems }]) => problems),
      };
    },
  };
}

function toWhole(value: string): number | undefined {
  const number = Number(value);
  return /^-?\d+$/.test(value) && Number.isSafeInteger(number) ? number : undefined;
}
