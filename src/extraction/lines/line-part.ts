import type { LineReading } from "../line-reading.ts";
import type { PriceMention } from "../prices/price-mention.ts";
import { type Span, within } from "./span.ts";

/** A part of a line, in tokens. Several watches can share a line, so a watch owns parts and not whole lines. */
export interface LinePart extends Span {
  readonly reading: LineReading;
}

/** Returns the line as one part. */
export function wholeLine(reading: LineReading): LinePart {
  return { reading, from: 0, to: reading.line.tokens.length };
}

/** Returns the amounts of money that the parts contain. */
export function pricesOf(parts: readonly LinePart[]): readonly PriceMention[] {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return pricesIn(only);
  return parts.flatMap(pricesIn);
}

/** Returns the amounts of money that the part contains. */
export function pricesIn(part: LinePart): readonly PriceMention[] {
  return within(part.reading.prices, part);
}
