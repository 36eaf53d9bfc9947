import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { HeldCorrection, Listing } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { settleAmounts } from "../../parts/amounts.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import { useLoad, useProblem } from "../../state/load.ts";
import { listingWords } from "../../words/listing.ts";
import { type CorrectionForm, hasHalfPrice, toCorrection, toForm } from "./correction-body.ts";
import { CorrectionFields, sendCorrection } from "./correction-form.tsx";

/** What a person says about this watch instead of what was read. */
export function CorrectionDialog(props: {
  readonly listing: Listing;
  readonly onClose: () => void;
  readonly onCorrected: () => void;
}) {
  const { listing } = props;
  // What holds from before, because a new correction replaces it.
  const load = useLoad([listing.id], async (signal) => {
    const { correction } = await api.getListingReading({ listing_id: listing.id }, { signal });
    return { held: correction };
  });
  const onCorrected = (): void => {
    load.reload();
    props.onCorrected();
  };
  return (
    <Dialog class="correction" label={listingWords.correctTitle} onClose={props.onClose}>
      <h2>{listingWords.correctTitle}</h2>
      <p class="sub">{listingWords.correctHint}</p>
      <WhenLoaded load={load} rows={4}>
        {({ held }) => <Form {...props} held={held} onCorrected={onCorrected} />}
      </WhenLoaded>
    </Dialog>
  );
}

function Form(props: {
  readonly listing: Listing;
  readonly held: HeldCorrection | undefined;
  readonly onClose: () => void;
  readonly onCorrected: () => void;
}) {
  const { listing } = props;
  // What the reader sees and changes, whatever others correct meanwhile.
  const before = useMemo(() => toForm(listing, props.held), []);
  const form = useSignal<CorrectionForm>(before);
  const { problem, fail, isGone } = useProblem();
  const isBusy = useSignal(false);
  const run = (toBody: Parameters<typeof sendCorrection>[1], done: string): void => {
    isBusy.value = true;
    problem.value = undefined;
    sendCorrection(props, toBody, done).then(
      () => {
        if (!isGone.current) props.onClose();
      },
      (error: unknown) => {
        isBusy.value = false;
        fail(error);
      },
    );
  };
  const save = async (fields: Element): Promise<void> => {
    await settleAmounts(fields);
    const toBody = (held: HeldCorrection | undefined) => toCorrection(before, form.value, held);
    if (hasHalfPrice(form.value)) problem.value = listingWords.badAmount;
    else if (toBody(props.held) === undefined) problem.value = listingWords.nothingChanged;
    else run(toBody, listingWords.saved);
  };
  const disown = (): void => run(() => ({ is_listing: false }), listingWords.saved);
  const undo = (): void => run(() => undefined, listingWords.undone);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy.value) save(event.currentTarget).catch(fail);
      }}
    >
      <CorrectionFields form={form} listing={listing} />
      {problem.value === undefined ? null : (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      <div class="row">
        <Button isMain isSubmit isWrite isBusy={isBusy.value}>
          {isBusy.value ? listingWords.saving : listingWords.save}
        </Button>
        <Button onPress={props.onClose}>{listingWords.cancel}</Button>
        <span class="grow" />
        {props.held === undefined ? null : (
          <Button isWrite isBusy={isBusy.value} onPress={undo}>
            {listingWords.undo}
          </Button>
        )}
        {props.held?.values["is_listing"] === false ? null : (
          <Button isWrite isBusy={isBusy.value} onPress={disown}>
            {listingWords.noListing}
          </Button>
        )}
      </div>
    </form>
  );
}
