import { useEffect, useRef } from "preact/hooks";
import type { WatchMatch } from "../../../client/assay-client.ts";
import { Button } from "../../parts/button.tsx";
import { DealerCountry } from "../../parts/dealer-country.tsx";
import { DealerName } from "../../parts/dealer-name.tsx";
import { Kbd } from "../../parts/kbd.tsx";
import { ReferenceLink } from "../../parts/reference-link.tsx";
import { Tag } from "../../parts/tag.tsx";
import { watchDetails, watchTitle } from "../../parts/watch-details.ts";
import { WhatsAppLink } from "../../parts/whatsapp-link.tsx";
import { buysWords } from "../../words/buys.ts";
import { BuyFacts } from "./buy-facts.tsx";
import { isNarrow } from "./selection.ts";

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
    if (isOpen && isNarrow()) heading.current?.focus({ preventScroll: true });
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
