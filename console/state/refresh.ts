import { useEffect } from "preact/hooks";

/** Reads again every `everyMs` while the page can be seen, and at once when it can be seen again. */
export function useRefresh(reload: () => void, everyMs: number): void {
  useEffect(() => {
    const refresh = (): void => {
      if (!document.hidden) reload();
    };
    const timer = setInterval(refresh, everyMs);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, [reload, everyMs]);
}
