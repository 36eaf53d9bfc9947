import type { ListingMatch, MatchContext } from "../../../client/assay-client.ts";
import { Amount, type AmountProps } from "../../parts/amount.tsx";
import { formatTime } from "../../parts/format-age.ts";
import { Tag } from "../../parts/tag.tsx";
import { buysWords } from "../../words/buys.ts";
import { formatClock } from "../../words/formats.ts";
import { type LedgerLine, toLedger } from "./to-ledger.ts";

const TODAY_MS = 20 * 3_600_000;

/** Why it is a buy: every figure as it stood when the alert matched, and as it is now. */
export function Ledger(props: {
  readonly then: MatchContext;
  readonly thenMs: number;
  /** Undefined if no price covers the watch now, or it is not known yet. */
  readonly now: ListingMatch | undefined;
  readonly isLoaded: boolean;
}) {
  const { then, thenMs, now } = props;
  const lines = toLedger(then, now);
  const isPadded = lines.some(
    ({ thenMinor = 0, nowMinor = 0 }) => thenMinor % 100 !== 0 || nowMinor % 100 !== 0,
  );
  return (
    <table class="ledger">
      <caption class="sr">{buysWords.ledgerCaption}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col" class="num" title={formatTime(thenMs)}>
            {buysWords.stood(clockOf(thenMs))}
          </th>
          <th scope="col" class="num">
            {buysWords.now}
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Line key={line.id} line={line} isPadded={isPadded} />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td colSpan={3}>
            <State then={then} now={now} isLoaded={props.isLoaded} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

function clockOf(atMs: number): string {
  return Date.now() - atMs < TODAY_MS ? formatClock(atMs) : formatTime(atMs);
}

const KINDS: Readonly<Record<LedgerLine["id"], AmountProps["kind"]>> = {
  ask: "price",
  markup: "threshold",
  comparable: "threshold",
  average: "threshold",
  minimum: "threshold",
  most: "threshold",
  profit: "profit",
};

function Line(props: { readonly line: LedgerLine; readonly isPadded: boolean }) {
  const { id, thenMinor, nowMinor } = props.line;
  const shared = {
    currency: "EUR",
    kind: KINDS[id],
    isSigned: id === "profit",
    isExact: true,
    isPadded: props.isPadded,
  } as const;
  const hasChanged = thenMinor !== undefined && nowMinor !== undefined && thenMinor !== nowMinor;
  return (
    <tr class={id === "profit" ? "sum" : ""} data-line={id}>
      <th scope="row">{buysWords.lines[id]}</th>
      <td class="num">
        <Amount minor={thenMinor} {...shared} />
      </td>
      <td class={hasChanged ? "num changed" : "num"}>
        <Amount minor={nowMinor} {...shared} />
        {hasChanged ? <span class="sr"> {buysWords.changed}</span> : null}
      </td>
    </tr>
  );
}

/** What is to be known about the figures of now. */
function State(props: {
  readonly then: MatchContext;
  readonly now: ListingMatch | undefined;
  readonly isLoaded: boolean;
}) {
  const { then, now, isLoaded } = props;
  const wasBuy = then.profit_opportunity_eur_minor !== undefined;
  if (!isLoaded) return null;
  if (now === undefined) return <span class="sub">{buysWords.noPrice}</span>;
  return (
    <span class="sub">
      {buysWords.by(now.configuration_label)} {buysWords.asks(now.listing_count, now.lookback_days)}{" "}
      {now.is_stale ? <Tag tone="warn">{buysWords.stale}</Tag> : null}
      {now.cell_status === "available" ? null : <Tag tone="warn">{buysWords.tooFew}</Tag>}
      {wasBuy && now.cell_status === "available" && !now.meets_buy_threshold ? (
        <Tag tone="warn">{buysWords.noBuy}</Tag>
      ) : null}
    </span>
  );
}
