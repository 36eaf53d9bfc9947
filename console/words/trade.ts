import type { PricedListing } from "../../client/assay-client.ts";

/** The words of the trade, for what the service calls otherwise. One word for one thing on every page, so other words come from here. */
export const trade = {
  /** A configuration of the price engine. */
  rule: "price rule",
  rules: "price rules",
  /** A profile. */
  deskRules: "desk rules",
  /** A session of the gateway. */
  phone: "phone",
  phones: "phones",
  /** A notification target. */
  notification: "notification",
  /** A view that says which listings are of a market. */
  source: "source",
  /** A manifest. */
  file: "file",
  landed: "Landed",
  belowMarket: "Below market",
  offerUpTo: "Offer up to",
  averageAsk: "Average ask",
  /** How a phone is. */
  health: {
    healthy: "healthy",
    stale: "silent",
    connecting: "connecting",
    needs_auth: "must be linked again",
    down: "down",
  } as Readonly<Record<string, string>>,
  /** Condition and set. */
  values: {
    NEW: "new",
    LIKE_NEW: "like new",
    USED: "used",
    FULL_SET: "full set",
    WATCH_AND_CARD: "watch and card",
    WATCH_AND_BOX: "watch and box",
    WATCH: "watch only",
  },
  roles: { market: "looks only", desk: "desk", owner: "owner" },
} as const;

type Reason = NonNullable<PricedListing["no_buy_reason"] | PricedListing["reason"]>;

interface ReasonWords {
  /** Of a match that is no buy. */
  readonly why: string;
  /** In a column, instead of a price. Absent: as `why`. */
  readonly column?: string;
  /** Instead of the verdict about a price. */
  readonly verdict?: string;
  /** Follows how far the ask is from the average. */
  readonly after?: string;
}

/** Why a watch has no price, and why one with a price is no buy: one entry for each reason of the contract. */
const REASONS: Readonly<Record<Reason, ReasonWords>> = {
  above_maximum: { why: "too dear", after: ", too little for a buy" },
  signals_off: {
    why: "its price rule sends no buys",
    after: ", but buys of its price rule are switched off",
  },
  stale: { why: "its price is being calculated", after: "; the price is being recalculated" },
  suspect: {
    why: "most likely misread",
    column: "misread?",
    verdict: "Most likely misread: too far from all other asks",
    after: ", so far off that it is most likely misread",
  },
  replaced: {
    why: "asked again at another price",
    verdict: "The dealer asks another price by now",
    after: ", but the dealer asks another price by now",
  },
  gone: {
    why: "no longer on offer",
    verdict: "No longer on offer",
    after: ", but it is no longer on offer",
  },
  no_price_rule: {
    why: "no price rule for it",
    column: "no price rule",
    verdict: "No price rule covers this watch",
  },
  // The verdict names the country instead.
  not_a_source_market: { why: "from a market without prices", column: "not priced" },
  set_left_out: {
    why: "priced with papers only",
    column: "no papers",
    verdict: "Not compared: its price rule leaves out such a set",
  },
  no_year: { why: "no year", verdict: "Not compared: no year was read" },
  no_condition: { why: "no condition", verdict: "Not compared: no condition was read" },
  too_few_asks: { why: "too few asks", verdict: "Too few asks like it to compare with" },
};

/** Undefined for a reason that only a newer service knows. */
export function reasonWords(reason: string): ReasonWords | undefined {
  return Object.hasOwn(REASONS, reason) ? REASONS[reason as Reason] : undefined;
}
