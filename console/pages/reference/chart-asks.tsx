/** The asks of a cell in its chart: the dot of each, its shape, and what the one that is looked at is. */
import { computed, type ReadonlySignal, type Signal, useComputed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { CellPopulation, PopulationAsk } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Age, Amount } from "../../parts/figures.tsx";
import { Tag } from "../../parts/table.tsx";
import { DealerCountry, DealerLink } from "../../parts/watch.tsx";
import { navigate, query } from "../../router.ts";
import { useLoad } from "../../state/load.ts";
import { isPresenting } from "../../state/preferences.ts";
import { formatAge, formatAmount } from "../../words/formats.ts";
import { referenceWords } from "../../words/reference.ts";
import { watchWords } from "../../words/watch.ts";
import type { PlacedAsk } from "./chart-layout.ts";

/** Long enough for a pointer that passes by. */
const SETTLE_MS = 200;

/** One ask: a link to its listing whose shape says why it counts. A finger first shows what it is; the line below has the link. */
export function AskDot(props: {
  readonly placed: PlacedAsk;
  readonly nowMs: number;
  readonly shownId: Signal<string | undefined>;
  /** Of the one dot that the Tab key leads to. */
  readonly entryId: ReadonlySignal<string | undefined>;
}) {
  const { placed, shownId, entryId } = props;
  const { ask, x, y } = placed;
  const { listing_id: id, role } = ask;
  const isBuy = isBuyNow(ask);
  const isOwn = query.value.get("ask") === id;
  const isShown = useComputed(() => shownId.value === id).value;
  const isEntry = useMemo(() => computed(() => entryId.value === id), [entryId, id]).value;
  const show = (): void => {
    shownId.value = id;
  };
  const onClick = (event: MouseEvent): void => {
    const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!isPlain) return;
    event.preventDefault();
    const isFinger = event instanceof PointerEvent && event.pointerType === "touch";
    if (isFinger) show();
    else navigate(`/listings/${id}`);
  };
  return (
    <a
      class={`dot is-${role} ${isShown ? "is-shown" : ""} ${isBuy ? "is-buy" : ""} ${isOwn ? "is-own" : ""}`}
      href={`/listings/${id}`}
      data-ask={id}
      data-role={role}
      tabIndex={isEntry ? 0 : -1}
      aria-label={labelOf(ask, props.nowMs)}
      onFocus={show}
      onPointerEnter={show}
      onClick={onClick}
    >
      <circle class="dot-target" cx={x} cy={y} r={10} />
      <Markup placed={placed} />
      {isBuy ? <circle class="dot-buy" cx={x} cy={y} r={7} /> : null}
      <circle class="dot-ring" cx={x} cy={y} r={9} />
      <AskMark role={role} x={x} y={y} beyond={placed.beyond} />
    </a>
  );
}

/** By the price of this cell, seen within its look-back, and still on offer. */
function isBuyNow({ is_buy, role, offer_state }: PopulationAsk): boolean {
  return is_buy && role !== "aged_out" && offer_state !== "replaced" && offer_state !== "gone";
}

/** The shape of a role; also in the legend. */
export function AskMark(props: {
  readonly role: PopulationAsk["role"];
  readonly x: number;
  readonly y: number;
  readonly beyond?: PlacedAsk["beyond"];
}) {
  const { role, x, y, beyond } = props;
  if (beyond !== undefined) {
    const tip = beyond === "above" ? -5 : 5;
    return <path class="dot-mark" d={`M${x} ${y + tip}L${x + 5} ${y - tip}H${x - 5}Z`} />;
  }
  switch (role) {
    case "outlier":
      return (
        <path
          class="dot-mark"
          d={`M${x - 4} ${y - 4}L${x + 4} ${y + 4}M${x - 4} ${y + 4}L${x + 4} ${y - 4}`}
        />
      );
    case "suspect":
      return (
        <path
          class="dot-mark"
          d={`M${x} ${y - 5.5}L${x + 5.5} ${y}L${x} ${y + 5.5}L${x - 5.5} ${y}Z`}
        />
      );
    default:
      return <circle class="dot-mark" cx={x} cy={y} r={role === "aged_out" ? 3.5 : 4} />;
  }
}

