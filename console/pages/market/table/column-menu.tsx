import { Menu } from "../../../parts/menu.tsx";
import { marketWords } from "../../../words/market.ts";
import { changeMarket, market } from "../market-state.ts";
import { COLUMN_IDS, type ColumnId, DEFAULT_COLUMNS } from "./column-ids.ts";

/** Which columns are shown; kept for the next visit. */
export function ColumnMenu() {
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
