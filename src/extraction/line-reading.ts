import type { DateMention } from "./dates/date-parts.ts";
import type { Line } from "./lines/line.ts";
import type { PriceMention } from "./prices/price-mention.ts";

/** A line with its dates and prices, before they are assigned to a watch. */
export interface LineReading {
  readonly line: Line;
  readonly dates: readonly DateMention[];
  readonly prices: readonly PriceMention[];
  readonly isBlank: boolean;
  /** It names a watch, but neither offers it nor asks for it. */
  readonly isTalk: boolean;
}
