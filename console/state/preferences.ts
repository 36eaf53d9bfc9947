import { effect } from "@preact/signals";
import { isBoolean, stored } from "./stored.ts";

/** Hides profit, thresholds and phone numbers: see `parts/amount.tsx` and `parts/phone.tsx`. */
export const isPresenting = stored("presenter", isBoolean, false);
/** Single-key shortcuts. Speech input types letters, so they can be turned off. */
export const areKeysOn = stored("keys", isBoolean, true);
/** Notifications of the browser, once it has allowed them. */
export const wantsNotifications = stored("notifications", isBoolean, false);
export const isCompact = stored("compact", isBoolean, false);

effect(() => {
  document.documentElement.toggleAttribute("data-compact", isCompact.value);
});
