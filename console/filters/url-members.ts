/** How members of a filter stand in the address. Members that are not listed here stand in the parameter `more`, as JSON. */
import { isObject } from "./filter.ts";

export interface Problem {
  /** The parameter of the address, or the member of the filter. */
  readonly name: string;
  readonly value: string;
  readonly kind: "not_whole" | "not_boolean" | "repeated" | "not_json" | "twice" | "unknown";
}

interface Reading {
  /** Undefined if the address has no part of this member. */
  readonly value: unknown;
  readonly problems: readonly Problem[];
}

type Parameter = readonly [name: string, text: string];

interface UrlMember {
  readonly parameters: readonly string[];
  /** What cannot be written this way is left out, and the caller then finds that it reads back as something else. */
  readonly write: (value: unknown) => readonly Parameter[];
  readonly read: (query: URLSearchParams) => Reading;
}

const TEXTS = [
  ["brand", "brand"],
  ["model", "model"],
  ["reference", "reference"],
  ["condition", "condition"],
  ["side", "side"],
  ["message_type", "message_type"],
  ["full_set_status", "full_set_status"],
  ["dial_type", "dial_type"],
  ["variant", "variant"],
  ["group_ids", "group_id"],
  ["group_names", "group_name"],
  ["contact_ids", "contact"],
] as const;
const BOOLEANS = [
  "has_media",
  "include_duplicates",
  "include_hidden",
  "include_revoked",
  "exclude_outliers",
] as const;

export const URL_MEMBERS: ReadonlyMap<string, UrlMember> = new Map<string, UrlMember>([
  ["q", text("q")],
  ["phone_number", text("phone_number")],
  ["contact_id", text("contact_id")],
  ["canonical_message_id", text("canonical_message_id")],
  ...TEXTS.map(([member, parameter]) => [member, texts(parameter)] as const),
  ["year", object({ values: wholes("year"), gte: whole("year_gte"), lte: whole("year_lte") })],
  [
    "price",
    object({ gte: whole("price_gte"), lte: whole("price_lte"), currency: text("price_currency") }),
  ],
  ["country_codes", object({ include: texts("country"), exclude: texts("country_not") })],
  ["last_seen_at_ms", object({ gte: whole("seen_gte"), lte: whole("seen_lte") })],
  ["message_timestamp_ms", object({ gte: whole("sent_gte"), lte: whole("sent_lte") })],
  ["from_ms", whole("from_ms")],
  ["to_ms", whole("to_ms")],
  ...BOOLEANS.map((member) => [member, boolean(member)] as const),
]);

function text(parameter: string): UrlMember {
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
    readonly kind: Problem["kind"];
  },
): UrlMember {
  return {
    parameters: [name],
    write: (value) => (typeof value === type ? [[name, String(value)]] : []),
    read: (query) => {
      const { value: given, problems } = text(name).read(query);
      if (typeof given !== "string") return { value: undefined, problems };
      const value = parse(given);
      if (value !== undefined) return { value, problems };
      return { value, problems: [...problems, { name, value: given, kind }] };
    },
  };
}

function object(parts: Readonly<Record<string, UrlMember>>): UrlMember {
  const entries = Object.entries(parts);
  return {
    parameters: entries.flatMap(([, { parameters }]) => parameters),
    write: (value) =>
      isObject(value) ? entries.flatMap(([name, part]) => part.write(value[name])) : [],
    read: (query) => {
      const read = entries.map(([name, part]) => [name, part.read(query)] as const);
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

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((item) => typeof item === "number");
}
