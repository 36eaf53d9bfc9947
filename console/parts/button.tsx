import type { ComponentChildren } from "preact";
import { areKeysOn } from "../state/preferences.ts";
import { canWrite, isOwner } from "../state/session.ts";

const SHOWN: Readonly<Record<string, string>> = { Enter: "↵", Escape: "Esc", " ": "Space" };

/** A button. One that the token may not use is not there at all, so that no button is dead. */
export function Button(props: {
  readonly onPress?: () => void;
  readonly isMain?: boolean;
  /** Needs the role `desk`. */
  readonly isWrite?: boolean;
  /** Needs the role `owner`. */
  readonly isOwners?: boolean;
  readonly isBusy?: boolean;
  readonly isSubmit?: boolean;
  readonly hotkey?: string;
  readonly children: ComponentChildren;
}) {
  if (props.isWrite === true && !canWrite.value) return null;
  if (props.isOwners === true && !isOwner.value) return null;
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

/** The key of an action. Not shown where single keys are turned off, unless it needs a modifier. */
export function Kbd({ name }: { readonly name: string }) {
  if (!areKeysOn.value && !name.includes("Ctrl")) return null;
  return <kbd>{SHOWN[name] ?? name}</kbd>;
}
