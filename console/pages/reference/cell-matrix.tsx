import type { Cell, Profile } from "../../../client/assay-client.ts";
import { Amount } from "../../parts/figures.tsx";
import { WideArea } from "../../parts/layout.tsx";
import { readingWords } from "../../words/reading.ts";
import { referenceWords } from "../../words/reference.ts";
import { hongKongMaximum } from "./cell-prices.ts";
import { BUCKETS, cellQuery, keyOf } from "./reference-state.ts";

/** Years down, conditions across. A cell is a link to what is behind it, unless it is a preview. */
export function CellMatrix(props: {
  readonly caption: string;
  readonly cells: readonly Cell[];
  readonly profile: Profile | undefined;
  /** Undefined where there is nothing to choose. */
  readonly chosen?: Cell | undefined;
  readonly isPreview?: boolean;
}) {
  const years = [...new Set(props.cells.map(({ year }) => year))].toSorted((a, b) => b - a);
  return (
    <WideArea label={props.caption}>
      <table class="matrix">
        <caption class="sr">{props.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{referenceWords.year}</th>
            {BUCKETS.map((bucket) => (
              <th key={bucket} scope="col" class="num">
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
                  <td key={bucket} class={isChosen ? "num is-chosen" : "num"}>
                    {cell === undefined ? null : <Linked {...props} cell={cell} />}
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

function Linked(props: {
  readonly cell: Cell;
  readonly chosen?: Cell | undefined;
  readonly profile: Profile | undefined;
  readonly isPreview?: boolean;
}) {
  const { cell, profile } = props;
  const worth = <Worth cell={cell} profile={profile} />;
  if (props.isPreview === true) return <div class="matrix-cell">{worth}</div>;
  return (
    <a
      class="matrix-cell"
      href={`?${cellQuery(keyOf(cell))}`}
      data-cell={`${cell.year}-${cell.condition_bucket}`}
      aria-current={cell === props.chosen ? "true" : undefined}
    >
      {worth}
    </a>
  );
}

function Worth({ cell, profile }: { readonly cell: Cell; readonly profile: Profile | undefined }) {
  const { status, listing_count, maximum_buy_eur_minor: most } = cell;
  if (status !== "available") {
    return (
      <>
        <span class="faint">–</span>
        <span class="sub">
          {status === "pending" ? referenceWords.pending : referenceWords.tooFew(listing_count)}
        </span>
      </>
    );
  }
  const markup = profile?.hk_markup;
  const mostHongKong =
    most === undefined || markup === undefined ? undefined : hongKongMaximum(most, markup);
  return (
    <>
      <Amount minor={cell.market_average_eur_minor} currency="EUR" kind="threshold" />
      <span class="sub">
        <span>{referenceWords.count(listing_count)}</span>
        <span>
          {referenceWords.europe} <Amount minor={most} currency="EUR" kind="threshold" />
        </span>
        <span>
          {referenceWords.hongKong} <Amount minor={mostHongKong} currency="EUR" kind="threshold" />
        </span>
      </span>
    </>
  );
}
