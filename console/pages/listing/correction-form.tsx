/** What a person corrects: the controls of each field, and how a correction is sent. */
import { type Signal, useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type {
  CorrectListingRequest,
  HeldCorrection,
  Listing,
} from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { AmountField } from "../../parts/amount-field.tsx";
import { Button } from "../../parts/button.tsx";
import { offerUndo, tellFailure } from "../../state/toasts.ts";
import { listingWords } from "../../words/listing.ts";
import { readingWords } from "../../words/reading.ts";
import {
  type CorrectionForm,
  isDisputed,
  SETS,
  TEXT_MEMBERS,
  toHeldBody,
} from "./correction-body.ts";
import { SuggestedText } from "./suggested-text.tsx";

/** The listing that is corrected, and what a person said about it before. */
export interface Correcting {
  readonly listing: Listing;
  readonly held: HeldCorrection | undefined;
  readonly onCorrected: () => void;
}

interface FieldProps {
  readonly form: Signal<CorrectionForm>;
  readonly member: keyof CorrectionForm;
  readonly label: string;
}

/** The fields that a person can correct, in the order of the form. */
export const CORRECTABLE = [
  ...TEXT_MEMBERS,
  "year",
  "card_month",
  "condition",
  "full_set_status",
  "price",
  "side",
  "status",
] as const;
export type Correctable = (typeof CORRECTABLE)[number];

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  condition: ["", "NEW", "LIKE_NEW", "USED"],
  full_set_status: ["", ...SETS],
  side: ["for_sale", "want_to_buy"],
  status: ["", "sold", "on_hold"],
};

export function CorrectionFields(props: {
  readonly form: Signal<CorrectionForm>;
  readonly listing: Listing;
}) {
  return (
    <div class="form-grid">
      {CORRECTABLE.map((field) => (
        <CorrectionField key={field} {...props} field={field} />
      ))}
    </div>
  );
}

/** The control of one field; a price has two. */
export function CorrectionField(props: {
  readonly form: Signal<CorrectionForm>;
  readonly field: Correctable;
  readonly listing: Listing;
}) {
  const { form, field } = props;
  const label = readingWords.field(field);
  switch (field) {
    case "price":
      return (
        <>
          <AskField form={form} listing={props.listing} />
          <SuggestedText form={form} member="currency" label={readingWords.field("currency")} />
        </>
      );
    case "year":
      return <NumberField form={form} member="year" label={label} range={[1800, 2100]} />;
    case "card_month":
      return <NumberField form={form} member="card_month" label={label} range={[1, 12]} />;
    case "condition":
    case "full_set_status":
    case "side":
    case "status":
      return <Choice form={form} member={field} label={label} values={CHOICES[field] ?? []} />;
    default:
      return <SuggestedText form={form} member={field} label={label} />;
  }
}

/**
 * Saves a correction at once, and offers to put back what held before. `toBody` makes it of what holds now, because a correction
 * replaces the one before; an undefined body removes it. If someone else has corrected the same since the reader looked, nothing
 * is saved, and the reader sees what holds.
 */
export async function sendCorrection(
  { listing, held, onCorrected }: Correcting,
  toBody: (held: HeldCorrection | undefined) => CorrectListingRequest | undefined,
  done: string,
): Promise<void> {
  const stored = await readHeld(listing.id);
  const body = toBody(stored);
  if (isDisputed({ seen: toHeldBody(held), stored: toHeldBody(stored), body })) {
    onCorrected();
    throw new Error(listingWords.correctedMeanwhile);
  }
  await save(listing.id, body);
  onCorrected();
  const undo = async (): Promise<void> => {
    if (
      isDisputed({
        seen: body,
        stored: toHeldBody(await readHeld(listing.id)),
        body: toHeldBody(stored),
      })
    )
      throw new Error(listingWords.correctedMeanwhile);
    await save(listing.id, toHeldBody(stored));
    onCorrected();
  };
  offerUndo(done, () => void undo().catch(tellFailure));
}

async function readHeld(listing_id: string): Promise<HeldCorrection | undefined> {
  return (await api.getListingReading({ listing_id })).correction;
}

/** A listing that was read as talk, and the button that shows it. */
export function NotOffered({ correcting }: { readonly correcting: Correcting }) {
  const isBusy = useSignal(false);
  const admit = (): void => {
    isBusy.value = true;
    const admitted = (held: HeldCorrection | undefined) => ({
      ...toHeldBody(held),
      is_listing: true,
    });
    sendCorrection(correcting, admitted, listingWords.saved)
      .catch(tellFailure)
      .finally(() => {
        isBusy.value = false;
      });
  };
  return (
    <div class="row">
      <span>{listingWords.notOffered}</span>
      <Button isWrite isBusy={isBusy.value} onPress={admit}>
        {listingWords.isOffer}
      </Button>
    </div>
  );
}

/** The ask may have been misread by any factor, so it is compared with the market only. Its currency has a field of its own. */
function AskField({
  form,
  listing,
}: {
  readonly form: Signal<CorrectionForm>;
  readonly listing: Listing;
}) {
  const { amount, currency } = form.value;
  const code = currency.trim().toUpperCase() || "EUR";
  return (
    <AmountField
      amount={amount === "" ? undefined : { amount_minor: Number(amount), currency: code }}
      label={listingWords.ask}
      currency={code}
      isBare
      isOptional
      listingId={listing.id}
      comparedWith="market"
      onAmount={(read) => {
        form.value = {
          ...form.value,
          amount: String(read?.amount_minor ?? ""),
          ...(read === undefined ? {} : { currency: read.currency }),
        };
      }}
    />
  );
}

function NumberField(props: FieldProps & { readonly range: readonly [number, number] }) {
  const { form, member } = props;
  const [min, max] = props.range;
  const id = useId();
  return (
    <div class="form-field">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        type="number"
        min={min}
        max={max}
        step="1"
        autocomplete="off"
        value={form.value[member]}
        onInput={(event) => {
          form.value = { ...form.value, [member]: event.currentTarget.value };
        }}
      />
    </div>
  );
}

function Choice(props: FieldProps & { readonly values: readonly string[] }) {
  const { form, member } = props;
  const id = useId();
  return (
    <div class="form-field">
      <label for={id}>{props.label}</label>
      <select
        id={id}
        value={form.value[member]}
        onChange={(event) => {
          form.value = { ...form.value, [member]: event.currentTarget.value };
        }}
      >
        {props.values.map((value) => (
          <option key={value} value={value}>
            {value === "" ? listingWords.notSet : readingWords.value(value)}
          </option>
        ))}
      </select>
    </div>
  );
}

async function save(listing_id: string, body: CorrectListingRequest | undefined): Promise<void> {
  if (body === undefined) await api.undoListingCorrection({ listing_id });
  else await api.correctListing({ ...body, listing_id });
}
