/** What a decision needs to know: the reason of a pass, an amount, a note. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { useProblem } from "../../state/load.ts";
import { formatAmount } from "../../words/formats.ts";
import { watchWords } from "../../words/watch.ts";
import { AmountField } from "../amount-field.tsx";
import { Button, Kbd } from "../button.tsx";
import { ConfirmDialog, Dialog } from "../dialog.tsx";
import { Amount } from "../figures.tsx";
import { FieldProblem } from "../form.tsx";
import type { ReadAmount } from "../read-amounts.ts";
import { type ActedWatch, type DealChange, PASS_REASONS, type PassReason } from "./decide.ts";

interface DealDialogProps {
  readonly watch: ActedWatch;
  readonly onDecide: (change: DealChange) => Promise<void>;
  readonly onClose: () => void;
}

export const NOTE_MAX = 2_000;

/** One press or one digit. */
export function PassDialog(props: DealDialogProps & { readonly onMisread: () => void }) {
  const { onDecide, onClose, onMisread } = props;
  const { problem, fail, isGone } = useProblem();
  const isBusy = useRef(false);
  const pass = async (reason: PassReason): Promise<void> => {
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      await onDecide({ state: "passed", reason });
      if (!isGone.current) onClose();
      // Also if the pane has gone on to the next watch: what was misread is corrected.
      if (reason === "misread") onMisread();
    } catch (error) {
      fail(error);
    }
    isBusy.current = false;
  };
  const latest = useRef(pass);
  latest.current = pass;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const reason = PASS_REASONS[Number(event.key) - 1];
      if (reason === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      latest.current(reason).catch(reportError);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return (
    <Dialog label={watchWords.passTitle} class="stack pass-dialog" onClose={onClose}>
      <h2>{watchWords.passTitle}</h2>
      <p class="soft">{watchWords.passHint}</p>
      <ul>
        {PASS_REASONS.map((reason, at) => (
          <li key={reason}>
            <Button onPress={() => void pass(reason)}>
              {watchWords.reason(reason)}
              <Kbd name={String(at + 1)} />
            </Button>
          </li>
        ))}
      </ul>
      <FieldProblem>{problem.value}</FieldProblem>
    </Dialog>
  );
}

/** What was offered, or what was paid. An amount is in the currency of the ask, unless said otherwise. */
export function AmountDialog(props: DealDialogProps & { readonly state: "offered" | "bought" }) {
  const { watch, state } = props;
  const isBought = state === "bought";
  const known = watch.deal?.offer ?? (isBought ? watch.listing.price : undefined);
  const amount = useSignal(known);
  const cost = useSignal<ReadAmount | undefined>(undefined);
  const day = useSignal(toDay(Date.now()));
  const save = async (): Promise<void> => {
    const money = amount.value;
    if (money === undefined) throw new Error(watchWords.badAmount);
    if (!isBought) return props.onDecide({ state, offer: money });
    return props.onDecide({
      state,
      paid: { ...money, at_ms: toMs(day.value) },
      ...(cost.value === undefined ? {} : { cost_eur_minor: cost.value.amount_minor }),
    });
  };
  return (
    <ConfirmDialog
      title={isBought ? watchWords.boughtTitle : watchWords.offerTitle}
      action={watchWords.save}
      onConfirm={save}
      onClose={props.onClose}
    >
      <Limit watch={watch} />
      <div class="form-grid">
        <AmountField
          amount={amount.value}
          label={watchWords.amount}
          currency={known?.currency ?? watch.listing.price?.currency ?? "EUR"}
          listingId={watch.listing.id}
          isProposed={isBought}
          onAmount={(read) => {
            amount.value = read;
          }}
        />
        {isBought ? (
          <>
            <DayField of={day} label={watchWords.day} />
            <CostField of={cost} label={watchWords.cost} listingId={watch.listing.id} />
          </>
        ) : null}
      </div>
    </ConfirmDialog>
  );
}

/** All other costs of a watch, in euro. */
export function CostField(props: {
  readonly of: Signal<ReadAmount | undefined>;
  readonly label: string;
  readonly listingId: string;
}) {
  return (
    <AmountField
      amount={props.of.value}
      label={props.label}
      kind="other"
      comparedWith="share"
      currency="EUR"
      isFixed
      isOptional
      listingId={props.listingId}
      onAmount={(read) => {
        props.of.value = read;
      }}
    />
  );
}

/** The ask, and up to what it is a buy. */
function Limit({ watch: { listing, price } }: Pick<DealDialogProps, "watch">) {
  const offer = price?.offer_up_to;
  return (
    <p class="soft">
      {listing.price === undefined
        ? watchWords.noAsk
        : `${watchWords.ask} ${formatAmount({ minor: listing.price.amount_minor, currency: listing.price.currency })}`}
      {offer === undefined ? null : (
        <>
          {watchWords.buyUpTo}
          <Amount minor={offer.shown_minor} currency={offer.currency} kind="threshold" />
        </>
      )}
    </p>
  );
}

export function DayField({ of, label }: { readonly of: Signal<string>; readonly label: string }) {
  const id = useId();
  return (
    <div class="form-field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="date"
        required
        max={toDay(Date.now())}
        value={of.value}
        onInput={(event) => {
          of.value = event.currentTarget.value;
        }}
      />
    </div>
  );
}

/** Stays with the watch whatever is decided about it later. */
export function NoteDialog(props: DealDialogProps) {
  const id = useId();
  const text = useSignal(props.watch.deal?.note ?? "");
  return (
    <ConfirmDialog
      title={watchWords.noteTitle}
      action={watchWords.save}
      onConfirm={() => props.onDecide({ note: text.value.trim() })}
      onClose={props.onClose}
    >
      <textarea
        id={id}
        class="field"
        rows={4}
        maxLength={NOTE_MAX}
        aria-label={watchWords.noteTitle}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
      <p class="sub">{watchWords.noteHint}</p>
    </ConfirmDialog>
  );
}

/** The day here, as a field for days has it. */
export function toDay(atMs: number): string {
  const at = new Date(atMs);
  const pad = (part: number): string => String(part).padStart(2, "0");
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
}

/** Now if it is today, else the middle of the day, which is the same day in every time zone of the desk. */
export function toMs(day: string): number {
  return day === toDay(Date.now()) ? Date.now() : Date.parse(`${day}T12:00:00Z`);
}
