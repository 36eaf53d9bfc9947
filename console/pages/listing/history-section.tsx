import type { GetPriceHistoryResponse, PriceHistoryLine } from "../../../client/assay-client.ts";
import { Amount } from "../../parts/figures.tsx";
import { Section } from "../../parts/layout.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import type { Load } from "../../state/load.ts";
import { formatTime } from "../../words/formats.ts";
import { listingWords } from "../../words/listing.ts";

interface Line extends PriceHistoryLine {
  /** Against the price before it, in euro. */
  readonly changeMinor: number | undefined;
}

/** The prices that this dealer asked for this watch, over all of the dealer's messages. */
export function HistorySection(props: {
  readonly listingId: string;
  readonly load: Load<GetPriceHistoryResponse>;
}) {
  const { listingId, load } = props;
  return (
    <Section title={listingWords.history}>
      <WhenLoaded load={load} rows={1}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="soft">{listingWords.noHistory}</p>
          ) : (
            <Table
              caption={listingWords.historyCaption}
              columns={columnsFor(listingId)}
              rows={toLines(items)}
              keyOf={({ listing_id, message_timestamp_ms, price }) =>
                `${listing_id} ${message_timestamp_ms} ${price.amount_minor}`
              }
            />
          )
        }
      </WhenLoaded>
    </Section>
  );
}

/** The latest first. */
function toLines(items: readonly PriceHistoryLine[]): readonly Line[] {
  const byTime = items.toSorted(
    (left, right) => left.message_timestamp_ms - right.message_timestamp_ms,
  );
  return byTime
    .map((line, at) => {
      const before = byTime[at - 1]?.price_eur_minor;
      const now = line.price_eur_minor;
      const isKnown = before !== undefined && now !== undefined;
      return { ...line, changeMinor: isKnown ? now - before : undefined };
    })
    .toReversed();
}

function columnsFor(listingId: string): readonly Column<Line>[] {
  return [
    {
      id: "when",
      title: listingWords.when,
      cell: ({ listing_id, message_timestamp_ms, is_reply }) => (
        <>
          {listing_id === listingId ? (
            formatTime(message_timestamp_ms)
          ) : (
            <a href={`/listings/${listing_id}`}>{formatTime(message_timestamp_ms)}</a>
          )}
          {is_reply ? <div class="sub">{listingWords.inReply}</div> : null}
        </>
      ),
    },
    {
      id: "ask",
      title: listingWords.ask,
      isNumber: true,
      cell: ({ price }) => (
        <Amount minor={price.amount_minor} currency={price.currency} kind="price" />
      ),
    },
    {
      id: "euro",
      title: listingWords.inEuro,
      isNumber: true,
      isOptional: true,
      cell: ({ price_eur_minor }) => <Amount minor={price_eur_minor} currency="EUR" kind="price" />,
    },
    {
      id: "change",
      title: listingWords.change,
      isNumber: true,
      cell: ({ changeMinor }) => (
        <Amount minor={changeMinor} currency="EUR" kind="price" isSigned />
      ),
    },
  ];
}
