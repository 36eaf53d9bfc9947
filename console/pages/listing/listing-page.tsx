import { useSignal } from "@preact/signals";
import type { Listing } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { PageHeading, ScrollArea } from "../../parts/layout.tsx";
import { Empty, WhenLoaded } from "../../parts/states.tsx";
import { watchTitle } from "../../parts/watch.tsx";
import type { Parameters } from "../../paths.ts";
import { useLoad } from "../../state/load.ts";
import { listingWords } from "../../words/listing.ts";
import { words } from "../../words/words.ts";
import { HistorySection } from "./history-section.tsx";
import { ListingHead } from "./listing-head.tsx";
import { MembershipSection } from "./membership-section.tsx";
import { OthersSection } from "./others-section.tsx";
import { PostsSection } from "./posts-section.tsx";
import { ReadingSection } from "./reading-section.tsx";
import { WorthSection } from "./worth-section.tsx";

/** One watch in one message: why do we believe this. */
export function ListingPage({ parameters }: { readonly parameters: Parameters }) {
  const id = parameters["listing_id"] ?? "";
  // Everything is read again after a correction.
  const version = useSignal(0);
  const load = useLoad([id, version.value], (signal) =>
    api.getListing({ listing_id: id }, { signal }),
  );
  const { value, failure } = load.state.value;
  const isMissing = failure?.kind === "missing" || failure?.kind === "refused";
  const title = value === undefined ? words.pages.listing : watchTitle(value);
  return (
    <ScrollArea name="listing" label={words.pages.listing}>
      <div class="listing">
        {value === undefined ? <PageHeading title={title} isHidden={!isMissing} /> : null}
        {isMissing ? (
          <Missing />
        ) : (
          <WhenLoaded load={load}>
            {(listing) => (
              <Loaded
                listing={listing}
                version={version.value}
                onCorrected={() => {
                  version.value += 1;
                }}
              />
            )}
          </WhenLoaded>
        )}
      </div>
    </ScrollArea>
  );
}

function Loaded(props: {
  readonly listing: Listing;
  readonly version: number;
  readonly onCorrected: () => void;
}) {
  const { listing, version } = props;
  return (
    <>
      <ListingHead listing={listing} onCorrected={props.onCorrected} />
      <div class="listing-columns">
        <div class="listing-column">
          <ReadingSection listing={listing} version={version} onCorrected={props.onCorrected} />
          <MembershipSection listingId={listing.id} version={version} />
        </div>
        <div class="listing-column">
          <WorthSection listingId={listing.id} version={version} />
          <PostsSection messageId={listing.source.canonical_message_id} />
          <HistorySection listingId={listing.id} version={version} />
          <OthersSection listing={listing} />
        </div>
      </div>
    </>
  );
}

function Missing() {
  return (
    <Empty title={listingWords.missing}>
      <p class="soft">{listingWords.missingHint}</p>
      <a class="button" href="/">
        {words.states.back}
      </a>
    </Empty>
  );
}
