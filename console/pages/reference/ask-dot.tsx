import { computed, type ReadonlySignal, type Signal, useComputed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { PopulationAsk } from "../../../client/assay-client.ts";
import { formatAge } from "../../parts/format-age.ts";
import { formatAmount } from "../../parts/format-amount.ts";
import { navigate } from "../../router.ts";
import { isPresenting } from "../../state/preferences.ts";
import { referenceWords } from "../../words/reference.ts";
import type { PlacedAsk } from "./chart-layout.ts";

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
      class={`dot is-${role} ${isShown ? "is-shown" : ""}`}
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
      <circle class="dot-ring" cx={x} cy={y} r={9} />
      <AskMark role={role} x={x} y={y} beyond={placed.beyond} />
    </a>
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
