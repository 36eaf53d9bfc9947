import { signal } from "@preact/signals";

const TICK_MS = 1_000;

/** The time, for everything that shows an age: one tick for the whole page, none while the page is hidden. */
export const nowMs = signal(Date.now());

setInterval(() => {
  if (!document.hidden) nowMs.value = Date.now();
}, TICK_MS);
document.addEventListener("visibilitychange", () => {
  nowMs.value = Date.now();
});
