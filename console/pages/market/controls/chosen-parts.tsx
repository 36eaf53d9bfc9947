import { listParts } from "../../../filters/clauses.ts";
import { marketWords } from "../../../words/market.ts";
import { changeFilter, market } from "../market-state.ts";

/** What is chosen, each part removable. */
export function ChosenParts() {
  const parts = listParts(market.value.filter);
  if (parts.length === 0) return null;
  return (
    <ul class="chosen" aria-label={marketWords.chosen}>
      {parts.map(({ id, label, text, rest }) => (
        <li key={id}>
          <button type="button" class="chip" onClick={() => changeFilter(rest)}>
            <span class="sr">{marketWords.remove} </span>
            <span class="faint">{label}</span> <bdi>{text}</bdi>
            <span aria-hidden="true">×</span>
          </button>
        </li>
      ))}
      <li>
        <button type="button" class="quiet" onClick={() => changeFilter({})}>
          {marketWords.clear}
        </button>
      </li>
    </ul>
  );
}
