import type { MarketReference } from "../../../client/assay-client.ts";
import { Age } from "../../parts/age.tsx";
import { Amount } from "../../parts/amount.tsx";
import { referencePath } from "../../parts/reference-path.ts";
import type { Column } from "../../parts/table.tsx";
import { Tag } from "../../parts/tag.tsx";
import { formatCount } from "../../words/formats.ts";
import { referenceWords } from "../../words/reference.ts";

export const REFERENCE_COLUMNS: readonly Column<MarketReference>[] = [
  {
    id: "reference",
    title: referenceWords.reference,
    isWide: true,
    cell: (item) => (
      <>
        <a class="watch" href={referencePath(item)} data-row>
          <b>{item.reference}</b>
        </a>
        <div class="sub">{[item.brand, item.model].filter(Boolean).join(" ")}</div>
      </>
    ),
  },
  {
    id: "watched",
    title: referenceWords.watched,
    cell: ({ configuration_ids }) =>
      configuration_ids.length === 0 ? null : (
        <Tag tone="good">{referenceWords.watchedCount(configuration_ids.length)}</Tag>
      ),
  },
  {
    id: "asks",
    title: referenceWords.asks,
    isNumber: true,
    cell: ({ for_sale_count, want_to_buy_count }) => (
      <>
        {formatCount(for_sale_count)}
        <span class="unit"> {referenceWords.asksUnit}</span>
        {want_to_buy_count === 0 ? null : (
          <div class="sub">{referenceWords.wanted(formatCount(want_to_buy_count))}</div>
        )}
      </>
    ),
  },
  {
    id: "dealers",
    title: referenceWords.dealers,
    isNumber: true,
    isOptional: true,
    cell: ({ contact_count }) => formatCount(contact_count),
  },
  price("lowest", "min_price_eur_minor", true),
  price("median", "median_price_eur_minor", false),
  price("highest", "max_price_eur_minor", true),
  {
    id: "seen",
    title: referenceWords.seen,
    isNumber: true,
    cell: ({ last_seen_at_ms }) => <Age atMs={last_seen_at_ms} />,
  },
];

type PriceMember = "min_price_eur_minor" | "median_price_eur_minor" | "max_price_eur_minor";

/** What dealers ask is no secret of ours, so presenter mode shows it. */
function price(
  id: "lowest" | "median" | "highest",
  member: PriceMember,
  isOptional: boolean,
): Column<MarketReference> {
  return {
    id,
    title: referenceWords[id],
    isNumber: true,
    isOptional,
    cell: (item) => <Amount minor={item[member]} currency="EUR" kind="price" />,
  };
}
