/** Other watches that matter beside this one, each a link with its own distance from the market. */
import { useSignal } from "@preact/signals";
import type { FilterMembers, Listing, PricedListingPage } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { Age, Amount } from "../../parts/figures.tsx";
import { Section } from "../../parts/layout.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import { type Column, Table, Tag } from "../../parts/table.tsx";
import { DealerLink, watchDetails, watchTitle } from "../../parts/watch.tsx";
import { useLoad } from "../../state/load.ts";
import { toWhole } from "../../words/formats.ts";
import { listingWords } from "../../words/listing.ts";
import { watchWords } from "../../words/watch.ts";

type RowPrice = NonNullable<PricedListingPage["prices"]>[number];

interface Row {
  readonly listing: Listing;
  readonly price: RowPrice | undefined;
}

type Sort = NonNullable<Parameters<typeof api.searchListings>[0]>["sort"];

const SHOWN_MAX = 10;
/** A stock list may have hundreds; the market shows them all. */
const READ_MAX = 50;

/** The other watches of the message, the best first. Nothing if there are none. */
export function MessageWatches({ listing }: { readonly listing: Listing }) {
  const messageId = listing.source.canonical_message_id;
  const filters = { canonical_message_ids: [messageId] } satisfies FilterMembers;
  const load = useRows(listing, filters, "newest");
  const isWhole = useSignal(false);
  const rows = (load.state.value.value ?? []).toSorted(
    (left, right) => profitOf(right) - profitOf(left),
  );
  if (rows.length === 0) return null;
  const shown = isWhole.value ? rows : rows.slice(0, SHOWN_MAX);
  return (
    <Section title={listingWords.inMessage(rows.length)}>
      <Rows caption={listingWords.inMessageCaption} rows={shown} columns={WATCH_COLUMNS} />
      {shown.length === rows.length ? null : (
        <Button
          onPress={() => {
            isWhole.value = true;
          }}
        >
          {listingWords.showAll(rows.length)}
        </Button>
      )}
    </Section>
  );
}

/** What else the dealer asks for, the latest first. */
export function OthersSection({ listing }: { readonly listing: Listing }) {
  const contactId = listing.sender.contact_id;
  const load = useRows(
    listing,
    contactId === undefined ? undefined : { contact_ids: [contactId], side: ["for_sale"] },
    "newest",
  );
  return (
    <Section
      title={listingWords.others}
      class="last"
      note={
        contactId === undefined ? undefined : (
          <a href={`/market?${new URLSearchParams({ contact: contactId })}`}>
            {listingWords.inMarket}
          </a>
        )
      }
    >
      <WhenLoaded load={load} rows={3}>
        {(rows) =>
          rows.length === 0 ? (
            <p class="soft">
              {contactId === undefined ? listingWords.noContact : listingWords.noOthers}
            </p>
          ) : (
            <Rows
              caption={listingWords.othersCaption}
              rows={rows.slice(0, SHOWN_MAX)}
              columns={WATCH_COLUMNS}
            />
          )
        }
      </WhenLoaded>
    </Section>
  );
}

/** Who offers what someone looks for, the cheapest first: that is a sale. */
export function OffersSection({ listing }: { readonly listing: Listing }) {
  const { reference } = listing;
  const load = useRows(
    listing,
    reference === undefined ? undefined : { reference: [reference], side: ["for_sale"] },
    "price_asc",
  );
  return (
    <Section title={listingWords.offers}>
      <WhenLoaded load={load} rows={3}>
        {(rows) =>
          rows.length === 0 ? (
            <p class="soft">{listingWords.noOffers}</p>
          ) : (
            <Rows
              caption={listingWords.offersCaption}
              rows={rows.slice(0, SHOWN_MAX)}
              columns={OFFER_COLUMNS}
            />
          )
        }
      </WhenLoaded>
    </Section>
  );
}

function Rows(props: {
  readonly caption: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
}) {
  return <Table {...props} keyOf={({ listing }) => listing.id} />;
}

/** Without a filter, nothing is asked for. */
function useRows(own: Listing, filters: FilterMembers | undefined, sort: Sort) {
  return useLoad([own.id, JSON.stringify(filters)], async (signal): Promise<readonly Row[]> => {
    if (filters === undefined) return [];
    const { items, prices = [] } = await api.searchListings(
      { filters, ...(sort === undefined ? {} : { sort }), limit: READ_MAX, include: ["price"] },
      { signal },
    );
    const priceOf = new Map(prices.map((price) => [price.listing_id, price]));
    return items
      .filter(({ id }) => id !== own.id)
      .map((listing) => ({ listing, price: priceOf.get(listing.id) }));
  });
}

function toShown(minor: number | undefined): number | undefined {
  return minor === undefined ? undefined : toWhole(minor);
}

function profitOf({ price }: Row): number {
  return price?.headline?.profit_opportunity_eur_minor ?? Number.NEGATIVE_INFINITY;
}

const WATCH: Column<Row> = {
  id: "watch",
  title: listingWords.watch,
  isWide: true,
  cell: ({ listing }) => (
    <>
      <a class="watch" href={`/listings/${listing.id}`}>
        {watchTitle(listing)}
      </a>{" "}
      {listing.reference === undefined ? null : <span class="soft">{listing.model}</span>}
      <div class="sub">{watchDetails(listing)}</div>
    </>
  ),
};

const DEALER: Column<Row> = {
  id: "dealer",
  title: watchWords.dealer,
  cell: ({ listing }) => <DealerLink sender={listing.sender} />,
};

const FIGURES: readonly Column<Row>[] = [
  {
    id: "ask",
    title: listingWords.ask,
    isNumber: true,
    cell: ({ listing: { price, price_eur_minor } }) => (
      <>
        <Amount minor={price?.amount_minor} currency={price?.currency ?? "EUR"} kind="price" />
        {price === undefined || price.currency === "EUR" ? null : (
          <div class="sub">
            <Amount minor={price_eur_minor} currency="EUR" kind="price" />
          </div>
        )}
      </>
    ),
  },
  {
    id: "profit",
    title: listingWords.profit,
    isNumber: true,
    cell: ({ price }) => (
      <>
        <Amount
          minor={toShown(price?.headline?.profit_opportunity_eur_minor)}
          currency="EUR"
          kind="profit"
          isSigned
          isBuy={price?.price?.is_buy === true}
        />
        {price?.price?.is_buy === true ? (
          <div class="sub">
            <Tag tone="good">{watchWords.buy}</Tag>
          </div>
        ) : null}
      </>
    ),
  },
  {
    id: "seen",
    title: listingWords.seen,
    isNumber: true,
    isOptional: true,
    cell: ({ listing }) => <Age atMs={listing.source.last_seen_at_ms} />,
  },
];

const WATCH_COLUMNS: readonly Column<Row>[] = [WATCH, ...FIGURES];
const OFFER_COLUMNS: readonly Column<Row>[] = [WATCH, DEALER, ...FIGURES];
