/** What the market says about a reference besides its price: who asks for it, who looks for it, and what was a buy. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { WatchMatch } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { daysAgo } from "../../filters/filter.ts";
import { Button } from "../../parts/button.tsx";
import { Segments } from "../../parts/choice.tsx";
import { Age, Amount } from "../../parts/figures.tsx";
import { Section } from "../../parts/layout.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import { type Column, Tag } from "../../parts/table.tsx";
import type { WatchRow } from "../../parts/watch/verdict.ts";
import { isWantedBy, offersPath } from "../../parts/watch/wanted.ts";
import {
  ASK_COLUMN,
  BELOW_COLUMN,
  BUY_DETAILS_COLUMN,
  DEALER_COLUMN,
  DETAILS_COLUMN,
  isOnOffer,
  type ListedWatch,
  OFFER_COLUMN,
  readWatches,
  SEEN_COLUMN,
  WatchTable,
} from "../../parts/watch/watch-table.tsx";
import { query } from "../../router.ts";
import { type Load, useLoad, usePages } from "../../state/load.ts";
import { DAY_MS, formatCount, toWhole } from "../../words/formats.ts";
import { readingWords } from "../../words/reading.ts";
import { referenceWords } from "../../words/reference.ts";
import { reasonWords } from "../../words/trade.ts";
import { words } from "../../words/words.ts";
import type { CellKey } from "./reference-state.ts";

/** All asks and all wanted posts of 30 days, as many as are looked through. */
export interface Offers {
  /** Still on offer, the cheapest first by what they are landed. */
  readonly asks: readonly ListedWatch[];
  readonly wanted: readonly ListedWatch[];
}

const ASKS_MAX = 300;
const WANTED_MAX = 50;
const SHOWN_MAX = 12;
const BUYS_DAYS = 90;

export function useOffers(name: {
  readonly reference: string;
  readonly brand: string | undefined;
}): Load<Offers> {
  const { reference, brand } = name;
  return useLoad([reference, brand], async (signal): Promise<Offers> => {
    const shared = {
      reference: [reference],
      ...(brand === undefined ? {} : { brand: [brand] }),
      last_seen_at_ms: { gte: daysAgo(30) },
    };
    const [asks, wanted] = await Promise.all([
      readWatches(
        { filters: { ...shared, side: ["for_sale"] }, sort: "price_asc", limit: ASKS_MAX },
        signal,
      ),
      readWatches(
        { filters: { ...shared, side: ["want_to_buy"] }, sort: "newest", limit: WANTED_MAX },
        signal,
      ),
    ]);
    const offered = asks.filter((ask) => isOnOffer(ask) && ask.listing.price !== undefined);
    return { wanted, asks: offered.toSorted((left, right) => landedOf(left) - landedOf(right)) };
  });
}

/** By what it costs here; without a price of ours, by what is asked. */
function landedOf({ price, listing }: ListedWatch): number {
  return price?.landed_eur_minor ?? listing.price_eur_minor ?? Number.POSITIVE_INFINITY;
}

/** True if the ask is of this year and condition, and one that this price rule judges. */
export function isOfCell(ask: ListedWatch, { year, bucket }: CellKey, ruleId: string): boolean {
  const { listing, price, other_prices = [] } = ask;
  const isJudged = [price, ...other_prices].some((each) => each?.configuration_id === ruleId);
  return isJudged && listing.year === year && listing.condition?.toLowerCase() === bucket;
}

/** Cheapest first: of the chosen year and condition, or all. */
export function OffersSection(props: {
  readonly offers: Load<Offers>;
  readonly name: { readonly reference: string; readonly brand: string | undefined };
  /** Undefined where there is no price, so that there is nothing to choose. */
  readonly cell: { readonly key: CellKey; readonly ruleId: string } | undefined;
}) {
  const { cell, name } = props;
  const which = useSignal<"cell" | "all">("cell");
  const ownId = query.value.get("ask") ?? undefined;
  const isCell = cell !== undefined && which.value === "cell";
  const cellName =
    cell === undefined ? "" : `${cell.key.year}, ${readingWords.value(cell.key.bucket)}`;
  return (
    <Section title={referenceWords.offers} note={referenceWords.offersNote} class="offers">
      {cell === undefined ? null : (
        <Segments
          label={referenceWords.offersOf}
          options={[
            { id: "cell", name: cellName },
            { id: "all", name: referenceWords.offersAll },
          ]}
          chosen={which.value}
          onChoose={(id) => {
            which.value = id;
          }}
        />
      )}
      <WhenLoaded load={props.offers} rows={4}>
        {({ asks }) => {
          const rows = isCell ? asks.filter((ask) => isOfCell(ask, cell.key, cell.ruleId)) : asks;
          if (rows.length === 0) {
            return (
              <p class="soft">{isCell ? referenceWords.noOffersHere : referenceWords.noOffers}</p>
            );
          }
          return (
            <>
              <WatchTable
                caption={referenceWords.offersCaption}
                rows={rows.slice(0, SHOWN_MAX)}
                columns={OFFER_COLUMNS}
                ownId={ownId}
              />
              {rows.length <= SHOWN_MAX ? null : (
                <a href={marketPath(name)}>{referenceWords.moreOffers(rows.length)}</a>
              )}
            </>
          );
        }}
      </WhenLoaded>
    </Section>
  );
}

