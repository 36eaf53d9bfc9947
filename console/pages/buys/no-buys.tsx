import { api } from "../../api.ts";
import { Empty } from "../../parts/states.tsx";
import { useLoad } from "../../state/load.ts";
import { buysWords } from "../../words/buys.ts";
import { formatRecent } from "../../words/formats.ts";
import { type BuyFilter, writeBuyFilter } from "./buys-address.ts";
import type { Buys } from "./buys-state.ts";

/** An empty list: nothing new, nothing unseen, nothing that fits, or nothing ever. It says what to do. */
export function NoBuys({ buys: { filter, sinceMs } }: { readonly buys: Buys }) {
  if (sinceMs !== undefined) {
    return (
      <Empty title={buysWords.noneSince(formatRecent(sinceMs))}>
        <FirstSteps hint={buysWords.noneHint} />
        <Change filter={{ ...filter, isSinceLooked: false }} text={buysWords.showEarlier} isMain />
      </Empty>
    );
  }
  if (filter.alertId !== undefined) {
    return (
      <Empty title={buysWords.noneFits}>
        <Change filter={{ ...filter, alertId: undefined }} text={buysWords.clearFilter} />
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
    <Empty title={filter.tab === "buys" ? buysWords.none : buysWords.noneOther}>
      <FirstSteps hint={buysWords.noneHint} />
      <Change filter={{ ...filter, isAll: true }} text={buysWords.showAll} />
    </Empty>
  );
}

/** The address names an alert that is not there any more. */
export function NoAlert({ filter }: { readonly filter: BuyFilter }) {
  return (
    <Empty title={buysWords.noAlert}>
      <Change filter={{ ...filter, alertId: undefined }} text={buysWords.clearFilter} />
    </Empty>
  );
}

/** Another choice, as a link. It says whether all are shown, because what is remembered may differ. */
function Change(props: {
  readonly filter: BuyFilter;
  readonly text: string;
  readonly isMain?: boolean;
}) {
  const query = writeBuyFilter(props.filter);
  return (
    <a class={props.isMain === true ? "button main" : "button"} href={`/?${query}`}>
      {props.text}
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
