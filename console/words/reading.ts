import type { FilterMembers } from "../../client/assay-client.ts";
import { trade } from "./trade.ts";

/** What a filter asks besides what was read. */
const MEMBERS = {
  country_codes: "Country",
  group_ids: "Group",
  group_names: "Group",
  phone_numbers_include: "Number",
  phone_numbers_exclude: "Number",
  q: "Words",
  text_search: "Words",
} satisfies Readonly<Partial<Record<keyof FilterMembers, string>>>;

/** What was read in a message, in the words of a dealer. */
const FIELDS: Readonly<Record<string, string>> = {
  ...MEMBERS,
  side: "Wanted or for sale",
  brand: "Brand",
  model: "Model",
  reference: "Reference",
  dial_type: "Dial",
  variant: "Variant",
  year: "Year",
  card_month: "Month of the card",
  condition: "Condition",
  full_set_status: "Set",
  price: "Ask",
  currency: "Currency",
  alternative_price: "Second price",
  retail_price: "List price",
  status: "Status",
  is_listing: "Is a listing",
  source_view: "Source",
  configuration_ids: "Price rule",
  enabled: "Switched on",
  strategy: "A buy",
  buy_signals_enabled: "Its price rule sends buys",
};

const VALUES: Readonly<Record<string, string>> = {
  for_sale: "for sale",
  want_to_buy: "wanted",
  ...trade.values,
  sold: "sold",
  on_hold: "on hold",
  new: "new",
  like_new: "like new",
  used: "used",
};

const REASONS: Readonly<Record<string, string>> = {
  malformed_number: "It is not a number that can be read in one way only.",
  unit_contradicts_size: "The unit does not fit the size of the amount.",
  unit_unknown: "Too small for a price, and it is not clear in what unit.",
  currency_unknown: "It is not clear in which currency.",
  currency_implausible: "In this currency the price would be implausible.",
  several_prices: "Several prices, and it is not clear which one is the ask.",
  date_in_future: "The date is in the future.",
  date_before_launch: "The watch did not exist yet.",
  reply: "The dealer replied something else.",
  corrected: "A person corrected it.",
};

const SOURCES: Readonly<Record<string, string>> = {
  explicit: "its own words",
  section: "words for several",
  default: "assumed",
  reply: "the dealer's reply",
  corrected: "a person",
};

const spaced = (name: string): string => name.replaceAll("_", " ");

export const readingWords = {
  unknownWatch: "Unknown watch",
  field: (name: string): string => FIELDS[name] ?? spaced(name),
  value: (name: string): string => VALUES[name] ?? name,
  reason: (name: string): string => REASONS[name] ?? spaced(name),
  source: (name: string): string => SOURCES[name] ?? spaced(name),
  notUsed: (field: string) => `${field}, not used`,
  none: "none",
  yes: "yes",
  no: "no",
  showAll: (count: string) => `Show the whole message (${count} characters)`,
  showLess: "Show less",
  leftOut: "Not shown here",
  noText: "The message has no text.",
} as const;
