import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { toAlertPath } from "../../filters/alert-path.ts";
import { Menu } from "../../parts/menu.tsx";
import { navigate } from "../../router.ts";
import { useCommands } from "../../state/commands.ts";
import { canWrite } from "../../state/session.ts";
import { marketWords } from "../../words/market.ts";
import { CopyDialog } from "./actions/copy-dialog.tsx";
import { exportListings } from "./actions/export-listings.ts";
import { ViewMenu } from "./actions/view-menu.tsx";
import { WhyNotDialog } from "./actions/why-not-dialog.tsx";
import { changeMarket, market, SORTS, sortOf } from "./market-state.ts";
import { ColumnMenu } from "./table/column-menu.tsx";

type OpenDialog = "copy" | "why_not";

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
