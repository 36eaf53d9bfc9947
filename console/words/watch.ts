/** The words of what stands beside every watch: the verdict, the asks like it, and what the desk decided. */
import type { DealMark } from "../../client/assay-client.ts";
import { reasonWords, trade } from "./trade.ts";

/** By the contract, in the order of the menus. */
export const PASS_REASON_NAMES: Readonly<Record<NonNullable<DealMark["reason"]>, string>> = {
  too_dear: "too dear",
  gone: "gone",
  misread: "misread",
  no_papers: "no papers",
  not_trusted: "dealer not trusted",
  other: "other reason",
};

const STATES: Readonly<Record<DealMark["state"], string>> = {
  shortlisted: "shortlisted",
  contacted: "contacted",
  offered: "offered",
  bought: "bought",
  passed: "passed",
};

/** Short, for a column. */
const SETS: Readonly<Record<string, string>> = {
  FULL_SET: "full set",
  WATCH_AND_CARD: "with card",
  WATCH_AND_BOX: "with box",
  WATCH: "watch only",
};

export const watchWords = {
  buy: "Buy",
  below: (asks: string) => ` below the average of ${asks}`,
  above: (asks: string) => ` above the average of ${asks}`,
  even: (asks: string) => `At the average of ${asks}`,
  asks: (count: number, isThin: boolean) =>
    `${isThin ? "only " : ""}${count === 1 ? "1 ask" : `${count} asks`}`,
  offer: "; offer up to ",
  /** Of what is no buy: the same figure, but no advice. */
  buyUpTo: "; a buy up to ",
  about: "about ",
  noBuy: (reason: string) => reasonWords(reason)?.after ?? "",
  noPrice: (reason: string | undefined) => reasonWords(reason ?? "")?.verdict ?? "No price yet",
  notPriced: (country: string | undefined) => `Asks from ${country ?? "there"} are not priced`,
  wanted: "Someone looks for this watch",
  noAsk: "No ask was read",
  drawing: (watch: string) => `A drawing of the ${watch}, not a photo`,

  comparables: "The nearest asks",
  comparablesCaption:
    "The five asks of others for the same watch that are nearest to this one, cheapest first",
  spread: "half of them ask ",
  to: " to ",
  newest: ", the newest ",
  thin: "thin: few asks",
  noComparables: "No other ask for the same watch is on offer.",
  watch: "Watch",
  dealer: "Dealer",
  dealerAndSet: "Dealer and set",
  ask: "Ask",
  belowMarket: trade.belowMarket,
  offerUpTo: trade.offerUpTo,
  landed: "landed",
  noSet: "set not stated",
  noSetShort: "not stated",
  setOf: (name: string) => SETS[name] ?? name,
  asksWord: (value: number) => (value === 1 ? "ask" : "asks"),
  thinCount: (value: number) => `thin: ${value}`,
  noPriceShort: (reason: string) => {
    const { column, why } = reasonWords(reason) ?? {};
    return column ?? why ?? "no price";
  },
  revoked: "withdrawn",
  drop: (share: string) => `↓ ${share}`,
  dropLong: (share: string, day: string) => `The ask fell by ${share} since ${day}`,
  seen: "Seen",

  actions: "What to do with it",
  write: "WhatsApp",
  shortlist: "Shortlist",
  offered: "Offered",
  bought: "Bought",
  pass: "Pass",
  passWhy: "Pass, with a reason",
  note: "Note",
  correct: "Correct",
  moreActions: "More",
  noNumber: "no number to write to",
  reason: (reason: string) => nameIn(PASS_REASON_NAMES, reason),
  state: (state: string) => nameIn(STATES, state),
  done: (watch: string, state: string) => `${watch}: ${state}`,
  noted: (watch: string) => `${watch}: note saved`,
  isBeaten: (name: string, state: string, age: string) =>
    `${name} was first: ${state} ${age}. Press again to decide otherwise.`,
  isSending: "The decision before is still being saved. Press again in a moment.",
  someone: "someone",
  deletedMeanwhile: "Someone took the decision back meanwhile. Press again to decide.",
  by: (name: string) => `by ${name}`,
  you: "you",
  atOffer: "offer",
  earlierPost: "on an earlier post",
  isBack: "Back, because the ask fell",
  blocked: "blocked dealer",

  offerTitle: "What did you offer?",
  boughtTitle: "What did you pay?",
  passTitle: "Why pass?",
  passHint:
    "Too dear and other reasons come back when the ask falls by 3%. Misread leads to the correction.",
  noteTitle: "Note",
  noteHint: "With a note the watch is on the shortlist, unless something was decided already.",
  amount: "Amount",
  cost: "Other costs in euro",
  day: "Paid on",
  save: "Save",
  cancel: "Cancel",
  badAmount: "This needs an amount.",
} as const;

/** What only a newer service knows is shown as it is. */
function nameIn(names: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(names, name) ? (names[name] ?? name) : name;
}
