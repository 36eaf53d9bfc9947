import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { useKeys } from "../state/commands.ts";
import { TYPING_PAUSE_MS } from "../state/load.ts";
import { Kbd } from "./button.tsx";

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
  const { input, apply } = useTyped(props.text, props.onSearch);
  const field = input.ref;
  const begin = (): void => {
    field.current?.focus();
    field.current?.select();
  };
  useKeys(useMemo(() => [{ key: "/", label: props.keyLabel, run: begin }], [props.keyLabel]));
  return (
    <search class="search-field">
      <input
        type="search"
        class="field"
        aria-label={props.label}
        placeholder={props.label}
        {...input}
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

/** A text that counts when the reader pauses or leaves the field. What is being typed stays, whatever arrives meanwhile. */
export function useTyped(text: string, onText: (text: string) => void) {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const typed = useSignal<string | undefined>(undefined);
  const latest = useRef(onText);
  latest.current = onText;
  useEffect(() => () => clearTimeout(timer.current), []);
  const apply = (): void => {
    clearTimeout(timer.current);
    typed.value = undefined;
    latest.current(field.current?.value ?? "");
  };
  const onInput = (): void => {
    typed.value = field.current?.value;
    clearTimeout(timer.current);
    timer.current = setTimeout(apply, TYPING_PAUSE_MS);
  };
  return { input: { ref: field, value: typed.value ?? text, onInput, onChange: apply }, apply };
}
