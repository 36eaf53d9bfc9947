import { trade } from "./trade.ts";

const count = (value: number, one: string, several: string): string =>
  value === 1 ? `1 ${one}` : `${value} ${several}`;

/** The words of the pane that shows a watch beside a list, and of the keys that lead there. */
export const paneWords = {
  message: "A message",
  next: "Next row",
  previous: "Previous row",
  open: "Show it beside the list",
  openPage: "Open its page",
  back: "Back to the list",
  groups: (value: number) => count(value, "group", "groups"),
  aside: "Why",

  calculation: "How it is calculated",
  ledgerCaption: "The calculation as it stood and as it is now, in euro",
  stood: (time: string) => `at ${time}`,
  now: "now",
  changed: "changed",
  lines: {
    ask: "Ask",
    markup: "Hong Kong mark-up",
    comparable: trade.landed,
    average: trade.averageAsk,
    minimum: "Minimum profit",
    most: "Most to pay, landed",
    profit: trade.belowMarket,
  },
  by: (name: string) => `By the ${trade.rule} “${name}”,`,
  asksIn: (value: number, days: number) => `${count(value, "ask", "asks")} in ${days} days.`,
  stale: "being recalculated",
  tooFew: "too few asks now",
  noLongerBuy: "no buy any more",
  noPrice: "No price covers this watch now.",
  nowUnknown: "The figures of now could not be read.",

  written: "What was written",
  certainty: (share: string) => `certainty ${share}`,
  posted: "Where it was posted",
  postCount: (value: number, isMore: boolean) =>
    isMore
      ? `Posted more than ${value} times.`
      : `Posted ${value === 1 ? "once" : `${value} times`}.`,
  postedSince: (value: number, isMore: boolean) => {
    if (value === 0) return "Not posted again since it matched.";
    if (isMore) return `Posted more than ${value} times since it matched.`;
    return `Posted ${value === 1 ? "once" : `${value} times`} since it matched.`;
  },
  morePosts: (value: number, isMore: boolean) =>
    isMore ? `and more than ${value} posts before` : `and ${value} before`,
  unnamedGroup: "a group without a name",
} as const;

/** Words about photos. */
export const photoWords = {
  count: (count: number) => (count === 1 ? "1 photo" : `${count} photos`),
  photo: (at: number, count: number, watch: string) =>
    count === 1 ? `Photo of ${watch}` : `Photo ${at} of ${count} of ${watch}`,
  place: (at: number, count: number) => `${at} of ${count}`,
  ofMessage: "of this message, which has several watches",
  thumbnailOnly: "thumbnail only",
  beside: "posted beside the text",
  waiting: (shown: number) => (shown === 0 ? "Photos are being fetched" : "more are being fetched"),
  gone: (count: number, why: string) => `${count === 1 ? "one" : count} ${why}`,
  lost: (value: number) => count(value, "photo cannot be shown", "photos cannot be shown"),
  /** By the reason of the service, for one photo and for several. */
  reasons: {
    not_at_gateway: ["is no longer at the gateway", "are no longer at the gateway"],
    gateway_failed: ["could not be fetched", "could not be fetched"],
    too_large: ["is too large", "are too large"],
    not_a_picture: ["is not a photo", "are not photos"],
    unreadable: ["cannot be read", "cannot be read"],
    over_budget: ["left for newer ones", "left for newer ones"],
    too_many: ["is beyond ten", "are beyond ten"],
    no_event: ["can no longer be found", "can no longer be found"],
  },
  previous: "Previous",
  next: "Next",
  close: "Close",
  whole: "Show it in its whole size",
  fit: "Show all of it",
} as const;
