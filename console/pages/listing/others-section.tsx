import type { FilterMembers, Listing } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Age, Amount } from "../../parts/figures.tsx";
import { Section } from "../../parts/layout.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { watchDetails, watchTitle } from "../../parts/watch.tsx";
import { useLoad } from "../../state/load.ts";
import { listingWords } from "../../words/listing.ts";

const SHOWN_MAX = 10;

/** What else the dealer asks for, the latest first. */
export function OthersSection({ listing }: { readonly listing: Listing }) {
  const contactId = listing.sender.contact_id;
  const load = useLoad([contactId, listing.id], async (signal) => {
    if (contactId === undefined) return [];
    const filters = { contact_ids: [contactId], side: ["for_sale"] } satisfies FilterMembers;
    const { items } = await api.searchListings(
      { filters, sort: "newest", limit: SHOWN_MAX + 1 },
      { signal },
    );
    return items.filter(({ id }) => id !== listing.id).slice(0, SHOWN_MAX);
  });
  return (
    <Section
      title={listingWords.others}
      note={
        contactId === undefined ? undefined : (
          <a href={`/market?${new URLSearchParams({ contact: contactId })}`}>
            {listingWords.inMarket}
          </a>
        )
      }
    >
      <WhenLoaded load={load} rows={3}>
        {(items) =>
          items.length === 0 ? (
            <p class="soft">
              {contactId === undefined ? listingWords.noContact : listingWords.noOthers}
            </p>
          ) : (
            <Table
              caption={listingWords.othersCaption}
              columns={COLUMNS}
              rows={items}
              keyOf={({ id }) => id}
            />
          )
        }
      </WhenLoaded>
    </Section>
  );
}

const COLUMNS: readonly Column<Listing>[] = [
  {
    id: "watch",
    title: listingWords.watch,
    isWide: true,
    cell: (listing) => (
      <>
        <a class="watch" href={`/listings/${listing.id}`}>
          {watchTitle(listing)}
        </a>
        <div class="sub">{watchDetails(listing)}</div>
      </>
    ),
  },
  {
    id: "ask",
    title: listingWords.ask,
    isNumber: true,
    cell: ({ price, price_eur_minor }) => (
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
    id: "seen",
    title: listingWords.seen,
    isNumber: true,
    cell: ({ source }) => <Age atMs={source.last_seen_at_ms} />,
  },
];
