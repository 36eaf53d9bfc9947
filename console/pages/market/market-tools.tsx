import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { api, toFailure } from "../../api.ts";
import { describeMember, listParts } from "../../filters/clauses.ts";
import { without } from "../../filters/filter.ts";
import { writeFilter } from "../../filters/filter-url.ts";
import { AmountInput } from "../../parts/amount-field.tsx";
import { Button } from "../../parts/button.tsx";
import { CopyText, saveFile } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Menu } from "../../parts/menu.tsx";
import { navigate } from "../../router.ts";
import { useCommands } from "../../state/commands.ts";
import { canWrite } from "../../state/session.ts";
import { showToast } from "../../state/toasts.ts";
import { marketWords } from "../../words/market.ts";
import { words } from "../../words/words.ts";
import { toRequest } from "./market-rows.ts";
import {
  CHOOSABLE_COLUMNS,
  COLUMN_IDS,
  type ColumnId,
  changeMarket,
  changeSort,
  DEFAULT_COLUMNS,
  hasMinimum,
  isRanked,
  type MarketState,
  type Minimum,
  market,
  SORTS,
  sideOf,
  sortOf,
  toLasting,
  toPath,
  toSidePath,
} from "./market-state.ts";
import { toCurl, toYaml } from "./search-texts.ts";
import { ViewMenu } from "./view-menu.tsx";
import { WhyNotDialog } from "./why-not-dialog.tsx";

type OpenDialog = "copy" | "why_not";

const NAME_MAX = 80;
const FILE_NAME = "listings.csv";

/** What one does with a search: order, columns, views, and the actions, which the palette has too. */
export function MarketTools() {
  const open = useSignal<OpenDialog | undefined>(undefined);
  const close = (): void => {
    open.value = undefined;
  };
  const actions = useMemo(() => {
    const show = (dialog: OpenDialog) => () => {
      open.value = dialog;
    };
    return [
      {
        id: "market-export",
        title: marketWords.exportCsv,
        run: () => {
          exportListings(market.peek()).catch(reportError);
        },
      },
      { id: "market-copy", title: marketWords.copyAs, run: show("copy") },
      { id: "market-why-not", title: marketWords.whyNot, run: show("why_not") },
    ];
  }, [open]);
  useCommands(
    useMemo(
      () => [
        {
          id: "market-alert",
          title: marketWords.makeAlert,
          isWrite: true,
          run: () => {
            tellAlertMinimum(market.peek());
            navigate(toAlertPath(market.peek()));
          },
        },
        ...actions,
      ],
      [actions],
    ),
  );
  return (
    <div class="market-tools">
      <SortChoice />
      <ColumnMenu />
      <ViewMenu />
      <Menu label={marketWords.more}>
        {actions.map(({ id, title, run }) => (
          <button key={id} type="button" class="menu-entry" onClick={run}>
            {title}
          </button>
        ))}
      </Menu>
      {canWrite.value ? (
        <a
          class="button make-alert"
          href={toAlertPath(market.value)}
          onClick={() => tellAlertMinimum(market.peek())}
        >
          {marketWords.makeAlert}
        </a>
      ) : null}
      {open.value === "copy" ? <CopyDialog onClose={close} /> : null}
      {open.value === "why_not" ? <WhyNotDialog onClose={close} /> : null}
    </div>
  );
}

/** What is for sale, or what is wanted. Links, so that each can be opened elsewhere. */
export function SideTabs() {
  const side = sideOf(market.value.filter);
  return (
    <nav class="tabs" aria-label={marketWords.sides}>
      {(["for_sale", "want_to_buy"] as const).map((each) => (
        <a key={each} href={toSidePath(each)} aria-current={each === side ? "page" : undefined}>
          {marketWords.sideOf[each]}
        </a>
      ))}
    </nav>
  );
}

/** How far below its market an ask has to be. Both hold together, and the best comes first. */
export function BelowFields() {
  const { minimum, sort } = market.value;
  const change = (name: keyof Minimum, value: number | undefined): void => {
    const { [name]: _, ...rest } = minimum;
    const next = value === undefined || !(value > 0) ? rest : { ...rest, [name]: value };
    const isFirst = !hasMinimum(minimum) && !isRanked(sort);
    const best = name === "percent" ? "profit_bps" : "profit";
    changeMarket({ minimum: next, sort: isFirst ? best : sort });
  };
  const { euros, percent } = minimum;
  return (
    <div class="facet">
      <div class="below-title">{marketWords.minimumTitle}</div>
      <div class="range">
        <AmountInput
          amount={
            euros === undefined
              ? undefined
              : { amount_minor: Math.round(euros * 100), currency: "EUR" }
          }
          kind="other"
          currency="EUR"
          isFixed
          label={marketWords.minimumEuros}
          placeholder="€"
          onAmount={(read) => change("euros", read && read.amount_minor / 100)}
        />
        <span aria-hidden="true">·</span>
        <input
          class="field"
          inputMode="decimal"
          aria-label={marketWords.minimumPercent}
          placeholder="%"
          value={percent ?? ""}
          onChange={({ currentTarget: { value } }) =>
            change("percent", value.trim() === "" ? undefined : Number(value.replace(",", ".")))
          }
        />
      </div>
    </div>
  );
}

