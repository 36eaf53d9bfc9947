/** Amounts of money and ages, and what takes the place of a figure in presenter mode. */
import { computed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { nowMs } from "../state/clock.ts";
import { isPresenting } from "../state/preferences.ts";
import { formatAgo, formatAmount, formatShare, formatTime } from "../words/formats.ts";
import { words } from "../words/words.ts";

export interface AmountProps {
  /** Hundredths of the currency, for every currency. Undefined shows a dash. */
  readonly minor: number | undefined;
  readonly currency: string;
  /** Profit and thresholds are hidden in presenter mode; prices that dealers ask are not. */
  readonly kind: "price" | "profit" | "threshold";
  /** Shows a plus before a gain. */
  readonly isSigned?: boolean;
  /** A profit has a colour only if it makes the watch a buy. */
  readonly isBuy?: boolean;
  /** Shows hundredths also of large amounts, where the figures must add up. */
  readonly isExact?: boolean;
  /** Shows hundredths also where there are none, so that a column of exact amounts is aligned. */
  readonly isPadded?: boolean;
}

/** `HK$831,700` fits a column; `HK$1,364,000` and `USDT 174,100` are set smaller there, so that they stay on one line. */
const LENGTH_MAX = 10;

/** The one way to show money. In presenter mode no digit of a profit or a threshold is in the document. */
export function Amount(props: AmountProps) {
  const { minor, currency, kind, isSigned = false, isExact = false, isPadded = false } = props;
  if (minor === undefined) return <span class="faint">–</span>;
  if (isPresenting.value && kind !== "price") return hiddenElement("hidden-amount");
  const tone = kind !== "profit" ? "" : props.isBuy === true ? "gain" : minor < 0 ? "loss" : "";
  const text = formatAmount({ minor, currency, isSigned, isExact, isPadded });
  return <span class={`amount ${tone} ${text.length > LENGTH_MAX ? "is-long" : ""}`}>{text}</span>;
}

/** A figure of the rules, such as a margin in per cent. Like a threshold, it is hidden in presenter mode. */
export function ThresholdText({ text }: { readonly text: string }) {
  if (isPresenting.value) return hiddenElement("hidden-amount");
  return <>{text}</>;
}

/** How much of the market's average the profit is. Not there in presenter mode, as the profit itself. */
export function ProfitShare(props: {
  readonly profitMinor: number | undefined;
  readonly averageMinor: number | undefined;
}) {
  const { profitMinor, averageMinor } = props;
  if (profitMinor === undefined || averageMinor === undefined || averageMinor <= 0) return null;
  return isPresenting.value ? null : <span>{formatShare(profitMinor / averageMinor)}</span>;
}

/** How long ago something was. Only its text changes with the clock; the component is not rendered again. */
export function Age({ atMs }: { readonly atMs: number }) {
  const text = useMemo(() => computed(() => formatAgo(nowMs.value - atMs)), [atMs]);
  return ageElement(atMs, text);
}

/** For a table that renders its ages itself: a component in each row would cost more than its text. */
export function ageElement(atMs: number, text: ComponentChildren) {
  return (
    <time class="age" dateTime={new Date(atMs).toISOString()} title={formatTime(atMs)}>
      {text}
    </time>
  );
}

/** Takes the place of a figure or a number in presenter mode. */
export function hiddenElement(name: "hidden-amount" | "phone") {
  return (
    <span class={name}>
      <span aria-hidden="true">•••</span>
      <span class="sr">{words.presenter.hidden}</span>
    </span>
  );
}