/** Who looks for it: each with who offers such a watch now, because that is a sale. */
export function WantedSection(props: {
  readonly offers: Load<Offers>;
  readonly name: { readonly reference: string; readonly brand: string | undefined };
}) {
  const { offers, name } = props;
  const { value } = offers.state.value;
  return (
    <Section title={referenceWords.wantedTitle} note={referenceWords.wantedNote} class="wanted">
      <WhenLoaded load={offers} rows={2}>
        {({ wanted }) =>
          wanted.length === 0 ? (
            <p class="soft">{referenceWords.noWanted}</p>
          ) : (
            <>
              <WatchTable
                caption={referenceWords.wantedCaption}
                rows={wanted.slice(0, SHOWN_MAX)}
                columns={[
                  DETAILS_COLUMN,
                  DEALER_COLUMN,
                  { ...ASK_COLUMN, title: referenceWords.budget, isOptional: true },
                  SEEN_COLUMN,
                  {
                    id: "offered",
                    title: referenceWords.offered,
                    cell: (row) => <Offered wanted={row} asks={value?.asks ?? []} />,
                  },
                ]}
              />
              {wanted.length <= SHOWN_MAX ? null : (
                <a href={marketPath(name, "want_to_buy")}>
                  {wanted.length < WANTED_MAX
                    ? referenceWords.moreOffers(wanted.length)
                    : referenceWords.allWanted}
                </a>
              )}
            </>
          )
        }
      </WhenLoaded>
    </Section>
  );
}

function Offered(props: { readonly wanted: WatchRow; readonly asks: readonly ListedWatch[] }) {
  const { listing } = props.wanted;
  if (listing === undefined) return null;
  const found = props.asks.filter((ask) => isWantedBy(ask.listing, listing));
  const [best] = found;
  const path = offersPath(listing);
  if (best === undefined || path === undefined)
    return <span class="soft">{referenceWords.noneOffered}</span>;
  return (
    <a href={path}>
      {referenceWords.offeredFrom(found.length)}
      <Amount minor={best.listing.price_eur_minor} currency="EUR" kind="price" />
    </a>
  );
}

/** What was a buy, and what became of it. The service finds them by reference; another brand may have the same. */
export function BuysSection(props: {
  readonly reference: string;
  readonly brand: string | undefined;
}) {
  const { reference, brand } = props;
  // The same moment for all pages.
  const sinceMs = useMemo(() => Date.now() - BUYS_DAYS * DAY_MS, [reference]);
  const { load, more } = usePages([reference, brand], async (cursor, options) => {
    const page = await api.listWatchMatches(
      {
        reference,
        strategy: "price_engine",
        since_ms: sinceMs,
        include_shadow: true,
        include_hidden: true,
        limit: SHOWN_MAX,
        ...cursor,
      },
      options,
    );
    const isOfBrand = ({ listing }: WatchMatch): boolean =>
      brand === undefined || listing?.brand === undefined || listing.brand === brand;
    return { ...page, items: page.items.filter(isOfBrand) };
  });
  return (
    <Section title={referenceWords.buys} class="past-buys">
      <WhenLoaded load={load} rows={3}>
        {({ items, next_cursor }) => (
          <>
            {items.length === 0 ? (
              <p class="soft">{referenceWords.noBuys}</p>
            ) : (
              <WatchTable
                caption={referenceWords.buysCaption}
                rows={items}
                columns={[DETAILS_COLUMN, DEALER_COLUMN, ASK_COLUMN, ...MATCH_COLUMNS]}
              />
            )}
            {next_cursor === undefined ? null : <Button onPress={more}>{words.more}</Button>}
          </>
        )}
      </WhenLoaded>
    </Section>
  );
}

/** All of its asks, the cheapest first, or all who look for it, the latest first. */
export function marketPath(
  { reference, brand }: { readonly reference: string; readonly brand: string | undefined },
  side: "for_sale" | "want_to_buy" = "for_sale",
): string {
  const parameters = new URLSearchParams(brand === undefined ? {} : { brand });
  parameters.set("reference", reference);
  if (side === "for_sale") parameters.set("sort", "price_asc");
  else parameters.set("side", side);
  return `/market?${parameters}`;
}

/** `8 on offer, 2 of them buys, 3 wanted` */
export function countOffers({ asks, wanted }: Offers): readonly string[] {
  const buys = asks.filter(({ price }) => price?.is_buy === true).length;
  return [
    referenceWords.onOffer(formatCount(asks.length)),
    ...(buys === 0 ? [] : [referenceWords.buyCount(buys)]),
    ...(wanted.length === 0 ? [] : [referenceWords.wanted(formatCount(wanted.length))]),
  ];
}

const OFFER_COLUMNS = [
  BUY_DETAILS_COLUMN,
  DEALER_COLUMN,
  ASK_COLUMN,
  BELOW_COLUMN,
  OFFER_COLUMN,
  SEEN_COLUMN,
];

const MATCH_COLUMNS: readonly Column<WatchMatch>[] = [
  {
    id: "then",
    title: referenceWords.thenBelow,
    isNumber: true,
    cell: ({ matches }) => {
      const [profit] = matches
        .flatMap(({ match }) => match.match_context.profit_opportunity_eur_minor ?? [])
        .toSorted((left, right) => right - left);
      return (
        <Amount
          minor={profit === undefined ? undefined : toWhole(profit)}
          currency="EUR"
          kind="profit"
        />
      );
    },
  },
  {
    id: "now",
    title: referenceWords.nowTitle,
    cell: ({ price, no_buy_reason }) =>
      price?.is_buy === true && no_buy_reason === undefined ? (
        <Tag tone="good">{referenceWords.isBuy}</Tag>
      ) : (
        <span class="soft">{reasonWords(no_buy_reason ?? "")?.why}</span>
      ),
  },
  {
    id: "matched",
    title: referenceWords.matched,
    isNumber: true,
    isOptional: true,
    cell: ({ matched_at_ms }) => <Age atMs={matched_at_ms} />,
  },
];
