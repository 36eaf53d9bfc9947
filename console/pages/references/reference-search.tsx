import { useEffect, useMemo, useRef } from "preact/hooks";
import { Kbd } from "../../parts/kbd.tsx";
import { useKeys } from "../../state/keys.ts";
import { referenceWords } from "../../words/reference.ts";
import { changeChoice } from "./references-state.ts";

/** A search begins when the reader pauses. */
const PAUSE_MS = 250;

export function ReferenceSearch({ text }: { readonly text: string }) {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const apply = (): void => {
    clearTimeout(timer.current);
    changeChoice({ text: field.current?.value.trim() ?? "" });
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useKeys(
    useMemo(
      () => [
        {
          key: "/",
          label: referenceWords.search,
          run: () => {
            field.current?.focus();
            field.current?.select();
          },
        },
      ],
      [],
    ),
  );
  return (
    <search class="reference-search">
      <input
        ref={field}
        type="search"
        class="field"
        aria-label={referenceWords.search}
        placeholder={referenceWords.search}
        value={text}
        onInput={() => {
          clearTimeout(timer.current);
          timer.current = setTimeout(apply, PAUSE_MS);
        }}
        onChange={apply}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          apply();
          // Outside of the field, j and k walk through what was found.
          document.querySelector<HTMLElement>("[data-keep-scroll=references]")?.focus();
        }}
      />
      <Kbd name="/" />
    </search>
  );
}
