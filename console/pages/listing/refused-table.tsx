import type { Signal } from "@preact/signals";
import type { ListingReading } from "../../../client/assay-client.ts";
import { refusedId } from "../../parts/read-marks.ts";
import { listingWords } from "../../words/listing.ts";
import { readingWords } from "../../words/reading.ts";
import { FieldRow } from "./field-row.tsx";
import { quote } from "./quote.ts";

/** What was found and not used, because it would have been a guess. */
export function RefusedTable(props: {
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
