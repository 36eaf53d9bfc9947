import { useEffect, useMemo, useRef } from "preact/hooks";
import type { ListingReading, WatchMatch } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Button, Kbd } from "../../parts/button.tsx";
import { Age } from "../../parts/figures.tsx";
import { isNarrow, Section } from "../../parts/layout.tsx";
import { MessageText, markHue, markName, toMarks } from "../../parts/message-text.tsx";
import { Loading, WhenLoaded } from "../../parts/states.tsx";
import { Tag } from "../../parts/table.tsx";
import {
  DealerCountry,
  DealerName,
  ReferenceLink,
  WhatsAppLink,
  watchDetails,
  watchTitle,
} from "../../parts/watch.tsx";
import { type Load, useLoad } from "../../state/load.ts";
import { buysWords } from "../../words/buys.ts";
import { bestMatch } from "./buys-state.ts";
import { chooseNow, Ledger } from "./ledger.tsx";

interface Facts {
  readonly row: WatchMatch;
}

type Prices = Awaited<ReturnType<typeof api.listListingPriceEngineMatches>>;

type Read = Pick<ListingReading, "text" | "fields" | "left_out">;

const READ_MAX = 100;
const SHOWN_MAX = 5;

/** The answer to "why": the calculation, the words, where it was posted. */
export function BuyDetail(props: {
  readonly row: WatchMatch;
  readonly isSeen: boolean;
  /** False while the reader moves through the list: then nothing is read from the service yet. */
  readonly isSettled: boolean;
  /** True if it lies over the list, where there is no room beside it. */
  readonly isOpen: boolean;
  readonly onSeen: () => void;
  readonly onClose: () => void;
}) {
  const { row, isOpen } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isOpen && isNarrow.value) heading.current?.focus({ preventScroll: true });
  }, [isOpen]);
  const { listing } = row;
  return (
    <article class="buy">
      <div class="buy-back">
        <Button onPress={props.onClose}>{buysWords.back}</Button>
      </div>
      <header>
        {listing === undefined ? null : (
          <div class="soft">{[listing.brand, listing.model].filter(Boolean).join(" ")}</div>
        )}
        <h2 ref={heading} tabIndex={-1}>
          {listing === undefined ? buysWords.message : watchTitle(listing)}
        </h2>
        {listing === undefined ? null : <div class="soft">{watchDetails(listing)}</div>}
        {listing === undefined ? null : <ReferenceLink watch={listing} />}
        {listing === undefined ? null : (
          <div class="soft facts">
            <DealerName sender={listing.sender} />
            <DealerCountry callingCode={listing.sender.country_prefix} isLong />
            <span>{buysWords.groups(listing.source.group_ids.length)}</span>
          </div>
        )}
      </header>
      <AlertChips row={row} />
      <div class="row">
        {listing === undefined ? null : <WhatsAppLink sender={listing.sender} />}
        {props.isSeen ? null : (
          <Button isWrite onPress={props.onSeen} hotkey="e">
            {buysWords.seen}
          </Button>
        )}
        {listing === undefined ? null : (
          <a class="button" href={`/listings/${listing.id}`}>
            {buysWords.open}
            <Kbd name="Enter" />
          </a>
        )}
      </div>
      <BuyFacts row={row} isSettled={props.isSettled} />
    </article>
  );
}

function AlertChips({ row: { matches, is_shadow } }: { readonly row: WatchMatch }) {
  return (
    <ul class="alert-list" aria-label={buysWords.alerts}>
      {is_shadow ? (
        <li>
          <Tag tone="warn">{buysWords.shadowLong}</Tag>
        </li>
      ) : null}
      {matches.map(({ alert }) => (
        <li key={alert.id} class="tag">
          <bdi>{alert.name}</bdi>
        </li>
      ))}
    </ul>
  );
}

/** What the row itself knows is shown at once; the rest is read when the reader stays. */
function BuyFacts({ row, isSettled }: Facts & { readonly isSettled: boolean }) {
  return (
    <>
      {row.listing === undefined ? null : isSettled ? (
        <Calculation row={row} />
      ) : (
        <Why row={row} load={undefined} />
      )}
      {isSettled ? <Written row={row} /> : <Loading rows={3} />}
      {isSettled ? <BuyPosts row={row} /> : null}
    </>
  );
}

function Calculation({ row }: Facts) {
  const id = row.resource_id;
  const load = useLoad([id], (signal) =>
    api.listListingPriceEngineMatches({ listing_id: id }, { signal }),
  );
  return <Why row={row} load={load} />;
}

function Why({ row, load }: Facts & { readonly load: Load<Prices> | undefined }) {
  const best = bestMatch(row);
  const then = best?.match.match_context ?? {};
  const { value, failure } = load?.state.value ?? {};
  const now = chooseNow(value?.items ?? [], then.configuration_id);
  const isBuy = then.profit_opportunity_eur_minor !== undefined;
  return (
    <Section title={isBuy ? buysWords.why : buysWords.worth}>
      <Ledger
        then={then}
        thenMs={best?.match.matched_at_ms ?? row.matched_at_ms}
        now={now}
        isLoaded={value !== undefined}
      />
      {failure === undefined ? null : <p class="sub">{buysWords.nowUnknown}</p>}
    </Section>
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
              <p class="sub">{buysWords.since(sinceCount, isMore && sinceCount === READ_MAX)}</p>
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
