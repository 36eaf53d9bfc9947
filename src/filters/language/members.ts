import { type TSchema, Type } from "typebox";
import { foldWord, normalizeReference, toDigits } from "../../base/text.ts";
import { CONDITIONS, FULL_SET_STATUSES, MESSAGE_TYPES, SIDES } from "../../listings/listing.ts";
import { toWords } from "../../listings/search-text.ts";
import type { AttributeName, NumberName } from "./attributes.ts";
import { type Bounds, type Clause, TEXT_MODES, type TextMode } from "./clause.ts";

/** High enough for the longest lists that dealers use, and low enough that every filter is cheap to check. */
export const LIMITS = {
  members: 100,
  values: 500,
  textLength: 500,
  words: 32,
  depth: 20,
  parts: 20_000,
} as const;

/** A member of the filter object: its schema, and the clauses that it stands for. */
interface Member<Value = unknown> {
  readonly schema: TSchema;
  /** Runs before the schema check, for enumerations that ignore case. */
  readonly prepare?: (value: unknown) => unknown;
  readonly clauses: (value: Value, member: string) => readonly Clause[];
  /** The clauses of a filter that does not have this member. */
  readonly clausesWhenAbsent?: (member: string) => readonly Clause[];
}

export type MemberName = keyof typeof DECLARED;

const Text = Type.String({ maxLength: LIMITS.textLength });

const Uuid = Type.String({ format: "uuid" });

const Whole = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });

const BoundsSchema = Type.Object({ gte: Type.Optional(Whole), lte: Type.Optional(Whole) });

const Texts = listOf(Text);

const Sets = Type.Object({ include: Type.Optional(Texts), exclude: Type.Optional(Texts) });

const DECLARED = {
  q: define<string>(Text, (query, member) => textClauses(query, "broad", member)),
  text_search: define<{ query?: string; mode?: TextMode }>(
    Type.Object({ query: Type.Optional(Text), mode: Type.Optional(Type.Enum([...TEXT_MODES])) }),
    ({ query = "", mode = "broad" }, member) => textClauses(query, mode, member),
  ),
  side: enumeration("side", SIDES),
  message_type: enumeration("message_type", MESSAGE_TYPES),
  brand: textList("brand", foldWord),
  model: textList("model", foldWord),
  reference: textList("reference", normalizeReference),
  year: define<Bounds & { values?: readonly number[] }>(
    Type.Object({ ...BoundsSchema.properties, values: Type.Optional(listOf(Whole)) }),
    ({ values, ...bounds }, member) => [
      ...(values === undefined ? [] : [anyOf("year", values.map(String), member)]),
      ...between("year", bounds, member),
    ],
  ),
  years: define<readonly number[]>(listOf(Whole), (years, member) => [
    anyOf("year", years.map(String), member),
  ]),
  price: define<Bounds & { currency?: string }>(
    Type.Object({
      ...BoundsSchema.properties,
      currency: Type.Optional(Type.String({ pattern: "^[A-Za-z]{3,5}$" })),
    }),
    ({ currency = "EUR", ...bounds }, member) =>
      hasBounds(bounds)
        ? [{ member, kind: "price", currency: currency.toUpperCase(), ...pickBounds(bounds) }]
        : [],
  ),
  condition: enumerationIgnoringCase("condition", CONDITIONS),
  conditions: enumerationIgnoringCase("condition", CONDITIONS),
  full_set_status: enumerationIgnoringCase("full_set_status", FULL_SET_STATUSES),
  full_set_options: enumerationIgnoringCase("full_set_status", FULL_SET_STATUSES),
  dial_type: textList("dial_type", foldWord),
  dial_types: textList("dial_type", foldWord),
  variant: textList("variant", foldWord),
  variants: textList("variant", foldWord),
  country_codes: includeExclude("country_code"),
  phone_numbers: includeExclude("phone_number"),
  phone_numbers_include: textList("phone_number", toDigits),
  phone_numbers_exclude: define<readonly string[]>(Texts, (numbers, member) => [
    noneOf("phone_number", numbers.map(toDigits), member),
  ]),
  phone_number: define<string>(Text, (number, member) => [
    anyOf("phone_number", [toDigits(number)], member),
  ]),
  group_ids: idList("group_id"),
  group_names: textList("group_name", foldWord),
  contact_ids: idList("contact_id"),
  contact_id: singleId("contact_id"),
  canonical_message_ids: idList("canonical_message_id"),
  canonical_message_id: singleId("canonical_message_id"),
  has_media: define<boolean>(Type.Boolean(), (hasMedia, member) => [
    anyOf("has_media", [String(hasMedia)], member),
  ]),
  message_timestamp_ms: define<Bounds>(BoundsSchema, (bounds, member) =>
    between("message_timestamp_ms", bounds, member),
  ),
  last_seen_at_ms: define<Bounds>(BoundsSchema, (bounds, member) =>
    between("last_seen_at_ms", bounds, member),
  ),
  from_ms: define<number>(Whole, (gte, member) => between("message_timestamp_ms", { gte }, member)),
  to_ms: define<number>(Whole, (lte, member) => between("message_timestamp_ms", { lte }, member)),
  include_duplicates: including("is_duplicate"),
  include_hidden: including("is_hidden"),
  include_revoked: including("is_revoked"),
  // Asks nothing of a listing. Only statistics read it.
  exclude_outliers: define<boolean>(Type.Boolean(), () => []),
} as const;

