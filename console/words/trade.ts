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
  /** Why a match is no buy, and why a watch has no price. */
  noBuy: {
    above_maximum: "not cheap enough",
    signals_off: "its price rule sends no buys",
    stale: "its price is being calculated",
    suspect: "most likely misread",
    replaced: "asked again at another price",
    gone: "no longer on offer",
    no_price_rule: "no price rule for it",
    not_a_source_market: "from a market without prices",
    set_left_out: "priced with papers only",
    no_year: "no year",
    no_condition: "no condition",
    too_few_asks: "too few asks",
  } as Readonly<Record<string, string>>,
} as const;
