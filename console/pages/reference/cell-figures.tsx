import type { ComponentChildren } from "preact";
import type { Cell, Profile } from "../../../client/assay-client.ts";
import { Amount } from "../../parts/amount.tsx";
import { referenceWords } from "../../words/reference.ts";
import { hongKongMaximum } from "./hong-kong-maximum.ts";

/** The price of now, as figures. */
export function CellFigures(props: { readonly cell: Cell; readonly profile: Profile | undefined }) {
  const { cell, profile } = props;
  const most = cell.maximum_buy_eur_minor;
  const mostHongKong =
    most === undefined || profile === undefined
      ? undefined
      : hongKongMaximum(most, profile.hk_markup ?? {});
  if (cell.status !== "available") {
    return (
      <p class="soft">
        {cell.status === "pending"
          ? referenceWords.calculating
          : referenceWords.tooFewFor(
              cell.listing_count,
              cell.lookback_days,
              profile?.minimum_listings ?? 1,
            )}
      </p>
    );
  }
  return (
    <dl class="cell-figures">
      <Figure title={referenceWords.average}>
        <Threshold minor={cell.market_average_eur_minor} />
        <span class="sub">{referenceWords.lookback(cell.listing_count, cell.lookback_days)}</span>
      </Figure>
      <Figure title={referenceWords.mostEurope}>
        <Threshold minor={most} />
        <span class="sub">
          {referenceWords.mostHongKong} <Threshold minor={mostHongKong} />
        </span>
      </Figure>
      <Figure title={referenceWords.consumer}>
        <span>
          <Threshold minor={cell.consumer_min_eur_minor} /> –{" "}
          <Threshold minor={cell.consumer_max_eur_minor} />
        </span>
      </Figure>
      <Figure title={referenceWords.minimumProfit}>
        <Threshold minor={cell.minimum_profit_eur_minor} />
      </Figure>
    </dl>
  );
}

function Figure(props: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{props.title}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

function Threshold({ minor }: { readonly minor: number | undefined }) {
  return <Amount minor={minor} currency="EUR" kind="threshold" />;
}
