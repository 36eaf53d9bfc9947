import { controlWords } from "../../words/filter-controls.ts";
import { listParts } from "../clauses.ts";
import { useEditedFilter } from "./edited-filter.ts";

/** What is chosen, each part removable. */
export function ChosenParts() {
  const { filter, change } = useEditedFilter();
  const parts = listParts(filter);
  if (parts.length === 0) return null;
  return (
    <ul class="chosen" aria-label={controlWords.chosen}>
      {parts.map(({ id, label, text, rest }) => (
        <li key={id}>
          <button type="button" class="chip" onClick={() => change(rest)}>
            <span class="sr">{controlWords.remove} </span>
            <span class="faint">{label}</span> <bdi>{text}</bdi>
            <span aria-hidden="true">×</span>
          </button>
        </li>
      ))}
      <li>
        <button type="button" class="quiet" onClick={() => change({})}>
          {controlWords.clear}
        </button>
      </li>
    </ul>
  );
}
