import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type {
  Listing,
  ListingReading,
  NamedAlertMatch,
  WatchMatch,
} from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Button, Kbd } from "../../parts/button.tsx";
import { Age } from "../../parts/figures.tsx";
import { Icon } from "../../parts/icons.tsx";
import { isNarrow, Section } from "../../parts/layout.tsx";
import { MessageText, markHue, markName, toMarks } from "../../parts/message-text.tsx";
import { Loading, WhenLoaded } from "../../parts/states.tsx";
import { Tag } from "../../parts/table.tsx";
import { Comparables } from "../../parts/watch/comparables.tsx";
import { DealLine } from "../../parts/watch/deal-line.tsx";
import type { DealChange, OnDecided } from "../../parts/watch/decide.ts";
import { WatchActions } from "../../parts/watch/watch-actions.tsx";
import { DrawnWatch, Verdict } from "../../parts/watch/watch-verdict.tsx";
import {
  DealerCountry,
  DealerLink,
  ReferenceLink,
  watchDetails,
  watchTitle,
} from "../../parts/watch.tsx";
import { useLoad } from "../../state/load.ts";
import { buysWords } from "../../words/buys.ts";
import { watchWords } from "../../words/watch.ts";
import { chooseNow, Ledger } from "./ledger.tsx";

interface Facts {
  readonly row: WatchMatch;
}

type Read = Pick<ListingReading, "text" | "fields" | "left_out">;

const READ_MAX = 100;
const SHOWN_MAX = 5;

/** The answer to "why": the verdict, the asks that prove it, the words, the dealer, where it was posted. */
export function BuyPane(props: {
  readonly row: WatchMatch;
  readonly isSeen: boolean;
  /** False while the reader moves through the list: then nothing is read from the service yet. */
  readonly isSettled: boolean;
  /** False while several rows are chosen: then these have the keys. */
  readonly hasKeys: boolean;
  readonly onSeen: () => void;
  readonly onSend: (change: DealChange) => void;
  readonly onDecided: OnDecided;
  readonly onClose: () => void;
}) {
  const { row, isSettled } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isNarrow.value) heading.current?.focus({ preventScroll: true });
  }, []);
  const { listing } = row;
  return (
    <article class="buy">
      <header class="buy-head">
        {listing === undefined ? null : <DrawnWatch watch={listing} />}
        <div>
          <h2 ref={heading} tabIndex={-1}>
            {listing === undefined ? buysWords.message : watchTitle(listing)}
          </h2>
          {listing === undefined ? null : <About row={row} listing={listing} />}
        </div>
        <button type="button" class="buy-close" onClick={props.onClose}>
          <Icon name="close" />
          <span class="sr">{buysWords.back}</span>
        </button>
      </header>
      {listing === undefined ? null : <Decide {...props} listing={listing} />}
      <div class="row">
        {props.isSeen ? null : (
          <Button isWrite onPress={props.onSeen} hotkey="e">
            {buysWords.seen}
          </Button>
        )}
        {listing === undefined ? null : (
          <a class="button" href={`/listings/${listing.id}`}>
            {buysWords.openPage}
            <Kbd name="Enter" />
          </a>
        )}
      </div>
      {listing === undefined || !isSettled ? null : (
        <Comparables listingId={listing.id} priced={row} />
      )}
      {isSettled ? <Written row={row} /> : <Loading rows={3} />}
      {isSettled ? <BuyPosts row={row} /> : null}
      {listing === undefined || !isSettled ? null : <Calculation row={row} />}
      <AlertChips row={row} />
    </article>
  );
}

/** What it is and whose it is. */
function About({ row, listing }: Facts & { readonly listing: Listing }) {
  const { model, sender, source, full_set_status } = listing;
  return (
    <>
      <div class="soft">
        {[listing.reference && model, watchDetails(listing)].filter(Boolean).join(" · ")}
      </div>
      {full_set_status.length === 0 ? <Tag tone="warn">{watchWords.noSet}</Tag> : null}
      <div class="soft facts">
        <DealerLink sender={sender} />
        <DealerCountry callingCode={sender.country_prefix} isLong />
        <span>{buysWords.groups(source.group_ids.length)}</span>
      </div>
      <ReferenceLink watch={listing} headline={row.headline} />
    </>
  );
}

