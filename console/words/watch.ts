/** The words of what stands beside every watch: the verdict, the asks like it, and what the desk decided. */

const PASS_REASONS: Readonly<Record<string, string>> = {
  too_dear: "too dear",
  gone: "gone",
  misread: "misread",
  no_papers: "no papers",
  not_trusted: "dealer not trusted",
  other: "other reason",
};

const STATES: Readonly<Record<string, string>> = {
  shortlisted: "shortlisted",
  contacted: "contacted",
  offered: "offered",
  bought: "bought",
  passed: "passed",
};

/** Follows how far the ask is from the average. */
const NO_BUY: Readonly<Record<string, string>> = {
  above_maximum: ", too little for a buy",
  signals_off: ", but buys of its price rule are switched off",
  stale: "; the price is being recalculated",
  suspect: ", so far off that it is most likely misread",
  replaced: ", but the dealer asks another price by now",
  gone: ", but it is no longer on offer",
};

const NO_PRICE: Readonly<Record<string, string>> = {
  no_price_rule: "No price rule covers this watch",
  set_left_out: "Not compared: its price rule leaves out such a set",
  no_year: "Not compared: no year was read",
  no_condition: "Not compared: no condition was read",
  too_few_asks: "Too few asks like it to compare with",
  suspect: "Most likely misread: too far from all other asks",
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
  noBuy: (reason: string) => NO_BUY[reason] ?? "",
  noPrice: (reason: string | undefined) => NO_PRICE[reason ?? ""] ?? "No price yet",
  notPriced: (country: string | undefined) => `Asks from ${country ?? "there"} are not priced`,
  wanted: "Someone looks for this watch",
  noAsk: "No ask was read",
  drawing: (watch: string) => `A drawing of the ${watch}, not a photo`,

  comparables: "The nearest asks",
  comparablesCaption:
    "The five asks for the same watch that are nearest to this one, cheapest first",
  spread: "half of them ask ",
  to: " to ",
  newest: ", the newest ",
  thin: "thin: few asks",
  noComparables: "No other ask for the same watch is on offer.",
  dealer: "Dealer",
  dealerAndSet: "Dealer and set",
  ask: "Ask",
  landed: "landed",
  noSet: "set not stated",
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
  reason: (reason: string) => PASS_REASONS[reason] ?? reason,
  state: (state: string) => STATES[state] ?? state,
  done: (watch: string, state: string) => `${watch}: ${state}`,
  noted: (watch: string) => `${watch}: note saved`,
  isBeaten: (name: string, state: string, age: string) =>
    `${name} was first: ${state} ${age}. Press again to decide otherwise.`,
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
  currency: "Currency",
  cost: "Other costs in euro",
  day: "Paid on",
  save: "Save",
  cancel: "Cancel",
  badAmount: "This needs an amount and a currency.",
} as const;
