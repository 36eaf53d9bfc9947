/** Other watches that matter beside this one, each a link with its own distance from the market. */
import { useSignal } from "@preact/signals";
import type { FilterMembers, Listing, SamePhoto } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { daysAgo } from "../../filters/filter.ts";
import { Button } from "../../parts/button.tsx";
import { Age, Amount } from "../../parts/figures.tsx";
import { Section } from "../../parts/layout.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { offersFilter, offersPath } from "../../parts/watch/wanted.ts";
import {
  ASK_COLUMN,
  BELOW_COLUMN,
  DEALER_COLUMN,
  DETAILS_COLUMN,
  isOnOffer,
  type ListedWatch,
  readWatches,
  SEEN_COLUMN,
  WATCH_COLUMN,
  WatchTable,
} from "../../parts/watch/watch-table.tsx";
import { DealerLink, watchTitle } from "../../parts/watch.tsx";
import { useLoad } from "../../state/load.ts";
import { listingWords } from "../../words/listing.ts";
import { watchWords } from "../../words/watch.ts";

const COLUMNS = [WATCH_COLUMN, ASK_COLUMN, BELOW_COLUMN, SEEN_COLUMN];
const SHOWN_MAX = 10;
/** As the market and the reference count what is on offer. */
const OFFER_DAYS = 30;
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
      <WatchTable caption={listingWords.inMessageCaption} rows={shown} columns={COLUMNS} />
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
          <a href={`/dealers/${contactId}`}>{listingWords.toDealer}</a>
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
            <WatchTable
              caption={listingWords.othersCaption}
              rows={rows.slice(0, SHOWN_MAX)}
              columns={COLUMNS}
            />
          )
        }
      </WhenLoaded>
    </Section>
  );
}

/** Who offers what someone looks for, the cheapest first: that is a sale. */
export function OffersSection({ listing }: { readonly listing: Listing }) {
  const path = offersPath(listing);
  const wanted = offersFilter(listing);
  // Where the reference is known, it is the same in every row.
  const nameColumn = listing.reference === undefined ? WATCH_COLUMN : DETAILS_COLUMN;
  const load = useRows(
    listing,
    wanted === undefined ? undefined : { ...wanted, last_seen_at_ms: { gte: daysAgo(OFFER_DAYS) } },
    "price_asc",
  );
  return (
    <Section
      title={listingWords.offers}
      class="offers"
      note={path === undefined ? undefined : <a href={path}>{listingWords.offersInMarket}</a>}
    >
      <WhenLoaded load={load} rows={3}>
        {(rows) => {
          const offered = rows
            .filter(isOnOffer)
            .toSorted((left, right) => landedOf(left) - landedOf(right))
            .slice(0, SHOWN_MAX);
          if (offered.length === 0) return <p class="soft">{listingWords.noOffers}</p>;
          return (
            <WatchTable
              caption={listingWords.offersCaption}
              rows={offered}
              columns={[nameColumn, DEALER_COLUMN, ASK_COLUMN, BELOW_COLUMN, SEEN_COLUMN]}
            />
          );
        }}
      </WhenLoaded>
    </Section>
  );
}

/** Where a photo that looks like one of this listing was posted too. Facts only: it may be one watch that two dealers offer. */
export function SamePhotos({ listing }: { readonly listing: Listing }) {
  const load = useLoad([listing.id], (signal) =>
    api.listSamePhotos({ listing_id: listing.id }, { signal }),
  );
  const found = load.state.value.value;
  if (found === undefined || found.items.length === 0) return null;
  const { items, dealer_count, is_stock_photo } = found;
  return (
    <Section
      title={listingWords.samePhotos}
      note={is_stock_photo ? listingWords.stockPhoto(dealer_count) : undefined}
    >
      <Table
        caption={listingWords.samePhotosCaption}
        columns={SAME_PHOTO_COLUMNS}
        rows={items.slice(0, SHOWN_MAX)}
        keyOf={({ listing_id }) => listing_id}
      />
    </Section>
  );
}

const SAME_PHOTO_COLUMNS: readonly Column<SamePhoto>[] = [
  {
    id: "watch",
    title: watchWords.watch,
    isWide: true,
    cell: (photo) => (
      <a class="watch" href={`/listings/${photo.listing_id}`}>
        {watchTitle(photo)}
      </a>
    ),
  },
  {
    id: "dealer",
    title: watchWords.dealer,
    cell: ({ contact, is_same_dealer }) =>
      contact === undefined ? null : is_same_dealer ? (
        listingWords.sameDealer
      ) : (
        <DealerLink
          sender={{
            contact_id: contact.id,
            ...(contact.name === undefined ? {} : { display_name: contact.name }),
          }}
        />
      ),
  },
  {
    id: "ask",
    title: watchWords.ask,
    isNumber: true,
    cell: ({ price }) => (
      <Amount minor={price?.amount_minor} currency={price?.currency ?? "EUR"} kind="price" />
    ),
  },
  {
    id: "posted",
    title: watchWords.seen,
    isNumber: true,
    isOptional: true,
    cell: ({ posted_at_ms }) => <Age atMs={posted_at_ms} />,
  },
];

/** Without a filter, nothing is asked for. */
function useRows(own: Listing, filters: FilterMembers | undefined, sort: "newest" | "price_asc") {
  return useLoad([own.id, JSON.stringify(filters)], async (signal) => {
    if (filters === undefined) return [];
    const rows = await readWatches({ filters, sort, limit: READ_MAX }, signal);
    return rows.filter(({ listing }) => listing.id !== own.id);
  });
}

/** What it costs here; without a rule, as it is asked. */
function landedOf({ price, listing }: ListedWatch): number {
  return price?.landed_eur_minor ?? listing.price_eur_minor ?? Number.POSITIVE_INFINITY;
}

function profitOf({ headline }: ListedWatch): number {
  return headline?.profit_opportunity_eur_minor ?? Number.NEGATIVE_INFINITY;
}
