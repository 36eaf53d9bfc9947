import { rawSql, type Sql, sql } from "../../db/sql.ts";
import type { ListingFacts } from "../../listings/listing.ts";
import { CONDITIONS, FULL_SET_STATUSES, MESSAGE_TYPES, SIDES } from "../../listings/listing.ts";

/** Lookups that run before a filter is compiled to SQL. */
export interface Directory {
  /** The ids of all groups whose folded name is one of these. */
  groupIdsNamed(foldedNames: readonly string[]): readonly string[];
  /** Replaces the ids of merged contacts by the id of the contact that they were merged into. */
  currentContactIds(ids: readonly string[]): readonly string[];
  currentMessageIds(ids: readonly string[]): readonly string[];
}

/**
 * How an attribute of a listing is read in memory, in SQL and by the reverse index. An attribute that lacks one of the
 * three does not compile. The members of the filter object (`members.ts`) become clauses over attributes.
 * `changesByPost` says whether a listing's value can change when its message is posted again. Such a value only grows:
 * groups are added, media appear, the last time gets later. The preview of an alert reads it as it was at each post.
 */
interface Attribute {
  /** In memory: the listing's value, an array if it can have several, or null if it has none. */
  readonly read: (listing: ListingFacts) => string | readonly string[] | null;
  /** In SQL: whether the listing has any of the values; null reads as false. */
  readonly sql: (values: readonly string[], directory: Directory) => Sql;
  /** In the index: a few words in a bit mask, which is full, or keys that are looked up. */
  readonly index: MaskAttribute | KeyAttribute;
  readonly changesByPost: boolean;
}

/** A number that a clause compares with bounds. */
type NumberAttribute = {
  readonly sql: () => Sql;
  readonly changesByPost: boolean;
} & (
  | { readonly isTime: true; readonly read: (listing: ListingFacts) => number }
  | { readonly isTime: false; readonly read: (listing: ListingFacts) => number | null }
);

interface MaskAttribute {
  readonly as: "mask";
  readonly words: readonly string[];
  /** A listing has one of the words, one or none, a set of them, or marks that a filter allows or forbids. */
  readonly holds: "one" | "optional" | "set" | "marks";
}

interface KeyAttribute {
  readonly as: "key";
  /** The expected share of listings that have one value. Used until the index has observed real listings. */
  readonly expectedShare: number;
  /** A listing has one value, or several. With `prefixes`, every prefix of its value counts as a value. */
  readonly has: "one" | "several" | "prefixes";
}

const key = (expectedShare: number, has: KeyAttribute["has"] = "one"): KeyAttribute => ({
  as: "key",
  expectedShare,
  has,
});

/** One value is asked for by `=`, because then an index on the column and an order gives that order. */
function isAny(column: string, values: readonly string[]): Sql {
  const [first] = values;
  return first !== undefined && values.length === 1
    ? sql`(${rawSql(column)} = ${first})`
    : sql`(${rawSql(column)} = any(${toArrayText(values)}::text[]))`;
}

const MARKS = ["is_duplicate", "is_hidden", "is_revoked"] as const;
const NO_MARKS: readonly string[] = [];

