import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { api, toFailure } from "../../api.ts";
import { describeMember, listParts } from "../../filters/clauses.ts";
import type { Filter } from "../../filters/filter.ts";
import { writeFilter } from "../../filters/filter-url.ts";
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
import type { Search } from "./market-rows.ts";
import {
  COLUMN_IDS,
  type ColumnId,
  changeMarket,
  DEFAULT_COLUMNS,
  market,
  SORTS,
  sortOf,
  toPath,
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
        id: "market-alert",
        title: marketWords.makeAlert,
        isWrite: true,
        run: () => navigate(toAlertPath(market.peek().filter)),
      },
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
  useCommands(actions);
  return (
    <div class="market-tools">
      <SortChoice />
      <ColumnMenu />
      <ViewMenu />
      <Menu label={marketWords.more}>
        {actions
          .filter(({ isWrite }) => isWrite !== true || canWrite.value)
          .map(({ id, title, run }) => (
            <button key={id} type="button" class="menu-entry" onClick={run}>
              {title}
            </button>
          ))}
      </Menu>
      {open.value === "copy" ? <CopyDialog onClose={close} /> : null}
      {open.value === "why_not" ? <WhyNotDialog onClose={close} /> : null}
    </div>
  );
}

/** The address of a new alert with this filter, and a name after what it asks for. */
function toAlertPath(filter: Filter): string {
  const name = listParts(filter)
    .map(({ text }) => text)
    .join(", ")
    .slice(0, NAME_MAX);
  return `/alerts/new?${writeFilter(filter, new URLSearchParams({ name }))}`;
}

/** Saves all rows of the search as a file. A file that breaks off is not saved: reading its stream then throws. */
async function exportListings({ filter, sort }: Search): Promise<void> {
  showToast(marketWords.exporting);
  try {
    const csv = await api.exportListings({ filters: filter, sort });
    const blob = await new Response(csv, { headers: { "content-type": "text/csv" } }).blob();
    saveFile(blob, FILE_NAME);
    showToast(marketWords.exported);
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
      onChange={(event) => changeMarket({ sort: sortOf(event.currentTarget.value) ?? "newest" })}
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
      {COLUMN_IDS.filter((id) => id !== "watch").map((id) => (
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
  const { filter, sort } = market.value;
  const named = Object.keys(filter).map((member) => describeMember(filter, member));
  const name = named.join(", ").slice(0, NAME_MAX) || words.pages.market;
  return (
    <Dialog label={marketWords.copyTitle} class="copy" onClose={onClose}>
      <h2>{marketWords.copyTitle}</h2>
      <CopyText label={marketWords.copyLink} text={`${location.origin}${toPath(market.value)}`} />
      <CopyText label={marketWords.copyYaml} text={toYaml({ name, filter, sort })} />
      <CopyText label={marketWords.copyCurl} text={toCurl({ filter, sort }, location.origin)} />
      <Button onPress={onClose}>{words.keys.close}</Button>
    </Dialog>
  );
}
