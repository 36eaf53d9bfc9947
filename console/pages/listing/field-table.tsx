import type { Signal } from "@preact/signals";
import type { ReadField } from "../../../client/assay-client.ts";
import { FieldValue } from "../../parts/field-value.tsx";
import { listingWords } from "../../words/listing.ts";
import { readingWords } from "../../words/reading.ts";
import { FieldRow } from "./field-row.tsx";

/** The values that were read, each with where it came from. */
export function FieldTable(props: {
  readonly fields: readonly ReadField[];
  readonly active: Signal<readonly string[]>;
  readonly onShow: (field: string) => void;
}) {
  return (
    <table class="fields">
      <caption class="sr">{listingWords.read}</caption>
      <thead>
        <tr>
          <th scope="col">{listingWords.fieldTitle}</th>
          <th scope="col">{listingWords.value}</th>
          <th scope="col">{listingWords.source}</th>
        </tr>
      </thead>
      <tbody>
        {props.fields.map(({ field, value, source, spans }) => (
          <FieldRow
            key={field}
            id={field}
            title={readingWords.field(field)}
            hasWords={spans.length > 0}
            active={props.active}
            onShow={props.onShow}
          >
            <td>
              <FieldValue field={field} value={value} />
            </td>
            <td class="soft">{readingWords.source(source)}</td>
          </FieldRow>
        ))}
      </tbody>
    </table>
  );
}
