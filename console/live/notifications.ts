/**
 * Notifications of the browser: one for all matches since the page was hidden, which grows as more arrive. Only on request,
 * and only while no tab of the console is looked at.
 */
import { useCallback, useEffect, useRef } from "preact/hooks";
import { navigate } from "../router.ts";
import { isPresenting, wantsNotifications } from "../state/preferences.ts";
import { useLive } from "./live.ts";
import { type MatchNews, toNews, toNotice } from "./match-news.ts";
import type { LiveEvent } from "./stream.ts";

/** A newer notification takes the place of the older one, also that of another tab. */
const TAG = "assay-matches";
const LOOKED_AT = "assay-looked-at";

export function canNotify(): boolean {
  return typeof Notification === "function" && isSecureContext;
}

/** Asks the reader once; call it from a click. Returns true if notifications are allowed. */
export async function askToNotify(): Promise<boolean> {
  return canNotify() && (await Notification.requestPermission()) === "granted";
}

export function useNotifications(): void {
  const news = useRef<ReadonlyMap<string, MatchNews>>(new Map());
  useEffect(() => {
    const onChange = (): void => {
      news.current = new Map();
      if (!document.hidden) holdLookedAt();
    };
    onChange();
    document.addEventListener("visibilitychange", onChange);
    return () => document.removeEventListener("visibilitychange", onChange);
  }, []);
  useLive(
    useCallback((events: readonly LiveEvent[]) => {
      if (!document.hidden || !wantsNotifications.value || !canNotify()) return;
      const added = toNews(events);
      if (added.length === 0) return;
      news.current = new Map([...news.current, ...added.map((one) => [one.id, one] as const)]);
      notify([...news.current.values()]).catch(reportError);
    }, []),
  );
}

async function notify(news: readonly MatchNews[]): Promise<void> {
  if (Notification.permission !== "granted" || (await isLookedAt())) return;
  const { title, body } = toNotice(news, isPresenting.value);
  // One watch opens with its actions; several are a list.
  const [only, ...more] = news;
  const path = only?.isWatch === true && more.length === 0 ? `/listings/${only.id}` : "/";
  try {
    const shown = new Notification(title, { body, tag: TAG });
    shown.onclick = () => {
      shown.close();
      focus();
      navigate(path);
    };
  } catch {
    await notifyByWorker(title, { body, tag: TAG, data: { path } });
  }
}

/** Browsers of phones show a notification only through an installed worker, which then opens the page. */
async function notifyByWorker(title: string, options: NotificationOptions): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker === undefined) wantsNotifications.value = false;
  else await worker.showNotification(title, options);
}

/** A shared lock is held by every tab that is looked at; hidden ones see it. */
function holdLookedAt(): void {
  const untilHidden = (): Promise<void> =>
    new Promise((release) => {
      document.addEventListener("visibilitychange", () => release(), { once: true });
    });
  navigator.locks?.request(LOOKED_AT, { mode: "shared" }, untilHidden).catch(() => undefined);
}

async function isLookedAt(): Promise<boolean> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return held.some(({ name }) => name === LOOKED_AT);
}
