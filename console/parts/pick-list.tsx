import { useId } from "preact/hooks";
import { words } from "../words/words.ts";

export interface Choice {
  readonly id: string;
  readonly name: string;
}

/** Some of many things: those that are chosen, a field that finds others, and what it found. */
export function PickList(props: {
  /** Such as `Find an alert`. */
  readonly findLabel: string;
  readonly chosen: readonly Choice[];
  /** Undefined while they are read. */
  readonly found: readonly Choice[] | undefined;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onToggle: (id: string) => void;
}) {
  const { chosen, found, findLabel } = props;
  const id = useId();
  return (
    <div class="pick">
      {chosen.length === 0 ? null : (
        <ul class="pick-chosen">
          {chosen.map((choice) => (
            <li key={choice.id}>
              <button type="button" class="chip" onClick={() => props.onToggle(choice.id)}>
                <span class="sr">{words.pick.remove} </span>
                <bdi>{choice.name}</bdi>
                <span aria-hidden="true">×</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        type="search"
        class="field"
        aria-label={findLabel}
        placeholder={findLabel}
        value={props.text}
        onInput={(event) => props.onText(event.currentTarget.value)}
      />
      {found?.length === 0 ? <p class="sub">{words.pick.none}</p> : null}
      <ul class="pick-found">
        {(found ?? []).map((choice) => (
          <li key={choice.id}>
            <input
              id={`${id} ${choice.id}`}
              type="checkbox"
              checked={chosen.some((each) => each.id === choice.id)}
              onChange={() => props.onToggle(choice.id)}
            />
            <label for={`${id} ${choice.id}`}>
              <bdi>{choice.name}</bdi>
            </label>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function toggle(ids: readonly string[], id: string): readonly string[] {
  return ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id];
}
