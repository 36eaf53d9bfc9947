import { api } from "../../api.ts";
import { Empty } from "../../parts/empty.tsx";
import { useLoad } from "../../state/load.ts";
import { buysWords } from "../../words/buys.ts";
import type { BuyFilter } from "./buy-filter.ts";

/** An empty list: nothing new, nothing that fits, or nothing ever. It says what to do. */
export function NoBuys({ filter }: { readonly filter: BuyFilter }) {
  if (filter.isBuysOnly || filter.alertId !== undefined) {
    return (
      <Empty title={buysWords.noneFits}>
        <EveryAlert filter={filter} />
      </Empty>
    );
  }
  if (filter.isAll) return <FirstRun />;
  return (
    <Empty title={buysWords.none}>
      <p class="soft">{buysWords.noneHint}</p>
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

/** Nothing has ever matched: what is missing comes first. */
function FirstRun() {
  const load = useLoad([], async (signal) => {
    const [sessions, alerts] = await Promise.all([
      api.listSessions({}, { signal }),
      api.listAlerts({}, { signal }),
    ]);
    return { hasPhone: sessions.items.length > 0, hasAlert: alerts.items.length > 0 };
  });
  const { hasPhone = true, hasAlert = true } = load.state.value.value ?? {};
  return (
    <Empty title={buysWords.never}>
      <ol class="steps">
        {hasPhone ? null : (
          <li>
            {buysWords.connect} <code>{`${location.origin}/v2/webhooks/waha`}</code>
          </li>
        )}
        {hasAlert ? null : (
          <li>
            {buysWords.declare} <a href="/market">{buysWords.toMarket}</a>
          </li>
        )}
        <li>{buysWords.noneHint}</li>
      </ol>
    </Empty>
  );
}
