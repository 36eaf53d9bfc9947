import { useSignal } from "@preact/signals";
import { useCallback, useEffect } from "preact/hooks";
import type { DealMark, Listing, PricedListing } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { useCellsChanged, useDealsChanged } from "../../live/changes.ts";
import { PageHeading, ScrollArea } from "../../parts/layout.tsx";
import { Empty, WhenLoaded } from "../../parts/states.tsx";
import { Comparables } from "../../parts/watch/comparables.tsx";
import { DealLine } from "../../parts/watch/deal-line.tsx";
import { WatchActions } from "../../parts/watch/watch-actions.tsx";
import { Verdict } from "../../parts/watch/watch-verdict.tsx";
import { watchTitle } from "../../parts/watch.tsx";
import type { Parameters } from "../../paths.ts";
import { query, setQuery } from "../../router.ts";
import { type Load, useLoad } from "../../state/load.ts";
import { canWrite } from "../../state/session.ts";
import { listingWords } from "../../words/listing.ts";
import { words } from "../../words/words.ts";
import { ActivitySection } from "./activity-section.tsx";
import { CorrectionDialog } from "./correction-dialog.tsx";
import { HistorySection } from "./history-section.tsx";
import { ListingAsk, ListingHead, ListingPictures } from "./listing-head.tsx";
import { ListingSteps } from "./listing-steps.tsx";
import { MembershipSection } from "./membership-section.tsx";
import { MessageWatches, OffersSection, OthersSection, SamePhotos } from "./others-section.tsx";
import { PostsSection } from "./posts-section.tsx";
import { PriceSection } from "./price-section.tsx";
import { ReadingSection } from "./reading-section.tsx";

interface LoadedProps {
  readonly listing: Listing;
  /** Changes when everything is to be read again, as after a correction. */
  readonly version: number;
  readonly onCorrected: () => void;
}

/** One watch in one message: is it a buy, why, and what to do. */
export function ListingPage({ parameters }: { readonly parameters: Parameters }) {
  const id = parameters["listing_id"] ?? "";
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
        <ListingSteps id={id} />
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

function Loaded({ listing, version, onCorrected }: LoadedProps) {
  const prices = usePriced(listing.id, version);
  const history = useLoad([listing.id, version], (signal) =>
    api.getPriceHistory({ listing_id: listing.id }, { signal }),
  );
  const correction = useCorrection();
  const priced = prices.state.value.value;
  const onDecided = (deal: DealMark | undefined): void =>
    prices.change(({ deal: _, ...rest }) => (deal === undefined ? rest : { ...rest, deal }));
  const watch = { listing, deal: priced?.deal, price: priced?.price };
  return (
    <>
      <div class="listing-top">
        <ListingHead listing={listing} priced={priced} />
        <div class="listing-decide">
          <ListingAsk listing={listing} history={history.state.value.value?.items ?? []} />
          <div class="listing-verdict">
            <WhenLoaded load={prices} rows={1}>
              {(found) => <Verdict listing={listing} priced={found} />}
            </WhenLoaded>
            <DealLine watch={watch} onDecided={onDecided} />
          </div>
          <WatchActions watch={watch} onDecided={onDecided} onCorrect={correction.open} />
        </div>
        <ListingPictures listing={listing} priced={priced} />
      </div>
      {correction.isOpen ? (
        <CorrectionDialog listing={listing} onClose={correction.close} onCorrected={onCorrected} />
      ) : null}
      <div class="listing-columns">
        <div class="listing-column">
          <Evidence listing={listing} priced={priced} />
          <HistorySection listingId={listing.id} load={history} />
          {canWrite.value ? (
            <ActivitySection
              listingIds={activityIds(listing.id, priced?.deal)}
              version={`${version} ${priced?.deal?.updated_at_ms ?? 0}`}
            />
          ) : null}
        </div>
        <div class="listing-column">
          <ReadingSection listing={listing} version={version} onCorrected={onCorrected} />
          <SamePhotos listing={listing} />
          <MessageWatches listing={listing} />
          <PostsSection messageId={listing.source.canonical_message_id} />
          <OthersSection listing={listing} />
          <MembershipSection listing={listing} version={version} />
        </div>
      </div>
    </>
  );
}

/** The proof: asks like this one and the calculation. For what someone looks for, those who have it. */
function Evidence(props: {
  readonly listing: Listing;
  readonly priced: PricedListing | undefined;
}) {
  const { listing, priced } = props;
  if (listing.side === "want_to_buy") return <OffersSection listing={listing} />;
  if (priced === undefined) return null;
  return (
    <>
      <Comparables listingId={listing.id} priced={priced} />
      <PriceSection priced={priced} />
    </>
  );
}

/** What the price engine and the desk say now, read again when either changes. */
function usePriced(listingId: string, version: number): Load<PricedListing> {
  const load = useLoad([listingId, version], async (signal): Promise<PricedListing> => {
    const { items } = await api.listPriceEngineMatches({ listing_ids: [listingId] }, { signal });
    return items[0] ?? { listing_id: listingId, items: [], prices: [] };
  });
  useCellsChanged(
    useCallback(
      () => (load.state.peek().value?.items ?? []).map(({ configuration_id }) => configuration_id),
      [load],
    ),
    load.reload,
  );
  useDealsChanged(
    useCallback(() => activityIds(listingId, load.state.peek().value?.deal), [listingId, load]),
    load.reload,
  );
  return load;
}

/** A link may open it: `?do=correct`, which then leaves the address. */
function useCorrection() {
  const isOpen = useSignal(false);
  useEffect(() => {
    if (query.peek().get("do") !== "correct") return;
    isOpen.value = canWrite.peek();
    const rest = new URLSearchParams(query.peek());
    rest.delete("do");
    setQuery(rest);
  }, []);
  return {
    isOpen: isOpen.value,
    open: () => {
      isOpen.value = true;
    },
    close: () => {
      isOpen.value = false;
    },
  };
}

function activityIds(listingId: string, deal: DealMark | undefined): readonly string[] {
  return [...new Set([listingId, deal?.listing_id ?? listingId])];
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
