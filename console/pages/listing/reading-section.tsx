import { type Signal, useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import type { Listing, ListingReading } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Section } from "../../parts/layout.tsx";
import { MessageText, refusedId, toDimmed, toMarks } from "../../parts/message-text.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import { Tag } from "../../parts/table.tsx";
import { useLoad } from "../../state/load.ts";
import { formatDay, formatPercent } from "../../words/formats.ts";
import { listingWords } from "../../words/listing.ts";
import { readingWords } from "../../words/reading.ts";
import { type Correcting, NotOffered } from "./correction-form.tsx";
import { FieldRow, quote } from "./field-row.tsx";
import { FieldTable } from "./field-table.tsx";

/** Below it, one reading in four is wrong somewhere: see the table in docs/extraction.md. */
const SURE = 0.9;

export function ReadingSection(props: {
  readonly listing: Listing;
  readonly version: number;
  readonly onCorrected: () => void;
}) {
  const { listing, version, onCorrected } = props;
  const load = useLoad([listing.id, version], (signal) =>
    api.getListingReading({ listing_id: listing.id }, { signal }),
  );
  return (
    <Section title={listingWords.written}>
      <WhenLoaded load={load} rows={4}>
        {(reading) => (
          <Reading
            reading={reading}
            correcting={{ listing, held: reading.correction, onCorrected }}
          />
        )}
      </WhenLoaded>
    </Section>
  );
}

/** Text and tables point at each other: a word at its fields, a field at its words. */
function Reading({
  reading,
  correcting,
}: {
  readonly reading: ListingReading;
  readonly correcting: Correcting;
}) {
  const active = useSignal<readonly string[]>([]);
  const area = useRef<HTMLDivElement>(null);
  const marks = useMemo(() => toMarks(reading), [reading]);
  const dimmed = useMemo(() => toDimmed(reading), [reading]);
  const focusFirst = (selector: string): void => {
    const found = area.current?.querySelector<HTMLElement>(selector);
    // What has the focus must be seen.
    found?.closest("details")?.setAttribute("open", "");
    found?.focus();
  };
  const showWords = (field: string): void => focusFirst(`[data-fields~="${CSS.escape(field)}"]`);
  return (
    <div ref={area} class="reading">
      {reading.left_out_reason === "not_an_offer" ? <NotOffered correcting={correcting} /> : null}
      <MessageText
        text={reading.text}
        marks={marks}
        dimmed={dimmed}
        active={active}
        onPress={(field) => focusFirst(`[data-field="${CSS.escape(field)}"]`)}
      />
      <Replies reading={reading} />
      <Fields reading={reading} correcting={correcting} active={active} onShow={showWords} />
    </div>
  );
}

/** What was read, value by value. Closed while there is no reason to doubt it. */
function Fields(props: Parameters<typeof FieldTable>[0]) {
  const { reading, correcting } = props;
  const isUnsure = isDoubtful(correcting.listing, reading);
  return (
    <details class="read-fields" open={isUnsure}>
      <summary>
        {listingWords.readCorrectly(formatPercent(correcting.listing.extraction.confidence))}{" "}
        {isUnsure ? <Tag tone="warn">{listingWords.unsure}</Tag> : null}
      </summary>
      {reading.fields.length === 0 ? (
        <p class="soft">{listingWords.nothingRead}</p>
      ) : (
        <FieldTable {...props} />
      )}
      {reading.left_out.length === 0 ? null : <RefusedTable {...props} />}
    </details>
  );
}

/** Something was refused or is missing, or the reader itself is not sure. Replies and corrections are no doubts. */
function isDoubtful(listing: Listing, reading: ListingReading): boolean {
  const { extraction, price, reference, side } = listing;
  const refused = reading.left_out.filter(
    ({ reason }) => reason !== "reply" && reason !== "corrected",
  );
  const hasNoAsk = price === undefined && side === "for_sale";
  const isMissing = hasNoAsk || reference === undefined || reading.fields.length === 0;
  return refused.length > 0 || isMissing || extraction.confidence < SURE;
}

/** The replies to the message, the newest first: what each gave, or why it gave nothing. */
function Replies({ reading: { fields, replies } }: { readonly reading: ListingReading }) {
  if (replies.length === 0) return null;
  const status = fields.find(({ field }) => field === "status")?.value;
  return (
    <>
      <h3>{listingWords.replies}</h3>
      <ul class="replies">
        {replies.map((reply) => (
          <li key={`${reply.canonical_message_id} ${reply.replied_at_ms}`}>
            <div class={reply.reason === undefined ? undefined : "soft"}>
              {reply.reason === undefined
                ? listingWords.byReply(reply.fields, status === "on_hold")
                : listingWords.noReply(reply.reason)}
              {", "}
              {formatDay(reply.replied_at_ms)}
            </div>
            <MessageText text={reply.text} marks={[]} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** What was found and not used, because it would have been a guess. */
function RefusedTable(props: {
  readonly reading: ListingReading;
  readonly active: Signal<readonly string[]>;
  readonly onShow: (field: string) => void;
}) {
  const { text, left_out } = props.reading;
  return (
    <>
      <h3>{listingWords.refused}</h3>
      <table class="fields">
        <caption class="sr">{listingWords.refusedCaption}</caption>
        <thead>
          <tr>
            <th scope="col">{listingWords.fieldTitle}</th>
            <th scope="col">{listingWords.wordsTitle}</th>
            <th scope="col">{listingWords.reason}</th>
          </tr>
        </thead>
        <tbody>
          {left_out.map(({ field, reason, spans }, at) => (
            <FieldRow
              key={refusedId(at, field)}
              id={refusedId(at, field)}
              title={readingWords.field(field)}
              hasWords={spans.length > 0}
              active={props.active}
              onShow={props.onShow}
            >
              <td>
                <bdi>{quote(text, spans)}</bdi>
              </td>
              <td class="soft">{readingWords.reason(reason)}</td>
            </FieldRow>
          ))}
        </tbody>
      </table>
    </>
  );
}
