import type { Signal } from "@preact/signals";
import type { CellPopulation, PopulationAsk } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Age } from "../../parts/age.tsx";
import { Amount } from "../../parts/amount.tsx";
import { DealerCountry } from "../../parts/dealer-country.tsx";
import { DealerName } from "../../parts/dealer-name.tsx";
import { useLoad } from "../../state/load.ts";
import { referenceWords } from "../../words/reference.ts";
import { AskMark } from "./ask-dot.tsx";

/** Long enough for a pointer that passes by. */
const SETTLE_MS = 200;

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
            {referenceWords.mostHongKong} + {referenceWords.markup}{" "}
            <Amount minor={markup} currency="EUR" kind="threshold" /> = {referenceWords.comparable}{" "}
            <Amount minor={ask.comparable_ask_eur_minor} currency="EUR" kind="threshold" />
          </span>
        ) : null}
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
      <DealerName sender={sender} />
      <DealerCountry callingCode={sender.country_prefix} isLong />
    </>
  );
}
