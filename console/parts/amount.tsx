import { isPresenting } from "../state/preferences.ts";
import { words } from "../words/words.ts";
import { formatAmount } from "./format-amount.ts";

export interface AmountProps {
  /** Hundredths of the currency, for every currency. Undefined shows a dash. */
  readonly minor: number | undefined;
  readonly currency: string;
  /** Profit and thresholds are hidden in presenter mode; prices that dealers ask are not. */
  readonly kind: "price" | "profit" | "threshold";
  /** Shows a plus before a gain. */
  readonly isSigned?: boolean;
  /** Shows hundredths also of large amounts, where the figures must add up. */
  readonly isExact?: boolean;
  /** Shows hundredths also where there are none, so that a column of exact amounts is aligned. */
  readonly isPadded?: boolean;
}

/** The one way to show money. In presenter mode no digit of a profit or a threshold is in the document. */
export function Amount(props: AmountProps) {
  const { minor, currency, kind, isSigned = false, isExact = false, isPadded = false } = props;
  if (minor === undefined) return <span class="faint">–</span>;
  if (isPresenting.value && kind !== "price") {
    return (
      <span class="hidden-amount">
        <span aria-hidden="true">•••</span>
        <span class="sr">{words.presenter.hidden}</span>
      </span>
    );
  }
  const tone = kind === "profit" ? (minor >= 0 ? "gain" : "loss") : "";
  return (
    <span class={`amount ${tone}`}>
      {formatAmount({ minor, currency, isSigned, isExact, isPadded })}
    </span>
  );
}
