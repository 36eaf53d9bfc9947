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
  drop: "Price drop",
  dropHint: "The dealer asked for more before, within 60 days.",
  dropOf: (share: string) => `${share} or more`,
  only: "Only",
  marks: "Also show",
  /** Below these titles. Others are called as they are when chosen. */
  marksOf: {
    include_duplicates: "Repeated asks",
    include_hidden: "Hidden ones",
    include_revoked: "Deleted messages",
  } as Readonly<Record<string, string>>,
  json: "For engineers: as JSON",
  jsonHint: "The filter as the API takes it. What no control shows is kept.",
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

/** Words for filters: values, and how members and values are put together. The contract names the members. */
export const filterWords = {
  /** Of members that dealers call otherwise than the contract. */
  titles: { side: "Kind" } as Readonly<Record<string, string>>,
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
  group: "a group",
  dealer: "one dealer",
  drop: (share: string) => `${share} or more`,
  /** How exactly words are looked for; all of them is what one expects. */
  textModes: {
    broad: "any of the words",
    exact: "word for word",
    exact_light: "nearly word for word",
  },
  lastDays: (days: number) => (days === 1 ? "last 24 hours" : `last ${days} days`),
} as const;
