/** A watch beside its list, wherever the list is: the verdict, the asks that prove it, what was written, where it was posted. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Listing, ListingReading, MatchContext } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { useLoad } from "../../state/load.ts";
import { formatPercent } from "../../words/formats.ts";
import { paneWords } from "../../words/pane.ts";
import { watchWords } from "../../words/watch.ts";
import { Kbd } from "../button.tsx";
import { Age } from "../figures.tsx";
import { Icon } from "../icons.tsx";
import { isNarrow, Section } from "../layout.tsx";
import { MessageText, markHue, markName, toMarks } from "../message-text.tsx";
import { Loading, WhenLoaded } from "../states.tsx";
import { Tag } from "../table.tsx";
import { photosOf } from "../watch/arriving-photos.ts";
import { Comparables } from "../watch/comparables.tsx";
import { DealLine } from "../watch/deal-line.tsx";
import type { DealChange, OnDecided } from "../watch/decide.ts";
import { Photos, WatchPicture } from "../watch/photos.tsx";
import type { WatchRow } from "../watch/verdict.ts";
import { WatchActions } from "../watch/watch-actions.tsx";
import { Verdict } from "../watch/watch-verdict.tsx";
import { DealerCountry, DealerLink, ReferenceLink, watchDetails, watchTitle } from "../watch.tsx";
import { chooseNow, Ledger } from "./ledger.tsx";

/** The calculation when an alert matched, which never changes. */
interface Stood {
  readonly context: MatchContext;
  readonly atMs: number;
}

interface WatchPaneProps {
  readonly row: WatchRow;
  readonly messageId: string;
  /** Of a row of Buys: how it stood, and when the first alert matched. */
  readonly stood?: Stood;
  readonly sinceMs?: number;
  /** False while the reader moves through the list: then nothing is read from the service yet. */
  readonly isSettled: boolean;
  /** False while several rows are chosen: then these have the keys. */
  readonly hasKeys?: boolean;
  readonly onSend: (change: DealChange) => void;
  readonly onDecided: OnDecided;
  readonly onClose: () => void;
  /** Beside the other actions. */
  readonly buttons?: ComponentChildren;
  /** At the end. */
  readonly children?: ComponentChildren;
}

type Read = Pick<ListingReading, "text" | "fields" | "left_out">;

const READ_MAX = 100;
const SHOWN_MAX = 5;

export function WatchPane(props: WatchPaneProps) {
  const { row, isSettled, messageId } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isNarrow.value) heading.current?.focus({ preventScroll: true });
  }, []);
  const { listing } = row;
  return (
    <article class="pane">
      <header class="pane-head">
        {listing === undefined ? null : <WatchPicture watch={listing} media={photosOf(row)} />}
        <div>
          <h2 ref={heading} tabIndex={-1}>
            {listing === undefined ? paneWords.message : watchTitle(listing)}
          </h2>
          {listing === undefined ? null : <About row={row} listing={listing} />}
        </div>
        <button type="button" class="pane-close" onClick={props.onClose}>
          <Icon name="close" />
          <span class="sr">{paneWords.back}</span>
        </button>
      </header>
      {listing === undefined ? null : <Decide {...props} listing={listing} />}
      {listing === undefined || !isSettled ? null : <Photos key={listing.id} listing={listing} />}
      {listing === undefined ? <div class="row">{props.buttons}</div> : null}
      {listing === undefined || !isSettled ? null : (
        <Comparables listingId={listing.id} priced={row} />
      )}
      {isSettled ? <Written listing={listing} messageId={messageId} /> : <Loading rows={3} />}
      {isSettled ? <Posts messageId={messageId} sinceMs={props.sinceMs} /> : null}
      {listing === undefined || listing.side === "want_to_buy" || !isSettled ? null : (
        <Calculation listing={listing} row={row} stood={props.stood} />
      )}
      {props.children}
    </article>
  );
}

/** What it is and whose it is. */
function About({ row, listing }: { readonly row: WatchRow; readonly listing: Listing }) {
  const { model, sender, source, full_set_status } = listing;
  return (
    <>
      <div class="soft">
        {[listing.reference && model, watchDetails(listing)].filter(Boolean).join(" · ")}
      </div>
      {full_set_status.length === 0 && listing.side === "for_sale" ? (
        <Tag tone="warn">{watchWords.noSet}</Tag>
      ) : null}
      <div class="soft facts">
        <DealerLink sender={sender} />
        <DealerCountry callingCode={sender.country_prefix} isLong />
        <span>{paneWords.groups(source.group_ids.length)}</span>
      </div>
      <ReferenceLink watch={listing} headline={row.headline} />
    </>
  );
}

