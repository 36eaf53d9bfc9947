import { computed, effect, signal } from "@preact/signals";
import { words } from "../words/words.ts";

export const pageTitle = signal("");
/** The buys that are not marked as seen, as the service counts them. */
export const unseenCount = signal(0);
/** Marks that wait for their five seconds: the service does not know of them yet. */
export const waitingMarkCount = signal(0);
/** What the reader has not looked at yet. */
export const unreadCount = computed(() => Math.max(0, unseenCount.value - waitingMarkCount.value));

effect(() => {
  const unread = unreadCount.value > 0 ? `(${unreadCount.value}) ` : "";
  const page = pageTitle.value === "" ? "" : `${pageTitle.value} · `;
  document.title = `${unread}${page}${words.product}`;
});