/** What the dot that was looked at last is. It keeps its place below the chart, so nothing jumps. */
export function AskReadout(props: {
  readonly population: CellPopulation;
  readonly shownId: Signal<string | undefined>;
}) {
  const { population, shownId } = props;
  const ask = population.items.find(({ listing_id }) => listing_id === shownId.value);
  return (
    <div class="readout">
      {ask === undefined ? (
        <p class="soft">{referenceWords.askHint}</p>
      ) : (
        <Ask ask={ask} population={population} />
      )}
    </div>
  );
}

function labelOf(ask: PopulationAsk, nowMs: number): string {
  const amount = (minor: number): string => formatAmount({ minor, currency: "EUR" });
  const hasMarkup = ask.original_ask_eur_minor !== ask.comparable_ask_eur_minor;
  return referenceWords.askLabel({
    price: amount(ask.original_ask_eur_minor),
    isHongKong: ask.source_market === "HK",
    comparable: hasMarkup && !isPresenting.value ? amount(ask.comparable_ask_eur_minor) : undefined,
    age: formatAge(nowMs - ask.last_seen_at_ms),
    role: ask.role,
    isBuy: isBuyNow(ask),
  });
}

/** An arrow from what is asked in Hong Kong to what that is in the EU. */
function Markup({ placed: { x, y, originalY } }: { readonly placed: PlacedAsk }) {
  if (originalY === undefined || originalY - y < 6) return null;
  const head = y + 5;
  return (
    <g class="dot-markup">
      <path
        d={`M${x} ${originalY}V${head}M${x - 3} ${head + 4}L${x} ${head}L${x + 3} ${head + 4}`}
      />
      <path d={`M${x - 2.5} ${originalY}H${x + 2.5}`} />
    </g>
  );
}

function Ask(props: { readonly ask: PopulationAsk; readonly population: CellPopulation }) {
  const { ask, population } = props;
  const isHongKong = ask.source_market === "HK";
  const markup = ask.comparable_ask_eur_minor - ask.original_ask_eur_minor;
  return (
    <>
      <div class="readout-line">
        <svg class={`dot is-${ask.role}`} width="12" height="12" aria-hidden="true">
          <AskMark role={ask.role} x={6} y={6} />
        </svg>
        <b>
          <Amount minor={ask.original_ask_eur_minor} currency="EUR" kind="price" />
        </b>
        {isHongKong ? (
          <span class="soft">
            {referenceWords.inHongKong} + {referenceWords.markup}{" "}
            <Amount minor={markup} currency="EUR" kind="threshold" /> = {referenceWords.comparable}{" "}
            <Amount minor={ask.comparable_ask_eur_minor} currency="EUR" kind="threshold" />
          </span>
        ) : null}
        {isBuyNow(ask) ? <Tag tone="good">{watchWords.buy}</Tag> : null}
        {query.value.get("ask") === ask.listing_id ? <Tag>{referenceWords.legend.own}</Tag> : null}
        <a href={`/listings/${ask.listing_id}`}>{referenceWords.open}</a>
      </div>
      <div class="sub facts">
        <span>
          <b>{referenceWords.role(ask.role)}</b>: {referenceWords.reason(ask.role)}{" "}
          {ask.role === "outlier" ? <Fences population={population} /> : null}
        </span>
        <Age atMs={ask.last_seen_at_ms} />
        <Dealer key={ask.listing_id} id={ask.listing_id} />
      </div>
    </>
  );
}

function Fences({ population }: { readonly population: CellPopulation }) {
  const { lower_fence_eur_minor, upper_fence_eur_minor } = population;
  if (lower_fence_eur_minor === undefined) return null;
  return (
    <>
      {referenceWords.fences}{" "}
      <Amount minor={lower_fence_eur_minor} currency="EUR" kind="threshold" />{" "}
      {referenceWords.fencesTo}{" "}
      <Amount minor={upper_fence_eur_minor} currency="EUR" kind="threshold" />.
    </>
  );
}

/** The price engine does not know names, so the listing is read, once the reader stays. */
function Dealer({ id }: { readonly id: string }) {
  const load = useLoad([id], async (signal) => {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    signal.throwIfAborted();
    return api.getListing({ listing_id: id }, { signal });
  });
  const sender = load.state.value.value?.sender;
  if (sender === undefined) return null;
  return (
    <>
      <DealerLink sender={sender} />
      <DealerCountry callingCode={sender.country_prefix} isLong />
    </>
  );
}
