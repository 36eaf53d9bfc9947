import { useEffect, useMemo, useRef } from "preact/hooks";
import { withMember } from "../../filters/filter-values.ts";
import { Kbd } from "../../parts/kbd.tsx";
import { useKeys } from "../../state/keys.ts";
import { marketWords } from "../../words/market.ts";
import { changeFilter, market } from "./market-state.ts";

/** A search begins when the reader pauses. */
const PAUSE_MS = 250;

export function SearchBox() {
  const { filter } = market.value;
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const given = typeof filter["q"] === "string" ? filter["q"] : "";
  const apply = (): void => {
    clearTimeout(timer.current);
    const text = field.current?.value ?? "";
    const now = market.peek().filter;
    if (text === (now["q"] ?? "")) return;
    // The first letter is a step of its own, so the way back leads to before the search.
    changeFilter(withMember(now, "q", text === "" ? undefined : text), {
      isReplacing: now["q"] !== undefined && text !== "",
    });
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useKeys(
    useMemo(
      () => [
        {
          key: "/",
          label: marketWords.searchKey,
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
    <search class="market-search">
      <input
        ref={field}
        type="search"
        class="field"
        aria-label={marketWords.search}
        placeholder={marketWords.search}
        value={given}
        onInput={() => {
          clearTimeout(timer.current);
          timer.current = setTimeout(apply, PAUSE_MS);
        }}
        onChange={apply}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          apply();
          // Outside of the field, j and k walk through what was found.
          field.current?.blur();
          document.querySelector<HTMLElement>("[data-keep-scroll=market]")?.focus();
        }}
      />
      <Kbd name="/" />
    </search>
  );
}
