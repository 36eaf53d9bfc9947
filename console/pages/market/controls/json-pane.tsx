import { useSignal } from "@preact/signals";
import { isObject } from "../../../filters/filter.ts";
import { Button } from "../../../parts/button.tsx";
import { marketWords } from "../../../words/market.ts";
import { changeFilter, market } from "../market-state.ts";

/** The whole filter as text, for what no control shows. */
export function JsonPane() {
  const { filter } = market.value;
  const draft = useSignal<{ readonly of: unknown; readonly text: string } | undefined>(undefined);
  const isBroken = useSignal(false);
  // A draft belongs to the filter that it changes: another filter begins anew.
  const text = draft.value?.of === filter ? draft.value.text : JSON.stringify(filter, undefined, 2);
  const apply = (): void => {
    const next = parse(text);
    isBroken.value = next === undefined;
    if (next !== undefined) changeFilter(next);
  };
  return (
    <>
      <p class="sub">{marketWords.jsonHint}</p>
      <textarea
        class="field json"
        rows={8}
        spellcheck={false}
        aria-label={marketWords.jsonLabel}
        aria-invalid={isBroken.value}
        value={text}
        onInput={(event) => {
          draft.value = { of: filter, text: event.currentTarget.value };
        }}
      />
      {isBroken.value ? (
        <p class="problem" role="alert">
          {marketWords.jsonBroken}
        </p>
      ) : null}
      <Button onPress={apply}>{marketWords.jsonApply}</Button>
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
