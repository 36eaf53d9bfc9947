/** What the list shows: tabs, unseen or all, one alert, columns, and what is new. */
import { computed } from "@preact/signals";
import { api } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { Segments } from "../../parts/choice.tsx";
import { Menu } from "../../parts/menu.tsx";
import { setQuery } from "../../router.ts";
import { useLoad } from "../../state/load.ts";
import { isCompact, isText, stored } from "../../state/preferences.ts";
import { waitingMarkCount } from "../../state/title.ts";
import { buysWords } from "../../words/buys.ts";
import { formatCount } from "../../words/formats.ts";
import { words } from "../../words/words.ts";
import {
  type BuyFilter,
  COLUMN_IDS,
  type ColumnId,
  defaultSort,
  rememberShown,
  writeBuyFilter,
} from "./buys-address.ts";
import type { Buys } from "./buys-state.ts";

/** The columns that the reader does not want, by id. */
const leftOut = stored("buys-columns-out", isText, "");
export const shownColumns = computed<readonly ColumnId[]>(() => {
  const out = leftOut.value.split(" ");
  return COLUMN_IDS.filter((id) => id === "watch" || !out.includes(id));
});

export function BuysBar({ buys }: { readonly buys: Buys }) {
  const { filter, freshIds } = buys;
  const freshCount = freshIds.value.size;
  const change = (next: Partial<BuyFilter>): void =>
    setQuery(writeBuyFilter({ ...filter, ...next }));
  return (
    <>
      <Tabs buys={buys} />
      <Segments
        label={buysWords.show}
        options={[
          { id: "unseen", name: buysWords.unseen },
          { id: "all", name: buysWords.all },
        ]}
        chosen={filter.isAll ? "all" : "unseen"}
        onChoose={(id) => {
          rememberShown(id === "all");
          change({ isAll: id === "all" });
        }}
      />
      <AlertChoice alertId={filter.alertId} onChoose={(alertId) => change({ alertId })} />
      <span class="grow" />
      <span role="status" class="fresh">
        {freshCount === 0 ? null : (
          <Button isMain onPress={buys.renew}>
            {buysWords.fresh(freshCount)}
          </Button>
        )}
      </span>
      <ColumnMenu />
    </>
  );
}

/** Links, so that a tab can be opened elsewhere. */
function Tabs({ buys: { filter, figures } }: { readonly buys: Buys }) {
  const summary = figures.state.value.value?.summary;
  const waiting = filter.isAll ? 0 : waitingMarkCount.value;
  const counts =
    summary === undefined
      ? undefined
      : { buys: summary.buy_count, other: summary.match_count - summary.buy_count };
  return (
    <nav class="tabs" aria-label={buysWords.tabs}>
      {(["buys", "other"] as const).map((tab) => {
        const query = writeTab(filter, tab);
        const count = counts?.[tab];
        const isHere = filter.tab === tab;
        return (
          <a
            key={tab}
            href={query === "" ? "/" : `/?${query}`}
            aria-current={isHere ? "page" : undefined}
          >
            {buysWords.tabOf[tab]}{" "}
            {count === undefined ? null : (
              <span class="count">{formatCount(Math.max(0, count - (isHere ? waiting : 0)))}</span>
            )}
          </a>
        );
      })}
    </nav>
  );
}

function writeTab(filter: BuyFilter, tab: BuyFilter["tab"]): string {
  return writeBuyFilter({ ...filter, tab, sort: defaultSort(tab) }).toString();
}

function ColumnMenu() {
  const columns = shownColumns.value;
  const toggle = (id: ColumnId): void => {
    const next = COLUMN_IDS.filter((each) => columns.includes(each) === (each === id));
    leftOut.value = next.join(" ");
  };
  return (
    <Menu label={buysWords.columnsTitle} class="columns" isSticky>
      {COLUMN_IDS.filter((id) => id !== "watch").map((id) => (
        <label key={id} class="menu-entry">
          <input type="checkbox" checked={columns.includes(id)} onChange={() => toggle(id)} />
          {buysWords.columns[id]}
        </label>
      ))}
      <label class="menu-entry">
        <input
          type="checkbox"
          checked={isCompact.value}
          onChange={() => {
            isCompact.value = !isCompact.value;
          }}
        />
        {words.density.label}
      </label>
      <button
        type="button"
        class="menu-entry"
        onClick={() => {
          leftOut.value = "";
        }}
      >
        {buysWords.columnsReset}
      </button>
    </Menu>
  );
}

/** The alerts that people declared. Each price rule has one of its own; those are not listed. */
function AlertChoice(props: {
  readonly alertId: string | undefined;
  readonly onChoose: (alertId: string | undefined) => void;
}) {
  const load = useLoad([], (signal) => api.listAlerts({}, { signal }));
  const { value } = load.state.value;
  const alerts = (value?.items ?? []).filter(
    ({ id, is_system }) => !is_system || id === props.alertId,
  );
  const isDeleted = value !== undefined && !alerts.some(({ id }) => id === props.alertId);
  return (
    <select
      class={props.alertId === undefined ? "field" : "field is-on"}
      aria-label={buysWords.alert}
      value={props.alertId ?? ""}
      onChange={({ currentTarget: { value } }) => props.onChoose(value === "" ? undefined : value)}
    >
      <option value="">{buysWords.anyAlert}</option>
      {isDeleted && props.alertId !== undefined ? (
        <option value={props.alertId}>{buysWords.deletedAlert}</option>
      ) : null}
      {alerts.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
