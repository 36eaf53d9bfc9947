/** One line: how many buys since when, what they are below market together, and the best of them. */
import { Amount } from "../../parts/figures.tsx";
import { watchTitle } from "../../parts/watch.tsx";
import { setQuery } from "../../router.ts";
import { buysWords } from "../../words/buys.ts";
import { formatClock, formatTime, HOUR_MS, toWhole } from "../../words/formats.ts";
import { writeBuyFilter } from "./buys-address.ts";
import type { BuyFigures, Buys } from "./buys-state.ts";

/** A time within it is one of today, or of last night. */
const TODAY_MS = 20 * HOUR_MS;

export function BuysSummary({ buys }: { readonly buys: Buys }) {
  const { filter, sinceMs } = buys;
  const figures = buys.figures.state.value.value;
  const since = sinceMs === undefined ? buysWords.inMonth : buysWords.since(describeTime(sinceMs));
  const show = (isSinceLooked: boolean) => (): void =>
    setQuery(writeBuyFilter({ ...filter, isSinceLooked }));
  return (
    <p class="buys-summary" role="status">
      {figures === undefined ? null : <Line figures={figures} since={since} tab={filter.tab} />}
      {figures === undefined || figures.earlierCount === 0 || filter.tab === "other" ? null : (
        <button type="button" class="quiet" onClick={show(false)}>
          {buysWords.earlier(figures.earlierCount)}
        </button>
      )}
      {filter.isSinceLooked ? null : (
        <button type="button" class="quiet" onClick={show(true)}>
          {buysWords.onlySince}
        </button>
      )}
    </p>
  );
}

/** `18:40`, or with its day. */
export function describeTime(atMs: number): string {
  return Date.now() - atMs < TODAY_MS ? formatClock(atMs) : formatTime(atMs);
}

function Line(props: {
  readonly figures: BuyFigures;
  readonly since: string;
  readonly tab: "buys" | "other";
}) {
  const { summary } = props.figures;
  const { buy_count, match_count, profit_eur_minor, best } = summary;
  if (props.tab === "other") {
    return <span>{buysWords.otherSummary(match_count - buy_count, props.since)}</span>;
  }
  if (buy_count === 0) return <span>{buysWords.noBuys(props.since)}</span>;
  return (
    <span>
      {buysWords.summary(buy_count, props.since)}
      <Profit minor={profit_eur_minor} />
      {best === undefined ? buysWords.below : buysWords.belowMarket}
      {best === undefined ? null : (
        <a href={`/listings/${best.listing.id}`}>{watchTitle(best.listing)}</a>
      )}
      {best === undefined ? null : (
        <>
          , <Profit minor={best.price_engine.profit_opportunity_eur_minor ?? 0} />
          {buysWords.below}
        </>
      )}
    </span>
  );
}

function Profit({ minor }: { readonly minor: number }) {
  return <Amount minor={toWhole(minor)} currency="EUR" kind="profit" isBuy />;
}
