import type { FilterMembers } from "../../client/assay-client.ts";
import { trade } from "./trade.ts";

/** A part of the address that is not understood as a part of the filter. */
export interface AddressProblem {
  /** The parameter of the address, or the member of the filter. */
  readonly name: string;
  readonly value: string;
  readonly kind: "not_whole" | "not_boolean" | "repeated" | "not_json" | "twice" | "unknown";
}

/** The words of the controls of a filter. */
export const controlWords = {
  filters: "Filters",
  filtersCount: (count: number) => (count === 0 ? "Filters" : `Filters (${count})`),
  clear: "Clear all",
  remove: "Remove",
  chosen: "Chosen filters",
  anySide: "All",
  showMore: "More",
  showLess: "Less",
  findValue: (label: string) => `Find in ${label}`,
  noValues: "None",
  facetTitles: {
    brand: "Brand",
    reference: "Reference",
    model: "Model",
    year: "Year",
    condition: "Condition",
    full_set_status: "Set",
    dial_type: "Dial",
    variant: "Variant",
    country_code: "Country",
    group: "Group",
  },
  priceIn: (currency: string) => `Price in ${currency}`,
  seen: "Last seen",
  from: "From",
  to: "To",
  day: "24 h",
  week: "7 days",
  month: "30 days",
  notANumber: "Not a number",
  marks: "Also show",
  repeatedAsks: "Repeated asks",
  hiddenOnes: "Hidden ones",
  deletedMessages: "Deleted messages",
  withPicture: "Only with a picture",
  json: "All members as JSON",
  jsonHint: "The filter as the API takes it. Members that no control shows are kept.",
  jsonLabel: "Filter",
  jsonApply: "Apply",
  jsonBroken: "This is not a JSON object.",
  problemTitle: "A part of the address was not understood:",
  problem: ({ name, value, kind }: AddressProblem): string => {
    const given = value === "" ? name : `${name}=${value}`;
    switch (kind) {
      case "not_whole":
        return `${given}: must be a whole number`;
      case "not_boolean":
        return `${given}: must be true or false`;
      case "repeated":
        return `${given}: may stand there only once`;
      case "not_json":
        return `${given}: must be a JSON object`;
      case "twice":
        return `${name}: stands there twice; ${value} is not used`;
      default:
        return `${given}: has no meaning here`;
    }
  },
  dismissProblems: "Remove them from the address",
  ignored: "Not used by the search:",
} as const;

/** Words for filters: members (one without a word is shown by its name), values, and how both are put together. */
export const filterWords = {
  members: {
    q: "Words",
    text_search: "Text",
    side: "Side",
    message_type: "Kind of message",
    brand: "Brand",
    model: "Model",
    reference: "Reference",
    year: "Year",
    years: "Year",
    price: "Price",
    condition: "Condition",
    conditions: "Condition",
    full_set_status: "Set",
    full_set_options: "Set",
    dial_type: "Dial",
    dial_types: "Dial",
    variant: "Variant",
    variants: "Variant",
    country_codes: "Country",
    phone_numbers: "Number",
    phone_numbers_include: "Number",
    phone_numbers_exclude: "Not the number",
    phone_number: "Number",
    group_ids: "Group",
    group_names: "Group",
    contact_ids: "Dealer",
    contact_id: "Dealer",
    canonical_message_ids: "Message",
    canonical_message_id: "Message",
    has_media: "With a picture",
    message_timestamp_ms: "Sent",
    last_seen_at_ms: "Last seen",
    from_ms: "Sent from",
    to_ms: "Sent up to",
    include_duplicates: "Repeated asks too",
    include_hidden: "Hidden ones too",
    include_revoked: "Deleted messages too",
    exclude_outliers: "Without outliers",
  } satisfies Readonly<Partial<Record<keyof FilterMembers, string>>>,
  values: {
    ...trade.values,
    FOR_SALE: "for sale",
    WANT_TO_BUY: "wanted",
  },
  yes: "yes",
  no: "no",
  not: (label: string) => `${label} is not`,
  more: (shown: string, count: number) => `${shown} and ${count} more`,
  atLeast: (value: string) => `from ${value}`,
  atMost: (value: string) => `up to ${value}`,
  between: (from: string, to: string) => `${from} to ${to}`,
  group: (id: string) => `group ${id.slice(0, 8)}`,
} as const;
