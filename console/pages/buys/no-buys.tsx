import { api } from "../../api.ts";
import { Empty } from "../../parts/states.tsx";
import { useLoad } from "../../state/load.ts";
import { buysWords } from "../../words/buys.ts";
import type { BuyFilter } from "./buys-state.ts";

/** An empty list: nothing new, nothing that fits, or nothing ever. It says what to do. */
export function NoBuys({ filter }: { readonly filter: BuyFilter }) {
  if (filter.isBuysOnly || filter.alertId !== undefined) {
    return (
      <Empty title={buysWords.noneFits}>
        <EveryAlert filter={filter} />
      </Empty>
    );
  }
  if (filter.isAll) {
    return (
      <Empty title={buysWords.never}>
        <FirstSteps hint={buysWords.noneHint} />
      </Empty>
    );
  }
  return (
    <Empty title={buysWords.none}>
      <FirstSteps hint={buysWords.noneHint} />
      <a class="button" href="/?show=all">
        {buysWords.showAll}
      </a>
    </Empty>
  );
}

/** The address names an alert that is not there any more. */
export function NoAlert({ filter }: { readonly filter: BuyFilter }) {
  return (
    <Empty title={buysWords.noAlert}>
      <EveryAlert filter={filter} />
    </Empty>
  );
}

function EveryAlert({ filter }: { readonly filter: BuyFilter }) {
  return (
    <a class="button" href={filter.isAll ? "/?show=all" : "/"}>
      {buysWords.clearFilter}
    </a>
  );
}

/** Where something is missing that every buy needs, the first steps come first. */
function FirstSteps({ hint }: { readonly hint: string }) {
  const load = useLoad([], async (signal) => {
    const [sessions, alerts] = await Promise.all([
      api.listSessions({}, { signal }),
      api.listAlerts({}, { signal }),
    ]);
    return sessions.items.length > 0 && alerts.items.length > 0;
  });
  if (load.state.value.value !== false) return <p class="soft">{hint}</p>;
  return (
    <>
      <p class="soft">{buysWords.notSetUp}</p>
      <a class="button main" href="/start">
        {buysWords.toStart}
      </a>
    </>
  );
}
