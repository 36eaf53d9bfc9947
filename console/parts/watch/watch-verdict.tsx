/** What a watch is worth, at a glance: the sentence, and a drawing where there is no photo. */
import { createElement } from "preact";
import { useMemo } from "preact/hooks";
import type { Listing } from "../../../client/assay-client.ts";
import { watchWords } from "../../words/watch.ts";
import { Amount } from "../figures.tsx";
import { Tag } from "../table.tsx";
import { watchTitle } from "../watch.tsx";
import { drawWatch } from "./drawn-watch.ts";
import { describeVerdict, type Priced } from "./verdict.ts";

/** `€1,310 below the average of 27 asks; offer up to HK$135,600`. In presenter mode without its amounts. */
export function Verdict(props: { readonly listing: Listing; readonly priced: Priced }) {
  const { listing, priced } = props;
  const isBuy = priced.price?.is_buy === true;
  const { evidence } = priced.price ?? {};
  return (
    <p class={isBuy ? "verdict is-buy" : "verdict"}>
      {isBuy ? (
        <>
          <Tag tone="good">{watchWords.buy}</Tag>{" "}
        </>
      ) : null}
      {describeVerdict(listing, priced).map((piece, at) =>
        typeof piece === "string" ? (
          piece
        ) : (
          // Its colour says whether it is a buy, not whether it is a gain.
          <b key={at}>
            <Amount minor={piece.minor} currency={piece.currency} kind="threshold" />
          </b>
        ),
      )}
      {evidence?.is_thin === true ? (
        <>
          {" "}
          <Tag tone="warn">{watchWords.thin}</Tag>
        </>
      ) : null}
    </p>
  );
}

/** Decoration in a row; on a page of its own it says that it is no photo. */
export function DrawnWatch(props: {
  readonly watch: Pick<Listing, "brand" | "model" | "reference" | "dial_type">;
  readonly isNamed?: boolean;
}) {
  const { watch } = props;
  const { brand, model, reference, dial_type } = watch;
  const shapes = useMemo(
    () => drawWatch({ brand, model, reference, dial_type }),
    [brand, model, reference, dial_type],
  );
  const drawing = shapes.map(({ tag, attributes }, at) =>
    createElement(tag, { key: at, ...attributes }),
  );
  if (props.isNamed !== true) {
    return (
      <svg class="drawn-watch" viewBox="0 0 100 100" aria-hidden="true">
        {drawing}
      </svg>
    );
  }
  const name = watchWords.drawing(watchTitle(watch));
  return (
    <svg class="drawn-watch" viewBox="0 0 100 100" role="img" aria-label={name}>
      {drawing}
    </svg>
  );
}
