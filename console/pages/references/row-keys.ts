import { useMemo } from "preact/hooks";
import { useKeys } from "../../state/keys.ts";
import { referenceWords } from "../../words/reference.ts";

/** `j` and `k` move the focus from row to row; Enter then belongs to the link that has it. */
export function useRowKeys(): void {
  useKeys(
    useMemo(
      () => [
        { key: "j", label: referenceWords.next, run: () => moveFocus(1) },
        { key: "k", label: referenceWords.previous, run: () => moveFocus(-1) },
      ],
      [],
    ),
  );
}

function moveFocus(step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>("a[data-row]")];
  const focused = document.activeElement;
  const at = focused instanceof HTMLElement ? links.indexOf(focused) : -1;
  const next = links[at < 0 ? 0 : Math.min(Math.max(at + step, 0), links.length - 1)];
  next?.focus({ preventScroll: true });
  next?.closest("tr")?.scrollIntoView({ block: "nearest" });
}
