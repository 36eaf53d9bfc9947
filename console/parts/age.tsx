import { computed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { nowMs } from "../state/clock.ts";
import { formatAge, formatTime } from "./format-age.ts";

/** How long ago something was. Only its text changes with the clock; the component is not rendered again. */
export function Age({ atMs }: { readonly atMs: number }) {
  const text = useMemo(() => computed(() => formatAge(nowMs.value - atMs)), [atMs]);
  return ageElement(atMs, text);
}

/** For a table that renders its ages itself: a component in each row would cost more than its text. */
export function ageElement(atMs: number, text: ComponentChildren) {
  return (
    <time class="age" dateTime={new Date(atMs).toISOString()} title={formatTime(atMs)}>
      {text}
    </time>
  );
}
