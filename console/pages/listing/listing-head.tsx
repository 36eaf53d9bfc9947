import type { Listing, PricedListing, PriceHistoryLine } from "../../../client/assay-client.ts";
import { Age, Amount } from "../../parts/figures.tsx";
import { PageHeading } from "../../parts/layout.tsx";
import { Tag } from "../../parts/table.tsx";
import { Photos } from "../../parts/watch/photos.tsx";
import type { Priced } from "../../parts/watch/verdict.ts";
import { DrawnWatch } from "../../parts/watch/watch-verdict.tsx";
import {
  alertPath,
  DealerCountry,
  DealerLink,
  Phone,
  referencePath,
  watchDetails,
  watchTitle,
} from "../../parts/watch.tsx";
import { isPresenting } from "../../state/preferences.ts";
import { canWrite } from "../../state/session.ts";
import { formatAmount, formatDay, formatPercent } from "../../words/formats.ts";
import { listingWords } from "../../words/listing.ts";
import { watchWords } from "../../words/watch.ts";

interface Move {
  /** Of the earlier ask; negative for a fall. */
  readonly share: number;
  readonly from: PriceHistoryLine;
}

/** The watch, and whose it is. */
export function ListingHead(props: {
  readonly listing: Listing;
  readonly priced: (Priced & Pick<PricedListing, "post_count">) | undefined;
}) {
  const { listing, priced } = props;
  return (
    <header class="listing-head">
      <div class="soft">{[listing.brand, listing.model].filter(Boolean).join(" ")}</div>
      <PageHeading title={watchTitle(listing)}>{watchTitle(listing)}</PageHeading>
      <div class="soft">{watchDetails(listing)}</div>
      <Marks listing={listing} />
      <ToReference listing={listing} priced={priced} />
      <Dealer listing={listing} postCount={priced?.post_count} />
    </header>
  );
}

/** The photos, or else a drawing. While it is not known whether photos can be had, their place is kept. */
export function ListingPictures(props: {
  readonly listing: Listing;
  readonly priced: Pick<PricedListing, "media"> | undefined;
}) {
  const { listing, priced } = props;
  const { has_media } = listing.source;
  const isDrawn =
    isPresenting.value || (priced === undefined ? !has_media : priced.media === undefined);
  return (
    <div class={isDrawn ? "listing-pictures is-drawn" : "listing-pictures"}>
      {isDrawn ? <DrawnWatch watch={listing} isNamed /> : null}
      <Photos key={listing.id} listing={listing} />
    </div>
  );
}

/** To the very cell that this ask is compared with. */
function ToReference(props: { readonly listing: Listing; readonly priced: Priced | undefined }) {
  const { reference, brand } = props.listing;
  const headline = props.priced?.headline;
  if (reference === undefined) return null;
  return (
    <div class="sub">
      <a
        href={referencePath({
          reference: headline?.reference ?? reference,
          brand,
          headline,
          from: props.listing,
        })}
      >
        {listingWords.toReference(reference)}
      </a>
      {canWrite.value ? (
        <>
          {" · "}
          <a href={alertPath({ reference, brand })}>{listingWords.alertMe}</a>
        </>
      ) : null}
    </div>
  );
}

/** What is asked, and how that moved. The verdict says that no ask was read. */
export function ListingAsk(props: {
  readonly listing: Listing;
  readonly history: readonly PriceHistoryLine[];
}) {
  const { price, price_eur_minor } = props.listing;
  if (price === undefined) return null;
  const move = findMove(props.listing, props.history);
  return (
    <div class="listing-ask">
      <Amount minor={price.amount_minor} currency={price.currency} kind="price" />
      {price.currency === "EUR" ? null : (
        <div class="sub">
          <Amount minor={price_eur_minor} currency="EUR" kind="price" />
        </div>
      )}
      {move === undefined ? null : <PriceMove move={move} />}
    </div>
  );
}

/** `↓ 15% since 27 Sep` */
function PriceMove({ move: { share, from } }: { readonly move: Move }) {
  const { amount_minor: minor, currency } = from.price;
  return (
    <div class={share < 0 ? "price-move is-fall" : "price-move"}>
      <span aria-hidden="true">{share < 0 ? "↓ " : "↑ "}</span>
      <span class="sr">{share < 0 ? listingWords.fell : listingWords.rose} </span>
      {formatPercent(Math.abs(share))} {listingWords.since(formatDay(from.message_timestamp_ms))}
      <span class="sub"> {listingWords.from(formatAmount({ minor, currency }))}</span>
    </div>
  );
}

/** Against the first ask of this dealer for this watch in the same currency. Less than half a per cent is none. */
function findMove(listing: Listing, history: readonly PriceHistoryLine[]): Move | undefined {
  const { price } = listing;
  const [from] = history
    .filter((line) => line.price.currency === price?.currency)
    .toSorted((left, right) => left.message_timestamp_ms - right.message_timestamp_ms);
  if (price === undefined || from === undefined || from.price.amount_minor <= 0) return undefined;
  const share = price.amount_minor / from.price.amount_minor - 1;
  return Math.abs(share) < 0.005 ? undefined : { share, from };
}

function Dealer(props: { readonly listing: Listing; readonly postCount: number | undefined }) {
  const { sender, source, price } = props.listing;
  return (
    <div class="listing-dealer">
      <div>
        <b>
          <DealerLink sender={sender} />
        </b>{" "}
        {sender.display_name === undefined ? null : (
          <span class="soft">
            <Phone number={sender.phone_number} />
          </span>
        )}
      </div>
      <div class="sub facts">
        <DealerCountry callingCode={sender.country_prefix} isLong />
        <span>
          {(price === undefined ? listingWords.postsOnly : listingWords.posts)(
            props.postCount ?? source.occurrence_count,
          )}
        </span>
        <span>
          {listingWords.last} <Age atMs={source.last_seen_at_ms} />
        </span>
      </div>
    </div>
  );
}

function Marks({ listing }: { readonly listing: Listing }) {
  const { side, source, extraction } = listing;
  const isOver = extraction.sources["status"] !== undefined && source.is_hidden;
  const sources = Object.values(extraction.sources);
  const isNone = extraction.sources["is_listing"] !== undefined && source.is_hidden;
  return (
    <div class="row">
      {side === "want_to_buy" ? <Tag>{listingWords.wanted}</Tag> : null}
      {side === "for_sale" && listing.full_set_status.length === 0 ? (
        <Tag tone="warn">{watchWords.noSet}</Tag>
      ) : null}
      {isNone ? <Tag tone="warn">{listingWords.notListing}</Tag> : null}
      {isOver ? <Tag tone="warn">{listingWords.over}</Tag> : null}
      {source.is_hidden && !isNone && !isOver ? <Tag tone="warn">{listingWords.hidden}</Tag> : null}
      {sources.includes("reply") ? <Tag>{listingWords.replied}</Tag> : null}
      {source.is_revoked ? <Tag tone="warn">{listingWords.revoked}</Tag> : null}
      {source.is_duplicate ? <Tag>{listingWords.duplicate}</Tag> : null}
      {sources.includes("corrected") && !isNone ? <Tag>{listingWords.corrected}</Tag> : null}
    </div>
  );
}
