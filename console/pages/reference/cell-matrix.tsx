import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Cell, Profile } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Amount } from "../../parts/figures.tsx";
import { WideArea } from "../../parts/layout.tsx";
import { isPresenting } from "../../state/preferences.ts";
import { DAY_MS, formatShare } from "../../words/formats.ts";
import { readingWords } from "../../words/reading.ts";
import { referenceWords } from "../../words/reference.ts";
import { hongKongMaximum } from "./cell-prices.ts";
import { isOfCell, type Offers } from "./market-sections.tsx";
import { BUCKETS, cellQuery, keyOf } from "./reference-state.ts";

interface MatrixProps {
  readonly caption: string;
  readonly cells: readonly Cell[];
  readonly profile: Profile | undefined;
  /** Undefined where there is nothing to choose. */
  readonly chosen?: Cell | undefined;
  /** The rule that is shown. Undefined for a preview, whose cells lead nowhere. */
  readonly ruleId?: string;
  /** Undefined while they are read. */
  readonly offers?: Offers | undefined;
}

/** What the average moved in 30 days, by cell, as a share. */
type Trends = ReadonlyMap<string, number>;

const TREND_MS = 30 * DAY_MS;

/** Years down, conditions across. A cell is a link to what is behind it, unless it is a preview. */
export function CellMatrix(props: MatrixProps) {
  const years = [...new Set(props.cells.map(({ year }) => year))].toSorted((a, b) => b - a);
  const trends = useTrends(props.ruleId, props.cells);
  return (
    <WideArea label={props.caption}>
      <table class="matrix">
        <caption class="sr">{props.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{referenceWords.year}</th>
            {BUCKETS.map((bucket) => (
              <th key={bucket} scope="col">
                {readingWords.value(bucket)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {years.map((year) => (
            <tr key={year}>
              <th scope="row">{year}</th>
              {BUCKETS.map((bucket) => {
                const cell = props.cells.find(
                  (each) => each.year === year && each.condition_bucket === bucket,
                );
                const isChosen = cell !== undefined && cell === props.chosen;
                return (
                  <td key={bucket} class={isChosen ? "is-chosen" : ""}>
                    {cell === undefined ? (
                      <div class="matrix-cell sub">{referenceWords.tooFew(0)}</div>
                    ) : (
                      <Linked {...props} cell={cell} trends={trends} />
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </WideArea>
  );
}

/** One call for each cell, one after the other, because nothing waits for them. The past does not change with a calculation. */
function useTrends(ruleId: string | undefined, cells: readonly Cell[]): Trends {
  const averages = useSignal<ReadonlyMap<string, number>>(new Map());
  const keys = cells.filter(({ status }) => status === "available").map(nameOf);
  useEffect(() => {
    averages.value = new Map();
    if (ruleId === undefined) return undefined;
    const running = new AbortController();
    const atMs = Date.now() - TREND_MS;
    const read = async (): Promise<void> => {
      for (const cell of cells.filter(({ status }) => status === "available")) {
        const { year, bucket } = keyOf(cell);
        const { items } = await api.getBackcast(
          { id: ruleId, year, condition_bucket: bucket, from_ms: atMs, to_ms: atMs },
          { signal: running.signal },
        );
        const average = items[0]?.market_average_eur_minor;
        if (average !== undefined) {
          averages.value = new Map([...averages.value, [nameOf(cell), average]]);
        }
      }
    };
    // The matrix is complete without them.
    read().catch(() => undefined);
    return () => running.abort();
  }, [ruleId, keys.join()]);
  return new Map(
    cells.flatMap((cell) => {
      const before = averages.value.get(nameOf(cell));
      const now = cell.market_average_eur_minor;
      return before === undefined || before <= 0 || now === undefined
        ? []
        : [[nameOf(cell), now / before - 1] as const];
    }),
  );
}

function nameOf({ year, condition_bucket }: Cell): string {
  return `${year}-${condition_bucket}`;
}

interface CellProps extends MatrixProps {
  readonly cell: Cell;
  readonly trends: Trends;
}

function Linked(props: CellProps) {
  const { cell } = props;
  if (props.ruleId === undefined) {
    return (
      <div class="matrix-cell">
        <Worth {...props} />
      </div>
    );
  }
  return (
    <a
      class="matrix-cell"
      href={`?${cellQuery(keyOf(cell))}`}
      data-cell={nameOf(cell)}
      aria-current={cell === props.chosen ? "true" : undefined}
    >
      <Worth {...props} />
    </a>
  );
}

/** What one may pay stands first, because that is what a dealer types. */
function Worth(props: CellProps) {
  const { cell, profile } = props;
  const { status, listing_count, maximum_buy_eur_minor: most } = cell;
  if (status !== "available") {
    return (
      <>
        <span class="sub">
          {status === "pending" ? referenceWords.pending : referenceWords.tooFew(listing_count)}
        </span>
        <Market {...props} />
      </>
    );
  }
  const markup = profile?.hk_markup;
  const mostHongKong =
    most === undefined || markup === undefined ? undefined : hongKongMaximum(most, markup);
  return (
    <>
      <span class="matrix-most">
        <span>
          <span class="sub">{referenceWords.europe}</span>{" "}
          <Amount minor={most} currency="EUR" kind="threshold" />
        </span>
        <span>
          <span class="sub">{referenceWords.hongKong}</span>{" "}
          <Amount minor={mostHongKong} currency="EUR" kind="threshold" />
        </span>
      </span>
      <span class="sub facts">
        <span>
          {referenceWords.averageShort}{" "}
          <Amount minor={cell.market_average_eur_minor} currency="EUR" kind="threshold" />
        </span>
        <span>{referenceWords.count(listing_count)}</span>
        <Trend share={props.trends.get(nameOf(cell))} />
      </span>
      <Market {...props} />
    </>
  );
}

function Trend({ share }: { readonly share: number | undefined }) {
  if (share === undefined || isPresenting.value) return null;
  if (Math.abs(share) < 0.0005) return <span>{referenceWords.flat}</span>;
  const isUp = share > 0;
  const text = formatShare(Math.abs(share));
  return (
    <span title={referenceWords.trendLong(text, isUp)}>
      <span aria-hidden="true">{referenceWords.trend(text, isUp)}</span>
      <span class="sr">{referenceWords.trendLong(text, isUp)}</span>
    </span>
  );
}

/** The cheapest ask that is on offer, by what it is landed, and how many are buys. */
function Market({ cell, offers, ruleId }: CellProps) {
  if (offers === undefined || ruleId === undefined) return null;
  const asks = offers.asks.filter((ask) => isOfCell(ask, keyOf(cell), ruleId));
  const ask = asks[0]?.listing.price;
  const buys = asks.filter(({ price, other_prices = [] }) =>
    [price, ...other_prices].some((each) => each?.configuration_id === ruleId && each.is_buy),
  ).length;
  return (
    <span class="sub facts">
      {ask === undefined ? (
        <span>{referenceWords.noBest}</span>
      ) : (
        <span>
          {referenceWords.best}{" "}
          <Amount minor={ask.amount_minor} currency={ask.currency} kind="price" />
        </span>
      )}
      {buys === 0 ? null : <b class="gain">{referenceWords.buyCount(buys)}</b>}
    </span>
  );
}
