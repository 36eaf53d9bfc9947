import { useSignal } from "@preact/signals";
import type { Listing } from "../../../client/assay-client.ts";
import { Button } from "../../parts/button.tsx";
import { Age, Amount } from "../../parts/figures.tsx";
import { PageHeading } from "../../parts/layout.tsx";
import { Tag } from "../../parts/table.tsx";
import { DealerLink } from "../../parts/watch/dealer-link.tsx";
import {
  DealerCountry,
  Phone,
  ReferenceLink,
  WhatsAppLink,
  watchDetails,
  watchTitle,
} from "../../parts/watch.tsx";
import { listingWords } from "../../words/listing.ts";
import { CorrectionDialog } from "./correction-dialog.tsx";

export function ListingHead(props: {
  readonly listing: Listing;
  readonly onCorrected: () => void;
}) {
  const { listing } = props;
  const isCorrecting = useSignal(false);
  const close = (): void => {
    isCorrecting.value = false;
  };
  return (
    <header class="listing-head">
      <div class="listing-name">
        <div class="soft">{[listing.brand, listing.model].filter(Boolean).join(" ")}</div>
        <PageHeading title={watchTitle(listing)}>{watchTitle(listing)}</PageHeading>
        <div class="soft">{watchDetails(listing)}</div>
        <ReferenceLink watch={listing} />
        <Marks listing={listing} />
      </div>
      <Ask listing={listing} />
      <Dealer listing={listing} />
      <div class="row">
        <WhatsAppLink sender={listing.sender} />
        <Button
          isWrite
          onPress={() => {
            isCorrecting.value = true;
          }}
        >
          {listingWords.correct}
        </Button>
      </div>
      {isCorrecting.value ? (
        <CorrectionDialog listing={listing} onClose={close} onCorrected={props.onCorrected} />
      ) : null}
    </header>
  );
}

function Ask({ listing: { price, price_eur_minor } }: { readonly listing: Listing }) {
  if (price === undefined) return <div class="listing-ask soft">{listingWords.noPrice}</div>;
  return (
    <div class="listing-ask">
      <Amount minor={price.amount_minor} currency={price.currency} kind="price" />
      {price.currency === "EUR" ? null : (
        <div class="sub">
          <Amount minor={price_eur_minor} currency="EUR" kind="price" />
        </div>
      )}
    </div>
  );
}

function Dealer({ listing: { sender, source } }: { readonly listing: Listing }) {
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
        <span>{listingWords.posts(source.occurrence_count)}</span>
        <span>
          {listingWords.last} <Age atMs={source.last_seen_at_ms} />
        </span>
      </div>
    </div>
  );
}

function Marks({ listing }: { readonly listing: Listing }) {
  const { side, source, extraction } = listing;
  const sources = Object.values(extraction.sources);
  const isNone = extraction.sources["is_listing"] !== undefined && source.is_hidden;
  return (
    <div class="row">
      {side === "want_to_buy" ? <Tag>{listingWords.wanted}</Tag> : null}
      {isNone ? <Tag tone="warn">{listingWords.notListing}</Tag> : null}
      {source.is_hidden && !isNone ? <Tag tone="warn">{listingWords.hidden}</Tag> : null}
      {sources.includes("reply") ? <Tag>{listingWords.replied}</Tag> : null}
      {source.is_revoked ? <Tag tone="warn">{listingWords.revoked}</Tag> : null}
      {source.is_duplicate ? <Tag>{listingWords.duplicate}</Tag> : null}
      {sources.includes("corrected") && !isNone ? <Tag>{listingWords.corrected}</Tag> : null}
    </div>
  );
}