function Decide(props: {
  readonly row: WatchMatch;
  readonly listing: Listing;
  readonly hasKeys: boolean;
  readonly onSend: (change: DealChange) => void;
  readonly onDecided: OnDecided;
}) {
  const { row, listing, onDecided } = props;
  const watch = { listing, deal: row.deal, price: row.price };
  return (
    <>
      <Verdict listing={listing} priced={row} />
      <DealLine watch={watch} onDecided={onDecided} />
      <WatchActions
        watch={watch}
        hasKeys={props.hasKeys}
        onSend={props.onSend}
        onDecided={onDecided}
      />
    </>
  );
}

function AlertChips({ row: { matches, is_shadow } }: Facts) {
  return (
    <ul class="alert-list" aria-label={buysWords.alerts}>
      {is_shadow ? (
        <li>
          <Tag tone="warn">{buysWords.shadowLong}</Tag>
        </li>
      ) : null}
      {matches.map(({ alert }) => (
        <li key={alert.id}>
          <a class="tag" href={`/alerts/${alert.id}`}>
            <bdi>{alert.name}</bdi>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Folded: the verdict says it in a sentence. */
function Calculation({ row }: Facts) {
  const isOpen = useSignal(false);
  return (
    <details
      class="fold"
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>{buysWords.calculation}</summary>
      {isOpen.value ? <Why row={row} /> : null}
    </details>
  );
}

function Why({ row }: Facts) {
  const id = row.resource_id;
  const load = useLoad([id], (signal) =>
    api.listListingPriceEngineMatches({ listing_id: id }, { signal }),
  );
  const best = bestMatch(row);
  const then = best?.match.match_context ?? {};
  const { value, failure } = load.state.value;
  return (
    <>
      <Ledger
        then={then}
        thenMs={best?.match.matched_at_ms ?? row.matched_at_ms}
        now={chooseNow(value?.items ?? [], then.configuration_id)}
        isLoaded={value !== undefined}
      />
      {failure === undefined ? null : <p class="sub">{buysWords.nowUnknown}</p>}
    </>
  );
}

/** The match that says most about a watch: the one with the highest profit, or else the latest. */
function bestMatch({ matches }: WatchMatch): NamedAlertMatch | undefined {
  const profitOf = ({ match }: NamedAlertMatch): number =>
    match.match_context.profit_opportunity_eur_minor ?? Number.NEGATIVE_INFINITY;
  return matches.reduce<NamedAlertMatch | undefined>(
    (best, match) => (best === undefined || profitOf(match) > profitOf(best) ? match : best),
    undefined,
  );
}

/** A message without a watch has no reading, only its text. */
function Written({ row }: Facts) {
  const { resource_id, listing, matches } = row;
  const messageId = matches[0]?.match.canonical_message_id ?? resource_id;
  const load = useLoad([resource_id], async (signal): Promise<Read> => {
    if (listing !== undefined) {
      return api.getListingReading({ listing_id: listing.id }, { signal });
    }
    const { text = "" } = await api.getMessage({ canonical_message_id: messageId }, { signal });
    return { text, fields: [], left_out: [] };
  });
  return (
    <Section
      title={buysWords.written}
      note={listing === undefined ? undefined : buysWords.certainty(listing.extraction.confidence)}
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

/** How often the message was posted since the alert matched, and where. */
function BuyPosts({ row }: { readonly row: WatchMatch }) {
  const id = row.matches[0]?.match.canonical_message_id ?? row.resource_id;
  const firstMatchMs = Math.min(...row.matches.map(({ match }) => match.matched_at_ms));
  const load = useLoad([id], (signal) =>
    api.listOccurrences({ canonical_message_id: id, limit: READ_MAX }, { signal }),
  );
  return (
    <Section title={buysWords.posted}>
      <WhenLoaded load={load} rows={1}>
        {({ items, next_cursor }) => {
          const sinceCount = items.filter(({ sent_at_ms }) => sent_at_ms > firstMatchMs).length;
          const isMore = next_cursor !== undefined;
          return (
            <>
              <p class="sub">
                {buysWords.postedSince(sinceCount, isMore && sinceCount === READ_MAX)}
              </p>
              <ul class="posts">
                {items.slice(0, SHOWN_MAX).map(({ id: postId, group_name, sent_at_ms }) => (
                  <li key={postId}>
                    <bdi title={group_name}>{group_name ?? buysWords.unnamedGroup}</bdi>
                    <Age atMs={sent_at_ms} />
                  </li>
                ))}
              </ul>
              {items.length > SHOWN_MAX ? (
                <p class="sub">{buysWords.morePosts(items.length - SHOWN_MAX, isMore)}</p>
              ) : null}
            </>
          );
        }}
      </WhenLoaded>
    </Section>
  );
}
