import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { useKeys } from "../state/commands.ts";
import { Kbd } from "./button.tsx";

/** A search begins when the reader pauses. */
const PAUSE_MS = 250;

/** Searches while the reader types. The key `/` leads to it, and Enter on to what was found. */
export function SearchField(props: {
  readonly text: string;
  readonly label: string;
  /** What the list of keys calls it. */
  readonly keyLabel: string;
  /** The name of the area with what was found. */
  readonly area: string;
  readonly onSearch: (text: string) => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // What is being typed stays, whatever arrives meanwhile.
  const typed = useSignal<string | undefined>(undefined);
  const apply = (): void => {
    clearTimeout(timer.current);
    typed.value = undefined;
    props.onSearch(field.current?.value ?? "");
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const begin = (): void => {
    field.current?.focus();
    field.current?.select();
  };
  useKeys(useMemo(() => [{ key: "/", label: props.keyLabel, run: begin }], [props.keyLabel]));
  return (
    <search class="search-field">
      <input
        ref={field}
        type="search"
        class="field"
        aria-label={props.label}
        placeholder={props.label}
        value={typed.value ?? props.text}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          clearTimeout(timer.current);
          timer.current = setTimeout(apply, PAUSE_MS);
        }}
        onChange={apply}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          apply();
          // Outside of the field, j and k walk through what was found.
          field.current?.blur();
          document.querySelector<HTMLElement>(`[data-keep-scroll="${props.area}"]`)?.focus();
        }}
      />
      <Kbd name="/" />
    </search>
  );
}