function Decide(props: WatchPaneProps & { readonly listing: Listing }) {
  const { row, listing, onDecided } = props;
  const watch = { listing, deal: row.deal, price: row.price };
  return (
    <>
      <Verdict listing={listing} priced={row} />
      <DealLine watch={watch} onDecided={onDecided} />
      <WatchActions
        watch={watch}
        hasKeys={props.hasKeys !== false}
        onSend={props.onSend}
        onDecided={onDecided}
      >
        {props.buttons}
        <a class="button" href={`/listings/${listing.id}`}>
          {paneWords.openPage}
          <Kbd name="Enter" />
        </a>
      </WatchActions>
    </>
  );
}

/** Folded: the verdict says it in a sentence. */
function Calculation(props: {
  readonly listing: Listing;
  readonly row: WatchRow;
  readonly stood: Stood | undefined;
}) {
  const isOpen = useSignal(false);
  return (
    <details
      class="fold"
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>{paneWords.calculation}</summary>
      {isOpen.value ? <Why {...props} /> : null}
    </details>
  );
}

function Why(props: {
  readonly listing: Listing;
  readonly row: WatchRow;
  readonly stood: Stood | undefined;
}) {
  const { row, stood } = props;
  const { id } = props.listing;
  const load = useLoad([id], (signal) =>
    api.listListingPriceEngineMatches({ listing_id: id }, { signal }),
  );
  const then = stood?.context ?? {};
  const { value, failure } = load.state.value;
  return (
    <>
      <Ledger
        then={then}
        thenMs={stood?.atMs ?? 0}
        now={chooseNow(value?.items ?? [], then.configuration_id ?? row.headline?.configuration_id)}
        isLoaded={value !== undefined}
      />
      {failure === undefined ? null : <p class="sub">{paneWords.nowUnknown}</p>}
    </>
  );
}

/** A message without a watch has no reading, only its text. */
function Written(props: { readonly listing: Listing | undefined; readonly messageId: string }) {
  const { listing, messageId } = props;
  const load = useLoad([listing?.id, messageId], async (signal): Promise<Read> => {
    if (listing !== undefined) {
      return api.getListingReading({ listing_id: listing.id }, { signal });
    }
    const { text = "" } = await api.getMessage({ canonical_message_id: messageId }, { signal });
    return { text, fields: [], left_out: [] };
  });
  return (
    <Section
      title={paneWords.written}
      note={
        listing === undefined
          ? undefined
          : paneWords.certainty(formatPercent(listing.extraction.confidence))
      }
    >
      <WhenLoaded load={load} rows={2}>
        {(read) => <Words read={read} />}
      </WhenLoaded>
    </Section>
  );
}

function Words({ read }: { readonly read: Read }) {
  const marks = useMemo(() => toMarks(read), [read]);
  const fields = [...new Set(marks.map(({ field }) => field))];
  const hues = [...new Set(fields.map((field) => markHue([field])))];
  return (
    <>
      <MessageText text={read.text} marks={marks} />
      <ul class="legend">
        {hues.map((hue) => {
          const named = fields.filter((field) => markHue([field]) === hue).map(markName);
          return (
            <li key={hue} class={`hue-${hue}`}>
              {named.join(", ").toLowerCase()}
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** How often the message was posted, or since an alert matched, and where. */
function Posts(props: { readonly messageId: string; readonly sinceMs: number | undefined }) {
  const { messageId: id, sinceMs } = props;
  const load = useLoad([id], (signal) =>
    api.listOccurrences({ canonical_message_id: id, limit: READ_MAX }, { signal }),
  );
  return (
    <Section title={paneWords.posted}>
      <WhenLoaded load={load} rows={1}>
        {({ items, next_cursor }) => {
          const isMore = next_cursor !== undefined;
          const count = items.filter(({ sent_at_ms }) => sent_at_ms > (sinceMs ?? 0)).length;
          const describe = sinceMs === undefined ? paneWords.postCount : paneWords.postedSince;
          return (
            <>
              <p class="sub">{describe(count, isMore && count === READ_MAX)}</p>
              <ul class="posts">
                {items.slice(0, SHOWN_MAX).map(({ id: postId, group_name, sent_at_ms }) => (
                  <li key={postId}>
                    <bdi title={group_name}>{group_name ?? paneWords.unnamedGroup}</bdi>
                    <Age atMs={sent_at_ms} />
                  </li>
                ))}
              </ul>
              {items.length > SHOWN_MAX ? (
                <p class="sub">{paneWords.morePosts(items.length - SHOWN_MAX, isMore)}</p>
              ) : null}
            </>
          );
        }}
      </WhenLoaded>
    </Section>
  );
}
