import type { ComponentChildren } from "preact";
import { canWrite } from "../state/session.ts";
import { Kbd } from "./kbd.tsx";

/** A button. One that writes is not there at all for a read-only token, so that no button is dead. */
export function Button(props: {
  readonly onPress?: () => void;
  readonly isMain?: boolean;
  readonly isWrite?: boolean;
  readonly isBusy?: boolean;
  readonly isSubmit?: boolean;
  readonly hotkey?: string;
  readonly children: ComponentChildren;
}) {
  if (props.isWrite === true && !canWrite.value) return null;
  return (
    <button
      type={props.isSubmit === true ? "submit" : "button"}
      class={props.isMain === true ? "button main" : "button"}
      aria-disabled={props.isBusy === true}
      onClick={(event) => {
        if (props.isBusy === true) event.preventDefault();
        else props.onPress?.();
      }}
    >
      {props.children}
      {props.hotkey === undefined ? null : <Kbd name={props.hotkey} />}
    </button>
  );
}
