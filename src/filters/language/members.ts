import { Type } from "typebox";
import { foldWord, normalizeReference, toDigits } from "../../base/text.ts";
import { CONDITIONS, FULL_SET_STATUSES, MESSAGE_TYPES, SIDES } from "../../listings/listing.ts";
import { DROP_BPS_MAX } from "../../listings/offers.ts";
import { type Bounds, TEXT_MODES, type TextMode } from "./clause.ts";
import {
  type GivenBounds,
  type GivenValues,
  summarizeBounds,
  summarizeValues,
  toAmount,
  toDay,
} from "./phrases.ts";
import {
  anyOf,
  BoundsSchema,
  between,
  enumeration,
  enumerationIgnoringCase,
  hasBounds,
  idList,
  includeExclude,
  including,
  listOf,
  noneOf,
  pickBounds,
  range,
  type Shape,
  singleId,
  Text,
  textClauses,
  textList,
  Whole,
} from "./shapes.ts";

/**
 * A member of the filter object. The contract shows its schema, its label, its description and its example; the console makes its
 * words, its part of an address and its control from the contract.
 */
interface Member extends Shape {
  /** Whether an alert on messages can use it. Such an alert reads text, sender, group, time and media. */
  readonly isOfMessages?: true;
  /** As a list of chosen conditions names it. */
  readonly label: string;
  /** One line. */
  readonly description: string;
  readonly example: unknown;
}

const ID = "0b5f6f0e-8d3c-4c59-9a37-5a1d0c6f2e01";
const TIME_MS = 1_787_184_000_000;

