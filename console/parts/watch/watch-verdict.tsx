/** What a watch is worth, at a glance: the sentence, and a drawing where there is no photo. */
import type { Listing } from "../../../client/assay-client.ts";
import { type DrawnWatchFacts, drawWatch } from "../../../drawing/drawn-watch.ts";
import { watchWords } from "../../words/watch.ts";
import { Amount } from "../figures.tsx";
import { Tag } from "../table.tsx";
import { watchTitle } from "../watch.tsx";
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

/** Decoration in a row; on a page of its own it says that it is no photo. An image, because a row with forty shapes is slow. */
export function DrawnWatch(props: {
  readonly watch: Pick<Listing, "brand" | "model" | "reference" | "dial_type">;
  readonly isNamed?: boolean;
}) {
  const { watch } = props;
  const alt = props.isNamed === true ? watchWords.drawing(watchTitle(watch)) : "";
  return <img class="drawn-watch" src={toImage(watch)} alt={alt} width={36} height={36} />;
}

/** A market has some hundreds of different watches. */
const IMAGES_MAX = 500;
const images = new Map<string, string>();

function toImage({ brand, model, reference, dial_type }: DrawnWatchFacts): string {
  const key = JSON.stringify([brand, model, reference, dial_type]);
  const known = images.get(key);
  if (known !== undefined) return known;
  const shapes = drawWatch({ brand, model, reference, dial_type }).map(({ tag, attributes }) => {
    const all = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`);
    return `<${tag} ${all.join(" ")}/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${shapes.join("")}</svg>`;
  const image = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  if (images.size >= IMAGES_MAX) images.clear();
  images.set(key, image);
  return image;
}
