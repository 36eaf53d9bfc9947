import { effect, signal } from "@preact/signals";
import { words } from "../words/words.ts";

export const pageTitle = signal("");
/** What the reader has not looked at yet; the page that counts it sets it. */
export const unreadCount = signal(0);

effect(() => {
  const unread = unreadCount.value > 0 ? `(${unreadCount.value}) ` : "";
  const page = pageTitle.value === "" ? "" : `${pageTitle.value} · `;
  document.title = `${unread}${page}${words.product}`;
});
