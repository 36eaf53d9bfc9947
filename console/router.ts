/**
 * The address as signals. Links are real links: a click on one that leads to a page of the console changes the address
 * without a reload, and everything else (new tab, other hosts, downloads) is the browser's.
 *
 * Going back restores the scroll offsets of all elements with `data-keep-scroll`, by the name they have there.
 */
import { computed, signal } from "@preact/signals";
import { isConsolePath } from "./paths.ts";

interface Entry {
  readonly key: string;
  /** Counts the entries of this visit, so that a step of the browser can be taken back. */
  readonly at: number;
}

/** Asks the reader, and calls `leave` if the page may be left. */
type LeaveGuard = (leave: () => void) => void;

const location = signal(readLocation());
/** The part before `?`, as it stands in the address. */
export const path = computed(() => location.value.path);
export const query = computed(() => new URLSearchParams(location.value.search));
/** Counts changes of the path: the first page of a visit has 0. */
export const visitCount = signal(0);

const OFFSETS_MAX = 50;
const offsets = new Map<string, ReadonlyMap<string, number>>();
let isGoingBack = false;
let guard: LeaveGuard | undefined;
/** True while a step of the browser is taken back. */
let isReturning = false;

history.scrollRestoration = "manual";
if (!isEntry(history.state)) history.replaceState(newEntry(), "");

export function navigate(href: string, options: { readonly isReplacing?: boolean } = {}): void {
  const url = new URL(href, document.baseURI);
  if (url.href === window.location.href) return;
  const isSamePage = options.isReplacing === true && url.pathname === window.location.pathname;
  if (guard !== undefined && !isSamePage) {
    askToLeave(() => navigate(href, options));
    return;
  }
  keepOffsets();
  if (options.isReplacing === true) history.replaceState(history.state, "", url);
  else history.pushState(newEntry(), "", url);
  isGoingBack = false;
  follow();
}

/** Changes the query and keeps the page. Replaces the entry of the history, unless told otherwise. */
export function setQuery(next: URLSearchParams, options = { isReplacing: true }): void {
  const text = next.toString();
  navigate(`${window.location.pathname}${text === "" ? "" : `?${text}`}`, options);
}

/** One step back, if that is a page of this visit; otherwise the address that is given. */
export function goBack(href: string): void {
  if (entryAt() > 1) history.back();
  else navigate(href);
}

/** Another address is opened only after `ask` allows it. Returns a function that ends this. */
export function guardLeaving(ask: LeaveGuard): () => void {
  guard = ask;
  return () => {
    if (guard === ask) guard = undefined;
  };
}

function askToLeave(go: () => void): void {
  guard?.(() => {
    guard = undefined;
    go();
  });
}

/** The offset that the element of this name had when the reader left this entry; undefined on a new one. */
export function keptOffset(name: string): number | undefined {
  return isGoingBack ? offsets.get(entryKey())?.get(name) : undefined;
}

function follow(): void {
  const next = readLocation();
  const isOtherPage = next.path !== location.value.path;
  if (isOtherPage) visitCount.value += 1;
  location.value = next;
  currentKey = entryKey();
  currentAt = entryAt();
}

function readLocation(): { readonly path: string; readonly search: string } {
  return { path: window.location.pathname, search: window.location.search };
}

let currentKey = entryKey();
let currentAt = entryAt();

function keepOffsets(): void {
  const kept = new Map<string, number>();
  for (const element of document.querySelectorAll("[data-keep-scroll]")) {
    kept.set(element.getAttribute("data-keep-scroll") ?? "", element.scrollTop);
  }
  offsets.delete(currentKey);
  offsets.set(currentKey, kept);
  const [oldest] = offsets.keys();
  if (offsets.size > OFFSETS_MAX && oldest !== undefined) offsets.delete(oldest);
}

function newEntry(): Entry {
  return { key: Math.random().toString(36).slice(2), at: entryAt() + 1 };
}

function isEntry(state: unknown): state is Entry {
  return typeof (state as Entry | null)?.key === "string";
}

function entryKey(): string {
  return isEntry(history.state) ? history.state.key : "";
}

function entryAt(): number {
  return isEntry(history.state) && typeof history.state.at === "number" ? history.state.at : 0;
}

addEventListener("popstate", () => {
  if (isReturning) {
    isReturning = false;
    return;
  }
  const step = entryAt() - currentAt;
  if (guard !== undefined && step !== 0) {
    // The address has changed already: it is put back until the reader has answered.
    isReturning = true;
    history.go(-step);
    askToLeave(() => history.go(step));
    return;
  }
  keepOffsets();
  isGoingBack = true;
  follow();
});

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link === null || link.target !== "" || link.hasAttribute("download")) return;
  if (link.origin !== window.location.origin || !isConsolePath(link.pathname)) return;
  // A link within the page, such as the one that skips the navigation, is the browser's.
  if (link.hash !== "" && link.pathname === window.location.pathname) return;
  event.preventDefault();
  navigate(link.href);
});
