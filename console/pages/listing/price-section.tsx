import type { ListingMatch, PricedListing } from "../../../client/assay-client.ts";
import { Amount, type AmountProps, ProfitShare } from "../../parts/figures.tsx";
import { Section } from "../../parts/layout.tsx";
import { type Column, Table, Tag } from "../../parts/table.tsx";
import { toWhole } from "../../words/formats.ts";
import { listingWords } from "../../words/listing.ts";
import { readingWords } from "../../words/reading.ts";

interface Line {
  readonly id: string;
  readonly title: string;
  readonly amount: Omit<AmountProps, "kind">;
  readonly kind: AmountProps["kind"];
}

/** How the verdict is calculated, and what other price rules say. */
export function PriceSection({ priced }: { readonly priced: PricedListing }) {
  const { headline, items } = priced;
  const others = items.filter(
    ({ configuration_id }) => configuration_id !== headline?.configuration_id,
  );
  if (items.length === 0) return null;
  return (
    <Section title={listingWords.worth}>
      {headline === undefined ? null : (
        <>
          <Calculation priced={priced} headline={headline} />
          <p class="sub">
            {listingWords.byRule}{" "}
            <bdi title={headline.filter_summary}>{headline.configuration_label}</bdi>
            {", "}
            {cellOf(headline)}{" "}
            {headline.price_engine_status === "shadow" ? <Tag>{listingWords.shadow}</Tag> : null}
          </p>
        </>
      )}
      {others.length === 0 ? null : (
        <details class="other-prices" open={headline === undefined}>
          <summary>{listingWords.otherPrices(others.length)}</summary>
          <Table
            caption={listingWords.worthCaption}
            columns={COLUMNS}
            rows={others}
            keyOf={({ configuration_id }) => configuration_id}
          />
        </details>
      )}
    </Section>
  );
}

function Calculation(props: { readonly priced: PricedListing; readonly headline: ListingMatch }) {
  const { headline } = props;
  return (
    <table class="calculation">
      <caption class="sr">{listingWords.worth}</caption>
      <tbody>
        {toLines(props).map(({ id, title, amount, kind }) => (
          <tr key={id} data-line={id}>
            <th scope="row">{title}</th>
            <td class="num">
              <Amount {...amount} kind={kind} />
              {id === "profit" ? (
                <span class="sub">
                  {" "}
                  <ProfitShare
                    profitMinor={headline.profit_opportunity_eur_minor}
                    averageMinor={headline.market_average_eur_minor}
                  />
                </span>
              ) : null}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** In the order in which one follows from another. What is nothing is left out. */
function toLines(props: {
  readonly priced: PricedListing;
  readonly headline: ListingMatch;
}): readonly Line[] {
  const { headline: item, priced } = props;
  const { offer_up_to: offer, evidence } = priced.price ?? {};
  const euro = (minor: number | undefined) => ({ minor: whole(minor), currency: "EUR" });
  const counted = evidence?.counted ?? item.listing_count;
  const line = (id: string, title: string, minor: number | undefined): Line => ({
    id,
    title,
    amount: euro(minor),
    kind: id === "ask" ? "price" : "threshold",
  });
  const lines = [
    line("ask", listingWords.ask, item.original_ask_eur_minor),
    ...(item.hk_markup_eur_minor === 0
      ? []
      : [
          line("markup", listingWords.markup, item.hk_markup_eur_minor),
          line("landed", listingWords.landed, item.comparable_ask_eur_minor),
        ]),
    line(
      "average",
      listingWords.average(counted, item.lookback_days),
      item.market_average_eur_minor,
    ),
    {
      id: "profit",
      title: listingWords.profit,
      amount: {
        ...euro(item.profit_opportunity_eur_minor),
        isBuy: priced.price?.is_buy === true,
      },
      kind: "profit" as const,
    },
    line("minimum", listingWords.minimum, item.minimum_profit_eur_minor),
  ];
  if (offer === undefined) return lines;
  const amount = { minor: offer.shown_minor, currency: offer.currency };
  return [...lines, { id: "most", title: listingWords.most, amount, kind: "threshold" }];
}

/** Cents beside a comparison with an average are noise. */
function whole(minor: number | undefined): number | undefined {
  return minor === undefined ? undefined : toWhole(minor);
}

const COLUMNS: readonly Column<ListingMatch>[] = [
  {
    id: "of",
    title: listingWords.configuration,
    isWide: true,
    cell: (item) => (
      <>
        <bdi title={item.filter_summary}>{item.configuration_label}</bdi>
        <div class="sub">{cellOf(item)}</div>
      </>
    ),
  },
  {
    id: "market",
    title: listingWords.market,
    isNumber: true,
    cell: (item) => (
      <>
        <Amount minor={whole(item.market_average_eur_minor)} currency="EUR" kind="threshold" />
        <div class="sub">{listingWords.asks(item.listing_count, item.lookback_days)}</div>
      </>
    ),
  },
  {
    id: "profit",
    title: listingWords.profit,
    isNumber: true,
    cell: (item) => (
      <>
        <Amount
          minor={whole(item.profit_opportunity_eur_minor)}
          currency="EUR"
          kind="profit"
          isSigned
        />
        <div class="sub">
          <State item={item} />
        </div>
      </>
    ),
  },
];

function cellOf(item: ListingMatch): string {
  return [item.year, readingWords.value(item.condition_bucket), item.source_market].join(" · ");
}

function State({ item }: { readonly item: ListingMatch }) {
  if (item.is_stale) return <Tag tone="warn">{listingWords.stale}</Tag>;
  if (item.cell_status === "pending") return <Tag>{listingWords.pending}</Tag>;
  if (item.cell_status !== "available") return <Tag>{listingWords.tooFew}</Tag>;
  return null;
}