/**
 * The one list of members, in the order of `docs/filters.md`. It is a Map, because callers look up any name that comes
 * in a request, and an object would also find `constructor`.
 */
export const MEMBERS: ReadonlyMap<string, Member> = new Map(
  Object.entries(DECLARED as Readonly<Record<MemberName, Member>>),
);

/** Whether a member, or a member inside of it, is as good as absent. */
export function asksNothing(value: unknown): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

function define<Value>(
  schema: TSchema,
  clauses: (value: Value, member: string) => readonly Clause[],
): Member {
  // Safe: `parseFilter` checks the schema before it calls `clauses`.
  return { schema, clauses: clauses as Member["clauses"] };
}

function listOf<Item extends TSchema>(item: Item) {
  return Type.Array(item, { maxItems: LIMITS.values });
}

function textList(attribute: AttributeName, fold: (text: string) => string): Member {
  return define<readonly string[]>(Texts, (values, member) => [
    anyOf(attribute, values.map(fold), member),
  ]);
}

function idList(attribute: AttributeName): Member {
  return define<readonly string[]>(listOf(Uuid), (values, member) => [
    anyOf(attribute, values.map(toLowerCase), member),
  ]);
}

function singleId(attribute: AttributeName): Member {
  return define<string>(Uuid, (value, member) => [anyOf(attribute, [value.toLowerCase()], member)]);
}

function enumeration(attribute: AttributeName, allowed: readonly string[]): Member {
  return define<readonly string[]>(listOf(Type.Enum([...allowed])), (values, member) => [
    anyOf(attribute, values, member),
  ]);
}

function enumerationIgnoringCase(attribute: AttributeName, allowed: readonly string[]): Member {
  return {
    ...enumeration(attribute, allowed),
    prepare: (value) =>
      Array.isArray(value)
        ? value.map((item) => (typeof item === "string" ? item.toUpperCase() : item))
        : value,
  };
}

function includeExclude(attribute: "country_code" | "phone_number"): Member {
  return define<{ include?: readonly string[]; exclude?: readonly string[] }>(
    Sets,
    ({ include, exclude }, member) => [
      ...(include === undefined ? [] : [anyOf(attribute, include.map(toDigits), member)]),
      ...(exclude === undefined ? [] : [noneOf(attribute, exclude.map(toDigits), member)]),
    ],
  );
}

/** Listings with this mark match only if the filter includes them. */
function including(mark: "is_duplicate" | "is_hidden" | "is_revoked"): Member {
  const clausesWhenAbsent = (member: string) => [noneOf("mark", [mark], member)];
  return {
    ...define<boolean>(Type.Boolean(), (isIncluded, member) =>
      isIncluded ? [] : clausesWhenAbsent(member),
    ),
    clausesWhenAbsent,
  };
}

function anyOf(attribute: AttributeName, values: readonly string[], member: string): Clause {
  return { member, kind: "any_of", attribute, values: toDistinct(values) };
}

function noneOf(attribute: AttributeName, values: readonly string[], member: string): Clause {
  return { member, kind: "none_of", attribute, values: toDistinct(values) };
}

// A value that folds to "" matches no listing. As a country code, "" would match every number.
function toDistinct(values: readonly string[]): readonly string[] {
  return [...new Set(values.filter((value) => value !== ""))].sort();
}

function between(attribute: NumberName, bounds: Bounds, member: string): readonly Clause[] {
  return hasBounds(bounds) ? [{ member, kind: "between", attribute, ...pickBounds(bounds) }] : [];
}

function hasBounds({ gte, lte }: Bounds): boolean {
  return gte !== undefined || lte !== undefined;
}

/** Drops unknown members beside the bounds. */
function pickBounds({ gte, lte }: Bounds): Bounds {
  return { ...(gte === undefined ? {} : { gte }), ...(lte === undefined ? {} : { lte }) };
}

function textClauses(query: string, mode: TextMode, member: string): readonly Clause[] {
  const queryWords = toWords(query);
  if (queryWords.length === 0) return [];
  // Order and repeats matter only in a phrase.
  const words = mode === "broad" ? toDistinct(queryWords) : queryWords;
  return [{ member, kind: "text", mode, words }];
}

function toLowerCase(text: string): string {
  return text.toLowerCase();
}

/** A member of a filter object that no filter knows: it is stored and adds no condition. */
export interface UnknownMember {
  /** Inside of the filter object. */
  readonly path: readonly string[];
  /** What may have been meant. */
  readonly known: readonly string[];
}

/**
 * `extraMembers` are known besides those of all filters, as alerts have some.
 *
 * Example: `{"referense": ["5711"], "year": {"min": 2020}}` gives the paths `referense` and `year.min`.
 */
export function findUnknownMembers(
  filters: Readonly<Record<string, unknown>>,
  extraMembers: readonly string[] = [],
): readonly UnknownMember[] {
  const known = [...MEMBERS.keys(), ...extraMembers];
  return Object.entries(filters).flatMap(([name, value]) =>
    known.includes(name) ? findInside(name, value) : [{ path: [name], known }],
  );
}

/** A member that is an object, such as `year`, ignores what it does not know as well. */
function findInside(member: string, value: unknown): readonly UnknownMember[] {
  const { properties } = (MEMBERS.get(member)?.schema ?? {}) as {
    readonly properties?: Readonly<Record<string, unknown>>;
  };
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (properties === undefined || !isObject) return [];
  const known = Object.keys(properties);
  return Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name) => ({ path: [member, name], known }));
}
