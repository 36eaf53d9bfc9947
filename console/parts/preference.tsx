import type { Signal } from "@preact/signals";
import { Switch } from "./switch.tsx";

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
