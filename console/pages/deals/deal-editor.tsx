/** Everything about one deal in one form. It is saved on what the reader saw: if someone else was first, the form says who. */
import { type Signal, signal, useSignal } from "@preact/signals";
import { useId, useMemo } from "preact/hooks";
import type { Deal, DecideDealRequest, Token } from "../../../client/assay-client.ts";
import { AmountField } from "../../parts/amount-field.tsx";
import { ConfirmDialog } from "../../parts/dialog.tsx";
import { SelectField } from "../../parts/form.tsx";
import type { ReadAmount } from "../../parts/read-amounts.ts";
import { CostField, DayField, NOTE_MAX, toDay, toMs } from "../../parts/watch/deal-dialogs.tsx";
import { PASS_REASONS, replaceDeal } from "../../parts/watch/decide.ts";
import { watchTitle } from "../../parts/watch.tsx";
import { offerUndo, tellFailure } from "../../state/toasts.ts";
import { dealsWords } from "../../words/deals.ts";
import { watchWords } from "../../words/watch.ts";
import { STATES } from "./deals-state.ts";

interface MoneyForm {
  readonly amount: Signal<ReadAmount | undefined>;
  /** Of an amount that names none. */
  readonly currency: string;
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
        <MoneyField of={form.offer} label={dealsWords.offer} deal={deal} />
      </div>
      {state === "bought" ? <Bought form={form} deal={deal} /> : null}
      <NoteField of={form.note} />
    </ConfirmDialog>
  );
}

function Bought({
  form: { paid, sold, cost },
  deal,
}: {
  readonly form: Form;
  readonly deal: Deal;
}) {
  return (
    <>
      <div class="form-grid">
        <MoneyField of={paid} label={dealsWords.paidAmount} deal={deal} />
        <DayField of={paid.day} label={dealsWords.paidDay} />
        <CostField of={cost} label={dealsWords.costEur} listingId={deal.listing_id} />
      </div>
      <div class="form-grid">
        <MoneyField of={sold} label={dealsWords.soldAmount} deal={deal} />
        <DayField of={sold.day} label={dealsWords.soldDay} />
      </div>
    </>
  );
}

function MoneyField(props: {
  readonly of: MoneyForm;
  readonly label: string;
  readonly deal: Deal;
}) {
  const { amount, currency } = props.of;
  return (
    <AmountField
      amount={amount.value}
      label={props.label}
      currency={currency}
      listingId={props.deal.listing_id}
      isOptional
      onAmount={(read) => {
        amount.value = read;
      }}
    />
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
    cost: signal<ReadAmount | undefined>(
      deal.cost_eur_minor === undefined
        ? undefined
        : { amount_minor: deal.cost_eur_minor, currency: "EUR" },
    ),
  };
}

function toMoney(
  known:
    | { readonly amount_minor: number; readonly currency: string; readonly at_ms?: number }
    | undefined,
  currency: string,
): MoneyForm {
  return {
    amount: signal(known && { amount_minor: known.amount_minor, currency: known.currency }),
    currency: known?.currency ?? currency,
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
  const offered = offer.amount.value;
  const [bought, gone] = [toDated(paid), toDated(sold)];
  return {
    state: state.value as DecideDealRequest["state"],
    ...(state.value === "passed" ? { reason: reason.value as (typeof PASS_REASONS)[number] } : {}),
    ...(assignee.value === "" ? {} : { assignee: assignee.value }),
    ...(note.value.trim() === "" ? {} : { note: note.value.trim() }),
    ...(offered === undefined ? {} : { offer: offered }),
    ...(bought === undefined ? {} : { paid: bought }),
    ...(gone === undefined ? {} : { sold: gone }),
    ...(cost.value === undefined ? {} : { cost_eur_minor: cost.value.amount_minor }),
  };
}

function toDated({ amount, day }: MoneyForm) {
  return amount.value === undefined ? undefined : { ...amount.value, at_ms: toMs(day.value) };
}
