import { type Signal, useSignal } from "@preact/signals";
import type { ListingReading, ReadField } from "../../../client/assay-client.ts";
import { Button } from "../../parts/button.tsx";
import { FieldValue } from "../../parts/field-value.tsx";
import { canWrite } from "../../state/session.ts";
import { tellFailure } from "../../state/tell-failure.ts";
import { listingWords } from "../../words/listing.ts";
import { readingWords } from "../../words/reading.ts";
import { withoutField } from "./correction-body.ts";
import { CORRECTABLE, type Correctable } from "./correction-fields.tsx";
import { FieldEditor } from "./field-editor.tsx";
import { FieldRow } from "./field-row.tsx";
import { quote } from "./quote.ts";
import { type Correcting, sendCorrection } from "./send-correction.ts";

interface FieldTableProps {
  readonly reading: ListingReading;
  readonly correcting: Correcting;
  readonly active: Signal<readonly string[]>;
  readonly onShow: (field: string) => void;
}

/** The values that were read, each with where it came from. Each can be corrected, and a correction taken back. */
export function FieldTable(props: FieldTableProps) {
  const { reading } = props;
  const edited = useSignal<string | undefined>(undefined);
  const missing = CORRECTABLE.filter((name) => reading.fields.every(({ field }) => field !== name));
  const added = missing.find((name) => name === edited.value);
  return (
    <>
      <table class="fields">
        <caption class="sr">{listingWords.read}</caption>
        <thead>
          <tr>
            <th scope="col">{listingWords.fieldTitle}</th>
            <th scope="col">{listingWords.value}</th>
            <th scope="col">{listingWords.source}</th>
            {canWrite.value ? <th scope="col">{listingWords.correctOne}</th> : null}
          </tr>
        </thead>
        <tbody>
          {reading.fields.map((read) => (
            <Row key={read.field} {...props} read={read} edited={edited} />
          ))}
          {added === undefined ? null : (
            <Row {...props} read={{ field: added, source: "default", spans: [] }} edited={edited} />
          )}
        </tbody>
      </table>
      {canWrite.value && missing.length > 0 ? (
        <div class="row missing-fields">
          <span class="sub">{listingWords.notRead}</span>
          {missing.map((field) => (
            <Button
              key={field}
              onPress={() => {
                edited.value = field;
              }}
            >
              {readingWords.field(field)}
            </Button>
          ))}
        </div>
      ) : null}
    </>
  );
}

function Row(
  props: FieldTableProps & {
    readonly read: ReadField;
    readonly edited: Signal<string | undefined>;
  },
) {
  const { read, edited, reading, correcting } = props;
  const { field, value, source, spans } = read;
  const name = readingWords.field(field);
  const isEdited = edited.value === field;
  const close = (): void => {
    edited.value = undefined;
  };
  const replaced = reading.left_out.find(
    (left) => left.field === field && left.reason === "corrected",
  );
  return (
    <FieldRow
      id={field}
      title={name}
      hasWords={spans.length > 0}
      active={props.active}
      onShow={props.onShow}
    >
      <td>
        {isEdited && isCorrectable(field) ? (
          <FieldEditor field={field} correcting={correcting} onClose={close} />
        ) : (
          <FieldValue field={field} value={value} />
        )}
        {replaced === undefined || replaced.spans.length === 0 ? null : (
          <div class="sub">
            {listingWords.textSays} <bdi>{quote(reading.text, replaced.spans)}</bdi>
          </div>
        )}
      </td>
      <td class="soft">{readingWords.source(source)}</td>
      {canWrite.value ? (
        <td class="field-actions">
          {isEdited ? null : (
            <Actions read={read} correcting={correcting} onEdit={() => (edited.value = field)} />
          )}
        </td>
      ) : null}
    </FieldRow>
  );
}

function Actions(props: {
  readonly read: ReadField;
  readonly correcting: Correcting;
  readonly onEdit: () => void;
}) {
  const { read, correcting } = props;
  const name = readingWords.field(read.field);
  const takeBack = (): void => {
    const body = withoutField(correcting.held, read.field);
    sendCorrection(correcting, body, listingWords.takenBack(name)).catch(tellFailure);
  };
  return (
    <>
      {read.source === "corrected" ? (
        <button type="button" class="quiet" onClick={takeBack}>
          {listingWords.takeBack}
          <span class="sr"> {name}</span>
        </button>
      ) : null}
      {isCorrectable(read.field) ? (
        <button type="button" class="quiet" onClick={props.onEdit}>
          {listingWords.correctOne}
          <span class="sr"> {name}</span>
        </button>
      ) : null}
    </>
  );
}

function isCorrectable(field: string): field is Correctable {
  return CORRECTABLE.some((known) => known === field);
}