/**
 * The address of a new alert with this filter, and a name after what it asks for. An alert is about what comes, so it has no time;
 * with a least distance from the market it is one about buys.
 */
function toAlertPath({ filter, minimum, chips }: MarketState): string {
  const lasting = toLasting(filter);
  const typed = chips.filter(({ member }) => member !== "side");
  const rest = without(lasting, ["side", ...typed.map(({ member }) => member)]);
  const name = [...typed.map(({ label }) => label), ...listParts(rest).map(({ text }) => text)]
    .join(", ")
    .slice(0, NAME_MAX);
  const strategy = hasMinimum(minimum) ? { strategy: "price_engine" } : {};
  return `/alerts/new?${writeFilter(lasting, new URLSearchParams({ name, ...strategy }))}`;
}

function tellAlertMinimum({ minimum }: MarketState): void {
  if (hasMinimum(minimum)) showToast(marketWords.minimumNotAlerted(marketWords.minimum(minimum)));
}

/**
 * Saves all rows of the filter as a file; the service's file knows no least distance from the market. A file that breaks off is not saved:
 * reading its stream then throws.
 */
async function exportListings({ filter, sort, minimum }: MarketState): Promise<void> {
  showToast(marketWords.exporting);
  try {
    const order = sort === "profit" || sort === "profit_bps" ? "newest" : sort;
    const csv = await api.exportListings({ filters: filter, sort: order });
    const blob = await new Response(csv, { headers: { "content-type": "text/csv" } }).blob();
    saveFile(blob, FILE_NAME);
    const isAll = hasMinimum(minimum);
    showToast(isAll ? marketWords.exportedAll(marketWords.minimum(minimum)) : marketWords.exported);
  } catch (error) {
    showToast(toFailure(error).message, { isBad: true });
  }
}

function SortChoice() {
  const { sort } = market.value;
  return (
    <select
      class="field"
      aria-label={marketWords.sort}
      value={sort}
      onChange={(event) => changeSort(sortOf(event.currentTarget.value) ?? "newest")}
    >
      {SORTS.map((each) => (
        <option key={each} value={each}>
          {marketWords.sorts[each]}
        </option>
      ))}
    </select>
  );
}

/** Which columns are shown; kept for the next visit. */
function ColumnMenu() {
  const { columns } = market.value;
  const toggle = (id: ColumnId): void => {
    const next = COLUMN_IDS.filter((each) => columns.includes(each) !== (each === id));
    if (next.length > 1) changeMarket({ columns: next }, { isReplacing: true });
  };
  return (
    <Menu label={marketWords.columnsTitle} class="columns" isSticky>
      {CHOOSABLE_COLUMNS.map((id) => (
        <label key={id} class="menu-entry">
          <input type="checkbox" checked={columns.includes(id)} onChange={() => toggle(id)} />
          {marketWords.columns[id]}
        </label>
      ))}
      <button
        type="button"
        class="menu-entry"
        onClick={() => changeMarket({ columns: DEFAULT_COLUMNS }, { isReplacing: true })}
      >
        {marketWords.columnsReset}
      </button>
    </Menu>
  );
}

/** The current search as a link, as a view of a manifest, and as a request. */
function CopyDialog({ onClose }: { readonly onClose: () => void }) {
  const { filter, sort, minimum } = market.value;
  const named = Object.keys(filter).map((member) => describeMember(filter, member));
  const name = named.join(", ").slice(0, NAME_MAX) || words.pages.market;
  return (
    <Dialog label={marketWords.copyTitle} class="copy" onClose={onClose}>
      <h2>{marketWords.copyTitle}</h2>
      <CopyText label={marketWords.copyLink} text={`${location.origin}${toPath(market.value)}`} />
      <CopyText label={marketWords.copyYaml} text={toYaml({ name, filter, sort })} />
      <CopyText
        label={marketWords.copyCurl}
        text={toCurl(toRequest({ filter, sort, minimum }), location.origin)}
      />
      <Button onPress={onClose}>{words.keys.close}</Button>
    </Dialog>
  );
}
