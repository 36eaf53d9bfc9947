import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { HeldCorrection, ListingReading, ReadField } from "../../../client/assay-client.ts";
import { settleAmounts } from "../../parts/amounts.ts";
import { Button } from "../../parts/button.tsx";
import { Amount } from "../../parts/figures.tsx";
import { useProblem } from "../../state/load.ts";
import { canWrite } from "../../state/session.ts";
import { tellFailure } from "../../state/toasts.ts";
import { times } from "../../words/formats.ts";
import { listingWords } from "../../words/listing.ts";
import { readingWords } from "../../words/reading.ts";
import {
  type CorrectionForm,
  hasHalfPrice,
  toCorrection,
  toForm,
  withoutField,
} from "./correction-body.ts";
import {
  CORRECTABLE,
  type Correctable,
  type Correcting,
  CorrectionField,
  sendCorrection,
} from "./correction-form.tsx";
import { FieldRow, quote } from "./field-row.tsx";

interface FieldTableProps {
  readonly reading: ListingReading;
  readonly correcting: Correcting;
  readonly active: Signal<readonly string[]>;
  readonly onShow: (field: string) => void;
}

type Price = Extract<ReadField["value"], { readonly amount_minor: number }>;

const formatMonth = times({ month: "long", timeZone: "UTC" });

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
    if (edited.value === field) edited.value = undefined;
  };
  const replaced = reading.left_out.find(
    (left) => left.field === field && (left.reason === "corrected" || left.reason === "reply"),
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

/** Corrects one field where it stands. Escape leaves it as it is. */
function FieldEditor(props: {
  readonly field: Correctable;
  readonly correcting: Correcting;
  readonly onClose: () => void;
}) {
  const { field, correcting, onClose } = props;
  // What the reader sees and changes, whatever is corrected meanwhile.
  const before = useMemo(() => toForm(correcting.listing, correcting.held), []);
  const form = useSignal<CorrectionForm>(before);
  const { problem, fail, isGone } = useProblem();
  const isBusy = useSignal(false);
  const area = useRef<HTMLFormElement>(null);
  useEffect(() => area.current?.querySelector<HTMLElement>("input, select")?.focus(), []);
  const save = async (): Promise<void> => {
    await settleAmounts(area.current);
    const toBody = (held: HeldCorrection | undefined) => toCorrection(before, form.value, held);
    if (field === "price" && hasHalfPrice(form.value)) problem.value = listingWords.badAmount;
    else if (toBody(undefined) === undefined) problem.value = listingWords.nothingChanged;
    else {
      isBusy.value = true;
      try {
        const done = listingWords.fieldSaved(readingWords.field(field));
        await sendCorrection(correcting, toBody, done);
        if (!isGone.current) onClose();
      } catch (error) {
        fail(error);
      }
      isBusy.value = false;
    }
  };
  return (
    <form
      ref={area}
      class="field-editor"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy.value) save().catch(fail);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <CorrectionField form={form} field={field} listing={correcting.listing} />
      {problem.value === undefined ? null : (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      <div class="row">
        <Button isMain isSubmit isWrite isBusy={isBusy.value}>
          {isBusy.value ? listingWords.saving : listingWords.save}
        </Button>
        <Button onPress={onClose}>{listingWords.cancel}</Button>
      </div>
    </form>
  );
}

/** A value that was read, as a dealer would say it. */
function FieldValue(props: {
  readonly field: string;
  readonly value: ReadField["value"] | undefined;
}) {
  const { field, value } = props;
  if (value === undefined) return <span class="soft">{readingWords.none}</span>;
  if (typeof value === "boolean") return <>{value ? readingWords.yes : readingWords.no}</>;
  if (typeof value === "number") {
    return <>{field === "card_month" ? formatMonth(Date.UTC(2000, value - 1)) : value}</>;
  }
  if (typeof value === "string") return <bdi>{readingWords.value(value)}</bdi>;
  if (isPrice(value)) {
    return <Amount minor={value.amount_minor} currency={value.currency} kind="price" isExact />;
  }
  return <>{value.length === 0 ? readingWords.none : value.map(readingWords.value).join(", ")}</>;
}

function isPrice(value: object): value is Price {
  return "amount_minor" in value;
}

function Actions(props: {
  readonly read: ReadField;
  readonly correcting: Correcting;
  readonly onEdit: () => void;
}) {
  const { read, correcting } = props;
  const name = readingWords.field(read.field);
  const takeBack = (): void => {
    const toBody = (held: HeldCorrection | undefined) => withoutField(held, read.field);
    sendCorrection(correcting, toBody, listingWords.takenBack(name)).catch(tellFailure);
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
