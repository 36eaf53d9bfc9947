/** Everything about one deal in one form. It is saved on what the reader saw: if someone else was first, the form says who. */
import { type Signal, signal, useSignal } from "@preact/signals";
import { useId, useMemo } from "preact/hooks";
import type { Deal, DecideDealRequest, Token } from "../../../client/assay-client.ts";
import { ConfirmDialog } from "../../parts/dialog.tsx";
import { Field, SelectField } from "../../parts/form.tsx";
import { AMOUNT, DayField, NOTE_MAX, toDay, toMs } from "../../parts/watch/deal-dialogs.tsx";
import { PASS_REASONS, replaceDeal } from "../../parts/watch/decide.ts";
import { watchTitle } from "../../parts/watch.tsx";
import { offerUndo, tellFailure } from "../../state/toasts.ts";
import { dealsWords } from "../../words/deals.ts";
import { watchWords } from "../../words/watch.ts";
import { STATES } from "./deals-state.ts";

interface MoneyForm {
  readonly amount: Signal<string>;
  readonly currency: Signal<string>;
  readonly day: Signal<string>;
}

export function DealEditor(props: {
  readonly deal: Deal;
  readonly people: readonly Token[];
  readonly onSaved: () => void;
  readonly onClose: () => void;
}) {
  const { deal, people } = props;
  const form = useMemo(() => createForm(deal), []);
  /** Moves on when someone else was first, so that saving again decides otherwise. */
  const seenAtMs = useSignal<number | undefined>(deal.updated_at_ms);
  const title = watchTitle(deal.watch);
  const save = async (): Promise<void> => {
    const seen = { listing_id: deal.listing_id, updated_at_ms: seenAtMs.value };
    const decision = await replaceDeal(seen, toBody(form));
    if (decision.kind === "beaten") {
      seenAtMs.value = decision.deal?.updated_at_ms;
      props.onSaved();
      throw new Error(decision.message);
    }
    props.onSaved();
    offerUndo(dealsWords.saved(title), () => {
      decision.undo().then(props.onSaved, tellFailure);
    });
  };
  const state = form.state.value;
  return (
    <ConfirmDialog
      title={dealsWords.editTitle(title)}
      action={dealsWords.save}
      class="deal-editor"
      onConfirm={save}
      onClose={props.onClose}
    >
      <div class="form-grid">
        <SelectField of={form.state} label={dealsWords.state} options={STATE_OPTIONS} />
        <SelectField
          of={form.assignee}
          label={dealsWords.assignee}
          options={toPeople(people, deal)}
        />
        {state === "passed" ? (
          <SelectField of={form.reason} label={dealsWords.reason} options={REASON_OPTIONS} />
        ) : null}
      </div>
      <div class="form-grid">
        <Field of={form.offer.amount} label={dealsWords.offer} range={AMOUNT} isOptional />
        <Field of={form.offer.currency} label={dealsWords.offerCurrency} lengthMax={5} isOptional />
      </div>
      {state === "bought" ? <Bought form={form} /> : null}
      <NoteField of={form.note} />
    </ConfirmDialog>
  );
}

function Bought({ form: { paid, sold, cost } }: { readonly form: Form }) {
  return (
    <div class="form-grid">
      <Field of={paid.amount} label={dealsWords.paidAmount} range={AMOUNT} isOptional />
      <Field of={paid.currency} label={dealsWords.paidCurrency} lengthMax={5} isOptional />
      <DayField of={paid.day} label={dealsWords.paidDay} />
      <Field of={sold.amount} label={dealsWords.soldAmount} range={AMOUNT} isOptional />
      <Field of={sold.currency} label={dealsWords.soldCurrency} lengthMax={5} isOptional />
      <DayField of={sold.day} label={dealsWords.soldDay} />
      <Field of={cost} label={dealsWords.costEur} range={AMOUNT} isOptional />
    </div>
  );
}

function NoteField({ of }: { readonly of: Signal<string> }) {
  const id = useId();
  return (
    <div class="form-field">
      <label for={id}>{dealsWords.note}</label>
      <textarea
        id={id}
        class="field"
        rows={3}
        maxLength={NOTE_MAX}
        value={of.value}
        onInput={(event) => {
          of.value = event.currentTarget.value;
        }}
      />
    </div>
  );
}

const STATE_OPTIONS = STATES.map((value) => ({ value, label: watchWords.state(value) }));
const REASON_OPTIONS = PASS_REASONS.map((value) => ({ value, label: watchWords.reason(value) }));

/** A person whose token is revoked stays in the list while the deal has them. */
function toPeople(people: readonly Token[], { assignee, assignee_name }: Deal) {
  const known = people.map(({ id, name }) => ({ value: id, label: name }));
  const isKnown = assignee === undefined || people.some(({ id }) => id === assignee);
  const label = assignee_name ?? dealsWords.unknownPerson;
  return [
    { value: "", label: dealsWords.nobody },
    ...known,
    ...(isKnown ? [] : [{ value: assignee, label }]),
  ];
}

type Form = ReturnType<typeof createForm>;

function createForm(deal: Deal) {
  const currency = deal.paid?.currency ?? deal.offer?.currency ?? deal.asked?.currency ?? "EUR";
  return {
    state: signal<string>(deal.state),
    reason: signal(deal.reason ?? "other"),
    assignee: signal(deal.assignee ?? ""),
    note: signal(deal.note ?? ""),
    offer: toMoney(deal.offer, currency),
    paid: toMoney(deal.paid, currency),
    sold: toMoney(deal.sold, "EUR"),
    cost: signal(deal.cost_eur_minor === undefined ? "" : String(deal.cost_eur_minor / 100)),
  };
}

function toMoney(
  known:
    | { readonly amount_minor: number; readonly currency: string; readonly at_ms?: number }
    | undefined,
  currency: string,
): MoneyForm {
  return {
    amount: signal(known === undefined ? "" : String(known.amount_minor / 100)),
    currency: signal(known?.currency ?? currency),
    day: signal(toDay(known?.at_ms ?? Date.now())),
  };
}

/** What is left empty is removed. */
function toBody({
  state,
  reason,
  assignee,
  note,
  offer,
  paid,
  sold,
  cost,
}: Form): DecideDealRequest {
  const offered = toAmount(offer);
  const [bought, gone] = [toDated(paid), toDated(sold)];
  const costs = toMinor(cost.value);
  return {
    state: state.value as DecideDealRequest["state"],
    ...(state.value === "passed" ? { reason: reason.value as (typeof PASS_REASONS)[number] } : {}),
    ...(assignee.value === "" ? {} : { assignee: assignee.value }),
    ...(note.value.trim() === "" ? {} : { note: note.value.trim() }),
    ...(offered === undefined ? {} : { offer: offered }),
    ...(bought === undefined ? {} : { paid: bought }),
    ...(gone === undefined ? {} : { sold: gone }),
    ...(costs === undefined ? {} : { cost_eur_minor: costs }),
  };
}

function toAmount({ amount, currency }: MoneyForm) {
  const minor = toMinor(amount.value);
  if (minor === undefined) return undefined;
  const code = currency.value.trim().toUpperCase();
  if (code === "") throw new Error(watchWords.badAmount);
  return { amount_minor: minor, currency: code };
}

function toDated(money: MoneyForm) {
  const amount = toAmount(money);
  return amount === undefined ? undefined : { ...amount, at_ms: toMs(money.day.value) };
}

function toMinor(text: string): number | undefined {
  return text.trim() === "" ? undefined : Math.round(Number(text) * 100);
}
