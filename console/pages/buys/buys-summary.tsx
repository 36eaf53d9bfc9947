/**
 * One line: how many buys since when, what they are below market together, and the best of them; what the list leaves out; and
 * once, instead of on every row, what of it is sent nowhere.
 */
import { api } from "../../api.ts";
import { Amount } from "../../parts/figures.tsx";
import { watchTitle } from "../../parts/watch.tsx";
import { setQuery } from "../../router.ts";
import { useLoad } from "../../state/load.ts";
import { canWrite } from "../../state/session.ts";
import { buysWords } from "../../words/buys.ts";
import { formatRecent, toWhole } from "../../words/formats.ts";
import { type BuyFilter, writeBuyFilter } from "./buys-address.ts";
import type { BuyFigures, Buys } from "./buys-state.ts";

type Best = NonNullable<BuyFigures["summary"]["best"]>;

export function BuysSummary({ buys }: { readonly buys: Buys }) {
  const { filter, sinceMs } = buys;
  const figures = buys.figures.state.value.value;
  const since = sinceMs === undefined ? buysWords.inMonth : buysWords.since(formatRecent(sinceMs));
  const earlierCount = filter.tab === "other" ? 0 : (figures?.earlierCount ?? 0);
  const show = (isSinceLooked: boolean) => (): void =>
    setQuery(writeBuyFilter({ ...filter, isSinceLooked }));
  return (
    <div class="buys-summary">
      <p role="status">
        {figures === undefined ? null : <Line figures={figures} since={since} tab={filter.tab} />}
      </p>
      <div class="row">
        {earlierCount === 0 ? null : (
          <button type="button" class="quiet" onClick={show(false)}>
            {buysWords.earlier(earlierCount)}
          </button>
        )}
        {filter.isSinceLooked ? null : (
          <button type="button" class="quiet" onClick={show(true)}>
            {buysWords.onlySince}
          </button>
        )}
        <Hidden buys={buys} />
        {canWrite.value ? <Sent buys={buys} /> : null}
      </div>
    </div>
  );
}

function Line(props: {
  readonly figures: BuyFigures;
  readonly since: string;
  readonly tab: BuyFilter["tab"];
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
        <a href={`/listings/${best.listing.id}`}>{nameOf(best.listing)}</a>
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

/** `Nautilus 5712/1A`, as dealers say it. */
function nameOf(watch: Best["listing"]): string {
  const { model, reference } = watch;
  return model === undefined || reference === undefined
    ? watchTitle(watch)
    : `${model} ${reference}`;
}

function Profit({ minor }: { readonly minor: number }) {
  return <Amount minor={toWhole(minor)} currency="EUR" kind="profit" isBuy />;
}

/** What was passed, and what blocked dealers ask, is not in the list; this says so, and shows it. */
function Hidden({ buys: { filter, load } }: { readonly buys: Buys }) {
  const count = load.state.value.value?.hidden_count ?? 0;
  if (count === 0 && !filter.isHiddenShown) return null;
  return (
    <button
      type="button"
      class="quiet"
      onClick={() => setQuery(writeBuyFilter({ ...filter, isHiddenShown: !filter.isHiddenShown }))}
    >
      {filter.isHiddenShown ? buysWords.hideAgain : buysWords.hidden(count)}
    </button>
  );
}

/** That nothing is sent anywhere, or else how many of the rows are not. */
function Sent({ buys }: { readonly buys: Buys }) {
  const targets = useLoad([], (signal) => api.listWebhookTargets({}, { signal }));
  const { value } = targets.state.value;
  if (value === undefined) return null;
  if (value.items.length === 0) {
    return (
      <a class="quiet is-warn" href="/alerts?show=targets">
        {buysWords.sentNowhere}
      </a>
    );
  }
  const rows = buys.load.state.value.value?.items ?? [];
  const count = rows.filter(({ is_shadow }) => is_shadow).length;
  return count === 0 ? null : <span class="soft">{buysWords.trial(count)}</span>;
}
