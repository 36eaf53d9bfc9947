import { alertsWords } from "../../words/alerts.ts";
import type { AlertRow } from "./alert-rows.ts";

const TABS = ["own", "prices", "targets"] as const;
export type AlertTab = (typeof TABS)[number];

const TITLES: Readonly<Record<AlertTab, string>> = {
  own: alertsWords.own,
  prices: alertsWords.ofPrices,
  targets: alertsWords.targets,
};

export function shownTab(query: URLSearchParams): AlertTab {
  return TABS.find((tab) => tab === query.get("show")) ?? "own";
}

/** The parts of the page, as links: each has an address. */
export function AlertTabs(props: {
  readonly tab: AlertTab;
  readonly rows: readonly AlertRow[] | undefined;
}) {
  const { tab, rows } = props;
  const systemCount = rows?.filter(({ alert }) => alert.is_system).length;
  const countOf = (each: AlertTab): number | undefined => {
    if (rows === undefined || systemCount === undefined || each === "targets") return undefined;
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
    </nav>
  );
}
