/** What this browser prefers. Each preference survives a reload, and follows changes that other tabs make. */
import { effect, type Signal, signal } from "@preact/signals";

/** Hides profit, thresholds and phone numbers: see `parts/figures.tsx`. */
export const isPresenting = stored("presenter", isBoolean, false);
/** Single-key shortcuts. Speech input types letters, so they can be turned off. */
export const areKeysOn = stored("keys", isBoolean, true);
/** Notifications of the browser, once it has allowed them. */
export const wantsNotifications = stored("notifications", isBoolean, false);
export const isCompact = stored("compact", isBoolean, false);

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const theme = stored<Theme>("theme", isTheme, "system");

effect(() => {
  document.documentElement.toggleAttribute("data-compact", isCompact.value);
});

/** The style sheet reads the attribute; without it, the system decides. */
effect(() => {
  const { dataset } = document.documentElement;
  if (theme.value === "system") delete dataset["theme"];
  else dataset["theme"] = theme.value;
});

/** A preference of this name. Without storage it lasts as long as the page. */
export function stored<Value extends string | boolean>(
  name: string,
  isValue: (value: unknown) => value is Value,
  initial: Value,
): Signal<Value> {
  const key = `assay.${name}`;
  const preference = signal<Value>(parse(read(key), isValue) ?? initial);
  addEventListener("storage", (event) => {
    if (event.key === key) preference.value = parse(event.newValue, isValue) ?? initial;
  });
  effect(() => write(key, JSON.stringify(preference.value)));
  return preference;
}

export function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === "boolean";
}

function isTheme(value: unknown): value is Theme {
  return THEMES.some((known) => known === value);
}

function parse<Value>(
  text: string | null,
  isValue: (value: unknown) => value is Value,
): Value | undefined {
  if (text === null) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isValue(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // A browser that stores nothing keeps the preference until the page is closed.
  }
}
