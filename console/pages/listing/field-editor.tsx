import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { toFailure } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { listingWords } from "../../words/listing.ts";
import { readingWords } from "../../words/reading.ts";
import { type CorrectionForm, hasHalfPrice, toCorrection, toForm } from "./correction-body.ts";
import { type Correctable, CorrectionField } from "./correction-fields.tsx";
import { type Correcting, sendCorrection } from "./send-correction.ts";

/** Corrects one field where it stands. Escape leaves it as it is. */
export function FieldEditor(props: {
  readonly field: Correctable;
  readonly correcting: Correcting;
  readonly onClose: () => void;
}) {
  const { field, correcting, onClose } = props;
  const before = toForm(correcting.listing, correcting.held);
  const form = useSignal<CorrectionForm>(before);
  const problem = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const area = useRef<HTMLFormElement>(null);
  useEffect(() => area.current?.querySelector<HTMLElement>("input, select")?.focus(), []);
  const save = async (): Promise<void> => {
    const body = toCorrection(before, form.value, correcting.held);
    const isSame = JSON.stringify(before) === JSON.stringify(form.value);
    if (field === "price" && hasHalfPrice(form.value)) problem.value = listingWords.badAmount;
    else if (isSame || body === undefined) problem.value = listingWords.nothingChanged;
    else {
      isBusy.value = true;
      try {
        await sendCorrection(correcting, body, listingWords.fieldSaved(readingWords.field(field)));
        onClose();
      } catch (error) {
        problem.value = toFailure(error).message;
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
        if (!isBusy.value) save().catch(reportError);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <CorrectionField form={form} field={field} />
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
