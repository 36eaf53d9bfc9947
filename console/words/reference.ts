/** The words of the list of references, and of the page of one. */
import { trade } from "./trade.ts";

type Role = "counted" | "outlier" | "suspect" | "superseded" | "aged_out";

const ROLES: Readonly<Record<Role, string>> = {
  counted: "counted",
  outlier: "far off",
  suspect: "suspect",
  superseded: "asked again",
  aged_out: "too old",
};

const REASONS: Readonly<Record<Role, string>> = {
  counted: "It is part of the average.",
  outlier: "So far from the others that it does not count in the average.",
  suspect: "So far from the others that it was most likely misread. It is left out.",
  superseded: "The same dealer asked again later, and only the later ask counts.",
  aged_out: "Seen too long ago to count.",
};

/** After a number: why asks do not count. */
const LEFT: Readonly<Record<Role, string>> = {
  counted: "counted",
  outlier: "too far from the others",
  suspect: "most likely misread",
  superseded: "asked again by the same dealer",
  aged_out: "too old",
};

export const referenceWords = {
  // The list.
  caption: "References that were asked for or offered in the last 30 days",
  reference: "Reference",
  watched: "Watched",
  watchedCount: (count: number) => (count === 1 ? "watched" : `${count} prices`),
  asks: "Asks",
  asksUnit: "asks",
  wanted: (count: string) => `${count} wanted`,
  dealers: "Dealers",
  lowest: "Lowest",
  median: "Median",
  highest: "Highest",
  seen: "Seen",
  brand: "Brand",
  allBrands: "All brands",
  sort: "Order",
  sorts: { listing_count: "Most asks", last_seen: "Last seen", median_price: "Highest median" },
  search: "Find a reference",
  next: "Next reference",
  previous: "Previous reference",
  period: "Asks and prices of the last 30 days.",
  periodSampled: "Asks and prices of the last 30 days, estimated from a sample.",
  none: "No reference was seen in the last 30 days.",
  noneHint: "References appear here as soon as a connected phone receives offers from its groups.",
  noneFound: "No reference of the last 30 days fits.",
  noneFoundHint: "Try fewer words, or another brand.",
  showAll: "Show all",

  // The head of the page.
  inMarket: "Its asks in the market",
  toList: "All references",
  otherBrand: (brand: string) => `Another brand has this reference too: ${brand}`,
  summary: (asks: string, dealers: string) => `${asks} asks by ${dealers} dealers in 30 days`,
  oneAsk: (dealers: string) => `1 ask by ${dealers} dealer in 30 days`,
  noAsks: "no ask in the last 30 days",
  lastSeen: "last seen",

  unknown: "Nothing is known about this reference.",
  unknownHint:
    "No ask for it was seen in the last 30 days, and it is not watched. Check how it is written, or look for the words in the market.",
  searchMarket: "Search the market",

  // What it is worth.
  worth: "What it is worth",
  worthNote: "the most to pay in the EU and in Hong Kong, by year and condition",
  worthCaption: "Most to pay, average and best ask, by year and condition",
  priceOf: "Price of",
  year: "Year",
  europe: "EU",
  hongKong: "HK",
  count: (count: number) => (count === 1 ? "1 ask" : `${count} asks`),
  tooFew: (count: number) =>
    count === 0 ? "no ask" : count === 1 ? "1 ask, too few" : `${count} asks, too few`,
  tooFewFor: (count: number, days: number, minimum: number) =>
    `${count === 0 ? "No ask" : count === 1 ? "1 ask" : `${count} asks`} in ${days} days. A price needs ${minimum}.`,
  pending: "being calculated",
  stale: "being recalculated",
  failed: "The last calculation failed. These are the prices before it.",
  shadow: "in trial: buys are shown, not sent",
  byProfile: (profile: string) => `${trade.deskRules} ${profile}`,
  asOf: "calculated",
  noCells:
    "No ask has a year and a condition yet. Prices appear as soon as asks with both are there.",
  calculating: "The prices are being calculated. They appear here by themselves.",
  nextCell: "Next year or condition",
  previousCell: "Previous year or condition",

  averageShort: "avg",
  best: "best ask",
  noBest: "none on offer",
  buyCount: (count: number) => (count === 1 ? "1 buy" : `${count} buys`),
  trend: (share: string, isUp: boolean) => `${isUp ? "▲" : "▼"} ${share}`,
  trendLong: (share: string, isUp: boolean) => `${isUp ? "up" : "down"} ${share} in 30 days`,
  flat: "± 0%",

  // What is on offer, wanted, and was a buy.
  onOffer: (count: string) => `${count} on offer`,
  offers: "On offer now",
  offersNote: "cheapest first",
  offersCaption: "Asks of the last 30 days that are still on offer, cheapest first",
  offersOf: "Which of them",
  offersAll: "All",
  noOffers: "Nobody asks for it now.",
  noOffersHere: "Nobody asks for one of this year and condition now.",
  moreOffers: (count: number) => `All ${count} in the market`,
  allWanted: "All in the market",
  wantedTitle: "Wanted",
  wantedNote: "who offers what they look for",
  wantedCaption: "Who looks for it, and who offers such a watch now",
  noWanted: "Nobody looked for it in the last 30 days.",
  budget: "Budget",
  offered: "On offer",
  offeredFrom: (count: number) => `${count === 1 ? "1 offer" : `${count} offers`} from `,
  noneOffered: "nobody",
  buys: "Buys of 90 days",
  buysCaption: "What was a buy in the last 90 days, the latest first",
  noBuys: "No ask for it was a buy in the last 90 days.",
  thenBelow: "Below market then",
  nowTitle: "Now",
  matched: "Matched",
  isBuy: "still a buy",
  alertMe: "Alert me",
  alertIsOn: "The alert is on",
  alertMade: (name: string) => `The alert “${name}” is on`,
  alertName: (watch: string, isBuys: boolean) =>
    isBuys ? `${watch}: buys` : `${watch}: every ask`,

  // One cell.
  range: { "30": "30 days", "90": "90 days", "365": "1 year" },
  ranges: "How far back",
  where: { all: "EU and Hong Kong", EU: "EU", HK: "Hong Kong" },
  wheres: "Which asks",
  hongKongNote: "In Hong Kong: asks and lines before freight and duty.",
  dotsSince: (days: number) => `Single asks are kept in the chart for ${days} days.`,
  counted: (count: number) =>
    `${count === 1 ? "1 ask counts" : `${count} asks count`}. Not counted: `,
  allCounted: (count: number) => `${count === 1 ? "1 ask counts" : `All ${count} asks count`}.`,
  left: (role: Role, count: number) => `${count} ${LEFT[role]}`,
  override: "your own for this year and condition",
  average: trade.averageAsk,
  consumer: "Retail estimate",
  consumerNote: "dear asks plus your retail margin",
  mostEurope: "Most to pay in the EU",
  mostHongKong: "Most to pay in Hong Kong",
  about: "about",
  inHongKong: "in Hong Kong",
  minimumProfit: "Minimum profit",
  lookback: (count: number, days: number) =>
    `${count === 1 ? "1 ask" : `${count} asks`} in ${days} days`,
  chartLabel: (cell: string, count: number) =>
    `Asks and prices, ${cell}: ${count === 1 ? "1 ask" : `${count} asks`}. Arrow keys move between the asks, Enter opens one.`,
  noAsksHere: (days: number) => `No ask was seen here in the last ${days} days.`,
  cut: (count: number) =>
    `The chart and its table have the latest ${count} asks; the file has all.`,
  notExact: "There are more asks than are read here; the latest are shown.",
  setsMark: (sets: "any" | "papers" | "complete", day: string) =>
    `Prices: ${{ any: "any set", papers: "papers only", complete: "full sets only" }[sets]} since ${day}`,
  beyond: "beyond the edge of the chart",
  recorded: "recorded",
  backcast: "worked out afterwards",
  today: "today",
  legend: {
    average: "average",
    most: "most to pay",
    zone: "a buy: below the most to pay",
    buy: "a buy now",
    own: "the ask that you came from",
    backcast: "worked out afterwards",
    counted: "counted",
    superseded: "same dealer asked again",
    outlier: "far off: not counted",
    suspect: "suspect",
    aged_out: "too old",
    markup: "Hong Kong mark-up",
  },
  legendLabel: "What the marks mean",
  role: (role: Role) => ROLES[role],
  reason: (role: Role) => REASONS[role],
  askHint: "Choose an ask to see what it is and why it counts.",
  askLabel: (ask: {
    readonly price: string;
    readonly isHongKong: boolean;
    readonly comparable: string | undefined;
    readonly age: string;
    readonly role: Role;
    readonly isBuy: boolean;
  }) =>
    [
      ask.price,
      ask.isHongKong ? "in Hong Kong" : undefined,
      ask.comparable === undefined ? undefined : `comparable ${ask.comparable}`,
      `seen ${ask.age} ago`,
      `${ROLES[ask.role]}: ${REASONS[ask.role]}`,
      ask.isBuy ? "a buy" : undefined,
    ]
      .filter((part) => part !== undefined)
      .join(", "),
  ask: "Ask",
  markup: "mark-up",
  comparable: "comparable",
  comparableTitle: "Comparable",
  fences: "Asks count from",
  fencesTo: "to",
  open: "Open the listing",
  market: "Where",
  roleTitle: "Why",
  when: "From",
  basis: "Basis",
  asksTable: "Asks",
  pricesTable: "Prices",
  tables: "The same as tables",
  asksCaption: "Every ask of this year and condition, the latest first",
  pricesCaption: "How the price moved, the latest first",
  save: "Save",
  saveAsks: "Asks as CSV",
  savePrices: "Prices as CSV",
  savePicture: "Picture as SVG",

  // A reference that is not watched.
  watchTitle: "What it would be worth",
  watchNote: "by the asks of now",
  watch: "Watch this reference",
  watching: "Watching it now. Its prices are being calculated.",
  watchingTag: "watched",
  watchHint:
    "Watched, it gets a price for every year and condition with enough asks, and an alert on every ask that is a buy.",
  watchHintShadow: "Buys by these rules are shown, not sent, until they go live.",
  profile: "Rules",
  profileNote: (days: number, listings: number) =>
    `${days} days, at least ${listings === 1 ? "1 ask" : `${listings} asks`}`,
  live: "live",
  shadowShort: "in trial",
  noProfile: "There are no rules for prices yet.",
  noProfileHint: "Make some in Settings, under Prices. Then you can watch this reference.",
  noPreview:
    "No ask has all that a price needs: a known dealer in the EU or in Hong Kong, year, condition and ask.",
  previewCaption: "What its prices would be now, by year and condition",
  unwatch: "Stop watching",
  unwatched: "No longer watched",
} as const;
