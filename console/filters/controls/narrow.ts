import { signal } from "@preact/signals";

/** The controls need a column of their own; below this width they are a sheet. */
const narrow = matchMedia("(max-width: 1000px)");

export const isNarrow = signal(narrow.matches);
narrow.addEventListener("change", ({ matches }) => {
  isNarrow.value = matches;
});
