import type { Problem } from "../filters/url-members.ts";

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
  problem: ({ name, value, kind }: Problem): string => {
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
