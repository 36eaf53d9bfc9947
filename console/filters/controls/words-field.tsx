import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { withMember } from "../filter-values.ts";
import { useEditedFilter } from "./edited-filter.ts";

/** What is typed counts when the reader pauses. */
const PAUSE_MS = 250;

/** The words that a listing must have, as the search field of the market. */
export function WordsField(props: { readonly label: string; readonly hint: string }) {
  const { filter, change } = useEditedFilter();
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const id = useId();
  // What is being typed stays, whatever arrives meanwhile.
  const typed = useSignal<string | undefined>(undefined);
  const apply = (): void => {
    clearTimeout(timer.current);
    typed.value = undefined;
    const text = field.current?.value ?? "";
    if (text !== (filter["q"] ?? "")) {
      change(withMember(filter, "q", text === "" ? undefined : text));
    }
  };
  const latest = useRef(apply);
  latest.current = apply;
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <div class="form-field">
      <label for={id}>{props.label}</label>
      <input
        ref={field}
        id={id}
        type="search"
        placeholder={props.hint}
        value={typed.value ?? (typeof filter["q"] === "string" ? filter["q"] : "")}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          clearTimeout(timer.current);
          timer.current = setTimeout(() => latest.current(), PAUSE_MS);
        }}
        onChange={apply}
      />
    </div>
  );
}
