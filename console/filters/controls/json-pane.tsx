import { useSignal } from "@preact/signals";
import { Button } from "../../parts/button.tsx";
import { controlWords } from "../../words/filter-controls.ts";
import { isObject } from "../filter.ts";
import { useEditedFilter } from "./edited-filter.ts";

/** The whole filter as text, for what no control shows. */
export function JsonPane() {
  const { filter, change } = useEditedFilter();
  const draft = useSignal<{ readonly of: unknown; readonly text: string } | undefined>(undefined);
  const isBroken = useSignal(false);
  // A draft belongs to the filter that it changes: another filter begins anew.
  const text = draft.value?.of === filter ? draft.value.text : JSON.stringify(filter, undefined, 2);
  const apply = (): void => {
    const next = parse(text);
    isBroken.value = next === undefined;
    if (next !== undefined) change(next);
  };
  return (
    <>
      <p class="sub">{controlWords.jsonHint}</p>
      <textarea
        class="field json"
        rows={8}
        spellcheck={false}
        aria-label={controlWords.jsonLabel}
        aria-invalid={isBroken.value}
        value={text}
        onInput={(event) => {
          draft.value = { of: filter, text: event.currentTarget.value };
        }}
      />
      {isBroken.value ? (
        <p class="problem" role="alert">
          {controlWords.jsonBroken}
        </p>
      ) : null}
      <Button onPress={apply}>{controlWords.jsonApply}</Button>
    </>
  );
}

function parse(text: string) {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
