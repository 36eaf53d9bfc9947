/**
 * The calculation of a buy as lines, as it stood and as it is now.
 *
 * As it stood: the context of the match, which never changes. Now: what the price engine says. All amounts are hundredths
 * of EUR. The comparable ask is at most the most to pay if it is a buy.
 */
import type { ListingMatch, MatchContext } from "../../../client/assay-client.ts";
import { formatRecent, formatTime, toWhole } from "../../words/formats.ts";
import { paneWords } from "../../words/pane.ts";
import { Amount, type AmountProps } from "../figures.tsx";
import { Tag } from "../table.tsx";

interface LedgerLine {
  readonly id: "ask" | "markup" | "comparable" | "average" | "minimum" | "most" | "profit";
  readonly thenMinor: number | undefined;
  readonly nowMinor: number | undefined;
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

/** Every figure as it stood when the alert matched, and as it is now. An alert on a filter knew no price: then there is only now. */
export function Ledger(props: {
  readonly then: MatchContext;
  readonly thenMs: number;
  /** Undefined if no price covers the watch now, or it is not known yet. */
  readonly now: ListingMatch | undefined;
  readonly isLoaded: boolean;
}) {
  const { then, thenMs, now } = props;
  const lines = toLedger(then, now);
  const hasStood = lines.some(({ thenMinor }) => thenMinor !== undefined);
  return (
    <table class="ledger">
      <caption class="sr">{paneWords.ledgerCaption}</caption>
      <thead>
        <tr>
          <td />
          {hasStood ? (
            <th scope="col" class="num" title={formatTime(thenMs)}>
              {paneWords.stood(formatRecent(thenMs))}
            </th>
          ) : null}
          <th scope="col" class="num">
            {paneWords.now}
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Line key={line.id} line={line} hasStood={hasStood} />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td colSpan={hasStood ? 3 : 2}>
            <State then={then} now={now} isLoaded={props.isLoaded} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

/** Now, by the same configuration; if it does not cover the watch any more, by the one with the highest profit. */
export function chooseNow(
  items: readonly ListingMatch[],
  configurationId: string | undefined,
): ListingMatch | undefined {
  const same = items.find(({ configuration_id }) => configuration_id === configurationId);
  const profitOf = (item: ListingMatch): number =>
    item.profit_opportunity_eur_minor ?? Number.NEGATIVE_INFINITY;
  return same ?? items.toSorted((left, right) => profitOf(right) - profitOf(left))[0];
}

function toLedger(then: MatchContext, now: ListingMatch | undefined): readonly LedgerLine[] {
  const line = (
    id: LedgerLine["id"],
    thenMinor: number | undefined,
    nowMinor: number | undefined,
  ): LedgerLine => ({ id, thenMinor, nowMinor });
  return [
    line("ask", then.original_ask_eur_minor, now?.original_ask_eur_minor),
    line("markup", then.hk_markup_eur_minor, now?.hk_markup_eur_minor),
    line("comparable", then.comparable_ask_eur_minor, now?.comparable_ask_eur_minor),
    line("average", then.baseline_average_eur_minor, now?.market_average_eur_minor),
    line("minimum", then.minimum_profit_eur_minor, now?.minimum_profit_eur_minor),
    line("most", mostToPay(then), now?.maximum_eu_ask_eur_minor),
    line("profit", then.profit_opportunity_eur_minor, now?.profit_opportunity_eur_minor),
  ].filter(({ id, thenMinor = 0, nowMinor = 0 }) => id !== "markup" || thenMinor + nowMinor > 0);
}

/** The context does not have it, but all that it follows from. */
function mostToPay(then: MatchContext): number | undefined {
  const { baseline_average_eur_minor: average, minimum_profit_eur_minor: minimum } = then;
  if (average === undefined || minimum === undefined) return undefined;
  return Math.max(0, average - minimum);
}

function Line(props: { readonly line: LedgerLine; readonly hasStood: boolean }) {
  const { id, thenMinor, nowMinor } = props.line;
  const shared = { currency: "EUR", kind: KINDS[id], isSigned: id === "profit" } as const;
  const hasChanged =
    thenMinor !== undefined && nowMinor !== undefined && toWhole(thenMinor) !== toWhole(nowMinor);
  return (
    <tr class={id === "profit" ? "sum" : ""} data-line={id}>
      <th scope="row">{paneWords.lines[id]}</th>
      {props.hasStood ? (
        <td class="num">
          <Amount minor={wholeOf(thenMinor)} {...shared} />
        </td>
      ) : null}
      <td class={hasChanged ? "num changed" : "num"}>
        <Amount minor={wholeOf(nowMinor)} {...shared} />
        {hasChanged ? <span class="sr"> {paneWords.changed}</span> : null}
      </td>
    </tr>
  );
}

function wholeOf(minor: number | undefined): number | undefined {
  return minor === undefined ? undefined : toWhole(minor);
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
  if (now === undefined) return <span class="sub">{paneWords.noPrice}</span>;
  return (
    <span class="sub">
      {paneWords.by(now.configuration_label)}{" "}
      {paneWords.asksIn(now.listing_count, now.lookback_days)}{" "}
      {now.is_stale ? <Tag tone="warn">{paneWords.stale}</Tag> : null}
      {now.cell_status === "available" ? null : <Tag tone="warn">{paneWords.tooFew}</Tag>}
      {wasBuy && now.cell_status === "available" && !now.meets_buy_threshold ? (
        <Tag tone="warn">{paneWords.noLongerBuy}</Tag>
      ) : null}
    </span>
  );
}
