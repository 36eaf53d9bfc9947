import { effect } from "@preact/signals";
import { stored } from "./stored.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const theme = stored<Theme>("theme", isTheme, "system");

/** The style sheet reads the attribute; without it, the system decides. */
effect(() => {
  const { dataset } = document.documentElement;
  if (theme.value === "system") delete dataset["theme"];
  else dataset["theme"] = theme.value;
});

function isTheme(value: unknown): value is Theme {
  return THEMES.some((known) => known === value);
}