const DECLARED = {
  q: {
    schema: Text,
    clauses: (query: string, member) => textClauses(query, "broad", member),
    phrase: (query: string) => `text "${query}"`,
    isOfMessages: true,
    label: "Words",
    description: "Words of the listing: `text_search` in mode `broad`.",
    example: "root beer",
  },
  text_search: {
    schema: Type.Object({
      query: Type.Optional(Text),
      mode: Type.Optional(Type.Enum([...TEXT_MODES])),
    }),
    clauses: ({ query = "", mode = "broad" }: { query?: string; mode?: TextMode }, member) =>
      textClauses(query, mode, member),
    phrase: ({ query, mode }: { readonly query?: string; readonly mode?: string }) =>
      query
        ? `text "${query}"${mode && mode !== "broad" ? ` (${mode.replace("_", " ")})` : ""}`
        : "",
    isOfMessages: true,
    label: "Text",
    description: "Words of the listing: any of them, all of them, a phrase, or a phrase with gaps.",
    example: { query: "full set", mode: "exact" },
  },
  side: {
    ...enumeration("side", SIDES),
    label: "Side",
    description: "Whether the watch is offered or sought.",
    example: ["for_sale"],
  },
  message_type: {
    ...enumeration("message_type", MESSAGE_TYPES),
    label: "Kind of message",
    description: "What kind of message the listing is from.",
    example: ["selling"],
  },
  brand: {
    ...textList("brand", foldWord),
    label: "Brand",
    description: "The brand. Case, accents and punctuation do not matter.",
    example: ["Rolex"],
  },
  model: {
    ...textList("model", foldWord),
    label: "Model",
    description: "The model. Case, accents and punctuation do not matter.",
    example: ["Submariner"],
  },
  reference: {
    ...textList("reference", normalizeReference),
    label: "Reference",
    description: "The reference. Only letters and digits count, in any case.",
    example: ["126610LN"],
  },
  year: {
    schema: Type.Object({ ...BoundsSchema.properties, values: Type.Optional(listOf(Whole)) }),
    clauses: ({ values, ...bounds }: Bounds & { values?: readonly number[] }, member) => [
      ...(values === undefined ? [] : [anyOf("year", values.map(String), member)]),
      ...between("year", bounds, member),
    ],
    phrase: (year: GivenBounds & { readonly values?: GivenValues | null }) =>
      [summarizeValues(year.values ?? []), summarizeBounds(year, String, "year")]
        .filter(Boolean)
        .join(", "),
    label: "Year",
    description: "The year of the watch: one of the values, and within the bounds.",
    example: { gte: 2021 },
  },
  years: {
    schema: listOf(Whole),
    clauses: (years: readonly number[], member) => [anyOf("year", years.map(String), member)],
    phrase: (values: GivenValues) => summarizeValues(values),
    label: "Year",
    description: "The year of the watch: one of the values.",
    example: [2021, 2022],
  },
  price: {
    schema: Type.Object({
      ...BoundsSchema.properties,
      currency: Type.Optional(Type.String({ pattern: "^[A-Za-z]{3,5}$" })),
    }),
    clauses: ({ currency = "EUR", ...bounds }: Bounds & { currency?: string }, member) =>
      hasBounds(bounds)
        ? [{ member, kind: "price", currency: currency.toUpperCase(), ...pickBounds(bounds) }]
        : [],
    phrase: (price: GivenBounds & { readonly currency?: string }) =>
      summarizeBounds(
        price,
        (minor) => `${toAmount(minor)} ${price.currency?.toUpperCase() ?? "EUR"}`,
        "ask",
      ),
    label: "Price",
    description: "The ask, in hundredths of the currency (default EUR).",
    example: { lte: 1_250_000, currency: "EUR" },
  },
  price_drop_bps: {
    schema: Type.Object({
      gte: Type.Optional(Type.Integer({ minimum: 1, maximum: DROP_BPS_MAX })),
    }),
    clauses: ({ gte }: { gte?: number }, member) =>
      gte === undefined ? [] : between("price_drop_bps", { gte }, member),
    phrase: ({ gte }: { readonly gte?: number }) =>
      gte === undefined ? "" : `price drop from ${gte / 100}%`,
    label: "Price drop",
    description: "How far the ask is below the dealer's last one, in hundredths of a per cent.",
    example: { gte: 500 },
  },
  condition: {
    ...enumerationIgnoringCase("condition", CONDITIONS),
    label: "Condition",
    description: "The condition, in any case.",
    example: ["NEW", "LIKE_NEW"],
  },
  conditions: {
    ...enumerationIgnoringCase("condition", CONDITIONS),
    label: "Condition",
    description: "The same as `condition`.",
    example: ["NEW"],
  },
  full_set_status: {
    ...enumerationIgnoringCase("full_set_status", FULL_SET_STATUSES),
    label: "Set",
    description: "What comes with the watch, in any case. `WATCH` is the watch only.",
    example: ["FULL_SET"],
  },
  full_set_options: {
    ...enumerationIgnoringCase("full_set_status", FULL_SET_STATUSES),
    label: "Set",
    description: "The same as `full_set_status`.",
    example: ["FULL_SET"],
  },
  dial_type: {
    ...textList("dial_type", foldWord, "dial "),
    label: "Dial",
    description: "The dial. Case, accents and punctuation do not matter.",
    example: ["blue"],
  },
  dial_types: {
    ...textList("dial_type", foldWord, "dial "),
    label: "Dial",
    description: "The same as `dial_type`.",
    example: ["blue"],
  },
  variant: {
    ...textList("variant", foldWord),
    label: "Variant",
    description: "The variant. Case, accents and punctuation do not matter.",
    example: ["jubilee"],
  },
  variants: {
    ...textList("variant", foldWord),
    label: "Variant",
    description: "The same as `variant`.",
    example: ["jubilee"],
  },
  country_codes: {
    ...includeExclude("country_code", "from country "),
    isOfMessages: true,
    label: "Country",
    description: "How the sender's number begins, or does not begin. Only digits count.",
    example: { exclude: ["852"] },
  },
  phone_numbers: {
    ...includeExclude("phone_number", "from "),
    isOfMessages: true,
    label: "Number",
    description: "The sender's number. Only digits count.",
    example: { include: ["+44 7700 900123"] },
  },
  phone_numbers_include: {
    ...textList("phone_number", toDigits, "from "),
    isOfMessages: true,
    label: "Number",
    description: "The same as `include` of `phone_numbers`.",
    example: ["+44 7700 900123"],
  },
  phone_numbers_exclude: {
    ...textList("phone_number", toDigits, "not from "),
    clauses: (numbers: readonly string[], member) => [
      noneOf("phone_number", numbers.map(toDigits), member),
    ],
    isOfMessages: true,
    label: "Not the number",
    description: "The same as `exclude` of `phone_numbers`.",
    example: ["+44 7700 900123"],
  },
  phone_number: {
    schema: Text,
    clauses: (number: string, member) => [anyOf("phone_number", [toDigits(number)], member)],
    phrase: (number: string) => `from ${number}`,
    isOfMessages: true,
    label: "Number",
    description: "The sender's number. Only digits count.",
    example: "+44 7700 900123",
  },
  group_ids: {
    ...idList("group_id", "group"),
    isOfMessages: true,
    label: "Group",
    description: "The message occurs in one of these groups and is not revoked there.",
    example: [ID],
  },
  group_names: {
    ...textList("group_name", foldWord, "in "),
    isOfMessages: true,
    label: "Group",
    description: "The same by name. Case, accents and punctuation do not matter.",
    example: ["EU Dealers"],
  },
  contact_ids: {
    ...idList("contact_id", "contact"),
    isOfMessages: true,
    label: "Dealer",
    description: "The sender. An id from before a merge selects the merged contact.",
    example: [ID],
  },
  contact_id: {
    ...singleId("contact_id", "contact"),
    isOfMessages: true,
    label: "Dealer",
    description: "The same as `contact_ids` with one id.",
    example: ID,
  },
  canonical_message_ids: {
    ...idList("canonical_message_id", "message"),
    isOfMessages: true,
    label: "Message",
    description: "The message. An id from before a merge selects the merged message.",
    example: [ID],
  },
  canonical_message_id: {
    ...singleId("canonical_message_id", "message"),
    isOfMessages: true,
    label: "Message",
    description: "The same as `canonical_message_ids` with one id.",
    example: ID,
  },
  has_media: {
    schema: Type.Boolean(),
    clauses: (hasMedia: boolean, member) => [anyOf("has_media", [String(hasMedia)], member)],
    phrase: (hasMedia: boolean) => (hasMedia ? "with media" : "without media"),
    isOfMessages: true,
    label: "With a picture",
    description: "Whether the message has a picture or another medium.",
    example: true,
  },
  message_timestamp_ms: {
    ...range("message_timestamp_ms", "sent", toDay),
    isOfMessages: true,
    label: "Sent",
    description: "When the message was sent, in milliseconds since 1970, UTC.",
    example: { gte: TIME_MS },
  },
  last_seen_at_ms: {
    ...range("last_seen_at_ms", "seen", toDay),
    isOfMessages: true,
    label: "Last seen",
    description: "When the message was last posted, in milliseconds since 1970, UTC.",
    example: { gte: TIME_MS },
  },
  from_ms: {
    schema: Whole,
    clauses: (gte: number, member) => between("message_timestamp_ms", { gte }, member),
    phrase: (fromMs: number) => `sent from ${toDay(fromMs)}`,
    isOfMessages: true,
    label: "Sent from",
    description: "The same as `gte` of `message_timestamp_ms`.",
    example: TIME_MS,
  },
  to_ms: {
    schema: Whole,
    clauses: (lte: number, member) => between("message_timestamp_ms", { lte }, member),
    phrase: (toMs: number) => `sent to ${toDay(toMs)}`,
    isOfMessages: true,
    label: "Sent up to",
    description: "The same as `lte` of `message_timestamp_ms`.",
    example: TIME_MS,
  },
  include_duplicates: {
    ...including("is_duplicate", "with duplicates"),
    label: "Repeated asks too",
    description: "Also select listings that repeat an ask of their sender.",
    example: true,
  },
  include_hidden: {
    ...including("is_hidden", "with hidden ones"),
    label: "Hidden ones too",
    description: "Also select listings that a correction or a later extraction no longer finds.",
    example: true,
  },
  include_revoked: {
    ...including("is_revoked", "with revoked ones"),
    isOfMessages: true,
    label: "Deleted messages too",
    description: "Also select listings whose message was revoked.",
    example: true,
  },
  exclude_outliers: {
    schema: Type.Boolean(),
    // Asks nothing of a listing. Only statistics read it.
    clauses: () => [],
    phrase: (isExcluded: boolean) => (isExcluded ? "without outliers" : ""),
    label: "Without outliers",
    description: "Leave outliers out of statistics. It selects no listings.",
    example: true,
  },
} satisfies Readonly<Record<string, Member>>;

/**
 * The one list of members, in the order of `docs/filters.md`. It is a Map, because callers look up any name that comes
 * in a request, and an object would also find `constructor`.
 */
export const MEMBERS: ReadonlyMap<string, Member> = new Map(Object.entries(DECLARED));

/** Whether a member, or a member inside of it, is as good as absent. */
export function asksNothing(value: unknown): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

/** An inner member that is null, "" or [] asks nothing, like an outer one. `fromEntries` keeps `__proto__` as data. */
export function withoutEmpty(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => !asksNothing(inner)));
}
