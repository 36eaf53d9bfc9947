import { useRef } from "preact/hooks";
import { useAfterMatches } from "../../live/changes.ts";
import { PageHeading, ScrollArea } from "../../parts/layout.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import type { Parameters } from "../../paths.ts";
import { query, setQuery } from "../../router.ts";
import { useLoad } from "../../state/load.ts";
import { canWrite } from "../../state/session.ts";
import { alertsWords } from "../../words/alerts.ts";
import { words } from "../../words/words.ts";
import { AlertPage } from "../alert/alert-page.tsx";
import { readTargets } from "../alert/send-to.tsx";
import { targetPath } from "../settings/targets/target-draft.ts";
import { AlertList, useAlertsKeys } from "./alert-list.tsx";
import { type AlertRow, keepOrder, readAlertRows } from "./alert-rows.tsx";

const TABS = ["own", "prices"] as const;
type AlertTab = (typeof TABS)[number];

const TITLES: Readonly<Record<AlertTab, string>> = {
  own: alertsWords.own,
  prices: alertsWords.ofPrices,
};

/** All alerts, or the one that the address names. They are one chunk, because they have most of their code in common. */
export function AlertsPage({ parameters }: { readonly parameters: Parameters }) {
  const id = parameters["alert_id"];
  return id === undefined ? <AllAlerts /> : <AlertPage id={id} />;
}

/** All alerts with their matches, where each is sent, and mute. */
function AllAlerts() {
  const tab = shownTab(query.value);
  const load = useLoad([], readAlertRows);
  useAfterMatches(load.reload);
  const rows = load.state.value.value;
  return (
    <ScrollArea name={`alerts-${tab}`} label={words.pages.alerts} class="alerts">
      <div class="alerts-content">
        <PageHeading title={words.pages.alerts} isHidden />
        <AlertTabs tab={tab} rows={rows} />
        <Alerts load={load} isOwn={tab === "own"} />
      </div>
    </ScrollArea>
  );
}

function shownTab(query: URLSearchParams): AlertTab {
  return TABS.find((tab) => tab === query.get("show")) ?? "own";
}

/** The parts of the page, as links: each has an address. */
function AlertTabs(props: {
  readonly tab: AlertTab;
  readonly rows: readonly AlertRow[] | undefined;
}) {
  const { tab, rows } = props;
  const systemCount = rows?.filter(({ alert }) => alert.is_system).length;
  const countOf = (each: AlertTab): number | undefined => {
    if (rows === undefined || systemCount === undefined) return undefined;
    return each === "own" ? rows.length - systemCount : systemCount;
  };
  return (
    <nav class="tabs" aria-label={alertsWords.tabs}>
      {TABS.map((each) => (
        <a
          key={each}
          href={each === "own" ? "/alerts" : `/alerts?show=${each}`}
          aria-current={each === tab ? "page" : undefined}
        >
          {TITLES[each]} <span class="faint">{countOf(each)}</span>
        </a>
      ))}
      {canWrite.value ? (
        <a class="tab-apart" href={targetPath()}>
          {alertsWords.targets}
        </a>
      ) : null}
    </nav>
  );
}

function Alerts(props: {
  readonly load: ReturnType<typeof useLoad<readonly AlertRow[]>>;
  readonly isOwn: boolean;
}) {
  const { load, isOwn } = props;
  // Who only looks does not learn where matches are sent.
  const targets = useLoad([canWrite.value], async (signal) =>
    canWrite.value ? readTargets(signal) : undefined,
  );
  const places = useRef(new Map<string, number>());
  const text = query.value.get("find") ?? "";
  const find = (wanted: string): void => {
    const next = new URLSearchParams(query.value);
    if (wanted === "") next.delete("find");
    else next.set("find", wanted);
    setQuery(next);
  };
  useAlertsKeys();
  const isShown = ({ alert }: AlertRow): boolean => alert.is_system !== isOwn;
  return (
    <>
      {load.state.value.value?.some(isShown) === true ? (
        <div class="alerts-bar">
          <input
            type="search"
            class="field"
            aria-label={alertsWords.find}
            placeholder={alertsWords.find}
            value={text}
            onInput={(event) => find(event.currentTarget.value)}
          />
          {canWrite.value ? (
            <a class="button main" href="/alerts/new">
              {alertsWords.create}
            </a>
          ) : null}
        </div>
      ) : null}
      <WhenLoaded load={load}>
        {(rows) => (
          <AlertList
            load={load}
            rows={keepOrder(rows, places.current).filter(isShown)}
            isOwn={isOwn}
            targets={targets.state.value.value}
            text={text}
            onClear={() => find("")}
          />
        )}
      </WhenLoaded>
    </>
  );
}
