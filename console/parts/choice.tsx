import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { words } from "../words/words.ts";

export interface Choice {
  readonly id: string;
  readonly name: string;
}

/** Something that is on or off, with a sentence about it. */
export function Switch(props: {
  readonly isOn: boolean;
  readonly label: string;
  readonly hint: string;
  /** True if the hint may change after a click, so that it is read out then. */
  readonly isHintLive?: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean, box: HTMLInputElement) => void;
}) {
  const id = useId();
  return (
    <div class="switch">
      <input
        id={id}
        type="checkbox"
        aria-describedby={`${id}-hint`}
        disabled={props.isDisabled === true}
        checked={props.isOn}
        onChange={({ currentTarget: box }) => props.onChange(box.checked, box)}
      />
      <div>
        <label for={id}>{props.label}</label>
        <p id={`${id}-hint`} class="sub" {...(props.isHintLive === true ? { role: "status" } : {})}>
          {props.hint}
        </p>
      </div>
    </div>
  );
}

/** A preference of this browser that is on or off. */
export function Preference(props: {
  readonly of: Signal<boolean>;
  readonly label: string;
  readonly hint: string;
}) {
  return (
    <Switch
      isOn={props.of.value}
      label={props.label}
      hint={props.hint}
      onChange={(isOn) => {
        props.of.value = isOn;
      }}
    />
  );
}

/** A choice that is on or off, such as a filter. */
export function Chip(props: {
  readonly isOn: boolean;
  readonly onToggle: () => void;
  readonly children: ComponentChildren;
}) {
  return (
    <button type="button" class="chip" aria-pressed={props.isOn} onClick={props.onToggle}>
      {props.children}
    </button>
  );
}

/** One of few, side by side. */
export function Segments<Id extends string>(props: {
  readonly label: string;
  readonly options: readonly { readonly id: Id; readonly name: string }[];
  readonly chosen: Id;
  readonly onChoose: (id: Id) => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame and needs a legend that is seen.
    <div class="segments" role="group" aria-label={props.label}>
      {props.options.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          aria-pressed={id === props.chosen}
          onClick={() => props.onChoose(id)}
        >
          {name}
        </button>
      ))}
    </div>
  );
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