const DECLARED = {
  side: {
    read: (listing) => listing.side,
    sql: (values) => isAny("side", values),
    index: { as: "mask", words: SIDES, holds: "one" },
    changesByPost: false,
  },
  message_type: {
    read: (listing) => listing.message_type,
    sql: (values) => isAny("message_type", values),
    index: { as: "mask", words: MESSAGE_TYPES, holds: "one" },
    changesByPost: false,
  },
  brand: {
    read: (listing) => listing.brand_folded,
    sql: (values) => isAny("brand_folded", values),
    index: key(0.1),
    changesByPost: false,
  },
  model: {
    read: (listing) => listing.model_folded,
    sql: (values) => isAny("model_folded", values),
    index: key(0.005),
    changesByPost: false,
  },
  reference: {
    read: (listing) => listing.reference_normalized,
    sql: (values) => isAny("reference_normalized", values),
    index: key(0.001),
    changesByPost: false,
  },
  year: {
    read: (listing) => (listing.year === null ? null : String(listing.year)),
    sql: (values) => sql`(year = any(${toArrayText(values)}::bigint[]))`,
    index: key(0.1),
    changesByPost: false,
  },
  condition: {
    read: (listing) => listing.condition,
    sql: (values) => isAny("condition", values),
    index: { as: "mask", words: CONDITIONS, holds: "optional" },
    changesByPost: false,
  },
  full_set_status: {
    read: (listing) => listing.full_set_status,
    sql: (values) => sql`(full_set_status && ${toArrayText(values)}::text[])`,
    index: { as: "mask", words: FULL_SET_STATUSES, holds: "set" },
    changesByPost: false,
  },
  dial_type: {
    read: (listing) => listing.dial_type_folded,
    sql: (values) => isAny("dial_type_folded", values),
    index: key(0.1),
    changesByPost: false,
  },
  variant: {
    read: (listing) => listing.variant_folded,
    sql: (values) => isAny("variant_folded", values),
    index: key(0.05),
    changesByPost: false,
  },
  country_code: {
    read: (listing) => listing.phone_number,
    sql: (values) =>
      sql`(phone_number like any(${toArrayText(values.map((value) => `${value}%`))}::text[]))`,
    index: key(0.15, "prefixes"),
    changesByPost: false,
  },
  phone_number: {
    read: (listing) => listing.phone_number,
    sql: (values) => isAny("phone_number", values),
    index: key(0.001),
    changesByPost: false,
  },
  group_id: {
    read: (listing) => listing.group_ids,
    sql: (values) => sql`(group_ids && ${toArrayText(values)}::uuid[])`,
    index: key(0.01, "several"),
    changesByPost: true,
  },
  group_name: {
    read: (listing) => listing.group_names_folded,
    sql: (values, directory) =>
      sql`(group_ids && ${toArrayText(directory.groupIdsNamed(values))}::uuid[])`,
    index: key(0.01, "several"),
    changesByPost: true,
  },
  contact_id: {
    read: (listing) => listing.contact_ids,
    sql: (values, directory) =>
      sql`(contact_id = any(${toArrayText(directory.currentContactIds(values))}::uuid[]))`,
    index: key(0.001, "several"),
    changesByPost: false,
  },
  canonical_message_id: {
    read: (listing) => listing.canonical_message_ids,
    sql: (values, directory) =>
      sql`(canonical_message_id = any(${toArrayText(directory.currentMessageIds(values))}::uuid[]))`,
    index: key(0.000_001, "several"),
    changesByPost: false,
  },
  has_media: {
    read: (listing) => (listing.has_media ? "true" : "false"),
    sql: (values) => sql`(has_media = any(${toArrayText(values)}::boolean[]))`,
    index: { as: "mask", words: ["false", "true"], holds: "one" },
    changesByPost: true,
  },
  mark: {
    read: (listing) =>
      listing.is_duplicate || listing.is_hidden || listing.is_revoked
        ? MARKS.filter((mark) => listing[mark])
        : NO_MARKS,
    sql: (values) =>
      sql`((is_duplicate and ${values.includes("is_duplicate")})
          or (is_hidden and ${values.includes("is_hidden")})
          or (is_revoked and ${values.includes("is_revoked")}))`,
    index: { as: "mask", words: MARKS, holds: "marks" },
    changesByPost: false,
  },
} as const satisfies Readonly<Record<string, Attribute>>;

/** What a clause can compare with values. */
export type AttributeName = keyof typeof DECLARED;

export const ATTRIBUTES: Readonly<Record<AttributeName, Attribute>> = DECLARED;

const DECLARED_NUMBERS = {
  price_drop_bps: {
    read: (listing) => listing.price_drop_bps,
    sql: () => sql`price_drop_bps`,
    isTime: false,
    changesByPost: false,
  },
  year: {
    read: (listing) => listing.year,
    sql: () => sql`year`,
    isTime: false,
    changesByPost: false,
  },
  message_timestamp_ms: {
    read: (listing) => listing.message_timestamp_ms,
    sql: () => sql`message_timestamp_ms`,
    isTime: true,
    changesByPost: false,
  },
  last_seen_at_ms: {
    read: (listing) => listing.last_seen_at_ms,
    sql: () => sql`last_seen_at_ms`,
    isTime: true,
    changesByPost: true,
  },
} as const satisfies Readonly<Record<string, NumberAttribute>>;

/** What a clause can compare with bounds. */
export type NumberName = keyof typeof DECLARED_NUMBERS;

export const NUMBERS: Readonly<Record<NumberName, NumberAttribute>> = DECLARED_NUMBERS;

/** The numbers that are times. */
export const TIMES = (Object.entries(NUMBERS) as [NumberName, NumberAttribute][]).flatMap(
  ([name, number]) => (number.isTime ? [{ name, read: number.read }] : []),
);

type ChangingName<Declared> = {
  [Name in keyof Declared]: Declared[Name] extends { readonly changesByPost: true } ? Name : never;
}[keyof Declared];

/** The attributes whose values can change when the message is posted again. */
export type ChangingAttribute =
  | ChangingName<typeof DECLARED>
  | ChangingName<typeof DECLARED_NUMBERS>;

/** As PostgreSQL writes an array, so that any element type can be cast from it, and an empty one too. */
function toArrayText(values: readonly string[]): string {
  return `{${values.map((value) => JSON.stringify(value)).join(",")}}`;
}
