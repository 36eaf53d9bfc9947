import { useId } from "preact/hooks";

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
