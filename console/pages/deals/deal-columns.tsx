/** What each column of the deals shows, and what stands in a file of them. */
import type { Deal } from "../../../client/assay-client.ts";
import { Button } from "../../parts/button.tsx";
import { Age, Amount } from "../../parts/figures.tsx";
import { type Column, Tag } from "../../parts/table.tsx";
import { DealerLink, watchDetails, watchTitle } from "../../parts/watch.tsx";
import { isPresenting } from "../../state/preferences.ts";
import { dealsWords } from "../../words/deals.ts";
import { formatDay, toWhole } from "../../words/formats.ts";
import { watchWords } from "../../words/watch.ts";
import type { DealState } from "./deals-state.ts";

/** Columns that a state has nothing for are left out. */
export function dealColumns(
  state: DealState | undefined,
  onEdit: (deal: Deal) => void,
): readonly Column<Deal>[] {
  const isMoney = state === undefined || state === "bought";
  return [
    WATCH,
    {
      id: "dealer",
      title: dealsWords.dealer,
      isOptional: true,
      cell: (deal) => <Dealer deal={deal} />,
    },
    { ...amount("asked", dealsWords.asked, ({ asked }) => asked), isOptional: isMoney },
    ...(state === "shortlisted" || state === "contacted"
      ? []
      : [{ ...amount("offered", dealsWords.offered, ({ offer }) => offer), isOptional: true }]),
    ...(isMoney ? MONEY : []),
    { id: "who", title: dealsWords.who, isOptional: true, cell: (deal) => <Who deal={deal} /> },
    {
      id: "edit",
      title: dealsWords.edit,
      isNumber: true,
      cell: (deal) =>
        isPresenting.value ? null : (
          <Button isWrite onPress={() => onEdit(deal)}>
            {dealsWords.edit}
            <span class="sr"> {watchTitle(deal.watch)}</span>
          </Button>
        ),
    },
  ];
}

const WATCH: Column<Deal> = {
  id: "watch",
  title: dealsWords.watch,
  isWide: true,
  cell: (deal) => {
    const { watch, state, reason, detached_reason, note } = deal;
    return (
      <>
        <DealWatch deal={deal} />{" "}
        {watch.reference === undefined ? null : <span class="soft">{watch.model}</span>}
        <div class="sub">
          <Tag tone={state === "bought" ? "good" : "plain"}>{watchWords.state(state)}</Tag>{" "}
          {reason === undefined ? null : `${watchWords.reason(reason)} · `}
          {watchDetails({ ...watch, full_set_status: watch.full_set_status ?? [] })}
          {detached_reason === undefined ? null : (
            <>
              {" "}
              <Tag tone="warn">{dealsWords.detached[detached_reason]}</Tag>
            </>
          )}
          {note === undefined ? null : <bdi title={note}> · {note}</bdi>}
        </div>
      </>
    );
  },
};

/** A link, unless there is no page any more. */
export function DealWatch({
  deal: { listing_id, watch, detached_reason },
}: {
  readonly deal: Deal;
}) {
  if (detached_reason === "erased") return <b>{dealsWords.erased}</b>;
  if (detached_reason === "removed") return <b>{watchTitle(watch)}</b>;
  return (
    <a class="watch" href={`/listings/${listing_id}`}>
      {watchTitle(watch)}
    </a>
  );
}

const MONEY: readonly Column<Deal>[] = [
  amount("paid", dealsWords.paid, ({ paid }) => paid),
  {
    ...amount("sold", dealsWords.sold, ({ sold }) => sold),
    cell: (deal) =>
      deal.state === "bought" && deal.sold === undefined ? (
        <span class="sub">{dealsWords.notSold}</span>
      ) : (
        <Money of={deal.sold} />
      ),
  },
  {
    id: "predicted",
    title: dealsWords.predicted,
    isNumber: true,
    isOptional: true,
    cell: ({ state, predicted_profit_eur_minor: minor }) => (
      <Amount minor={state === "bought" ? whole(minor) : undefined} currency="EUR" kind="profit" />
    ),
  },
  {
    id: "realised",
    title: dealsWords.realised,
    isNumber: true,
    cell: ({ realised_profit_eur_minor: minor }) => (
      <Amount minor={whole(minor)} currency="EUR" kind="profit" isSigned isBuy={(minor ?? 0) > 0} />
    ),
  },
];

function amount(
  id: string,
  title: string,
  read: (deal: Deal) => Parameters<typeof Money>[0]["of"],
): Column<Deal> {
  return { id, title, isNumber: true, cell: (deal) => <Money of={read(deal)} /> };
}

/** What the desk offers and pays is not for everyone's eyes. */
function Money(props: {
  readonly of:
    | { readonly amount_minor: number; readonly currency: string; readonly at_ms?: number }
    | undefined;
}) {
  const { of } = props;
  return (
    <>
      <Amount minor={of?.amount_minor} currency={of?.currency ?? "EUR"} kind="threshold" />
      {of?.at_ms === undefined ? null : <div class="sub">{formatDay(of.at_ms)}</div>}
    </>
  );
}

function Dealer({ deal: { watch } }: { readonly deal: Deal }) {
  const { contact_id, display_name, phone_number } = watch;
  return (
    <DealerLink
      sender={{
        ...(contact_id === undefined ? {} : { contact_id }),
        ...(display_name === undefined ? {} : { display_name }),
        ...(phone_number === undefined ? {} : { phone_number }),
      }}
    />
  );
}

function Who({ deal }: { readonly deal: Deal }) {
  return (
    <>
      <bdi>{deal.assignee_name ?? deal.updated_by ?? watchWords.someone}</bdi>
      <div class="sub">
        <Age atMs={deal.updated_at_ms} />
      </div>
    </>
  );
}

function whole(minor: number | undefined): number | undefined {
  return minor === undefined ? undefined : toWhole(minor);
}

/** The first row has the names of the columns, as members of the API have them. Amounts are in whole units with hundredths. */
export function toFileRows(
  deals: readonly Deal[],
): readonly (readonly (string | number | undefined)[])[] {
  const euros = (minor: number | undefined) => (minor === undefined ? undefined : minor / 100);
  const day = (ms: number | undefined) =>
    ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 10);
  const columns = [
    ...["listing_id", "state", "reason", "brand", "reference", "model", "year", "condition"],
    ...["dealer", "asked", "asked_currency", "offer", "offer_currency"],
    ...["paid", "paid_currency", "paid_day", "sold", "sold_currency", "sold_day"],
    ...["cost_eur", "predicted_profit_eur", "realised_profit_eur", "assignee", "decided_by"],
    ...["decided_day", "note"],
  ];
  const rows = deals.map((deal) => {
    const { watch, asked, offer, paid, sold } = deal;
    return [
      ...[deal.listing_id, deal.state, deal.reason],
      ...[watch.brand, watch.reference, watch.model, watch.year, watch.condition],
      ...[watch.display_name, euros(asked?.amount_minor), asked?.currency],
      ...[euros(offer?.amount_minor), offer?.currency],
      ...[euros(paid?.amount_minor), paid?.currency, day(paid?.at_ms)],
      ...[euros(sold?.amount_minor), sold?.currency, day(sold?.at_ms)],
      ...[euros(deal.cost_eur_minor), euros(deal.predicted_profit_eur_minor)],
      ...[euros(deal.realised_profit_eur_minor), deal.assignee_name, deal.updated_by],
      ...[day(deal.updated_at_ms), deal.note],
    ];
  });
  return [columns, ...rows];
}
