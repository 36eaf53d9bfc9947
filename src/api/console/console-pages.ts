/**
 * The paths at which the browser console lives, as routes, each with the folder of its page. All answer with the same document,
 * but for the page's own script, which it names so that the browser asks for it at once.
 */
export const CONSOLE_PAGES: Readonly<Record<string, string>> = {
  "/": "buys",
  "/market": "market",
  "/references": "references",
  "/references/:reference": "reference",
  "/listings/:listing_id": "listing",
  "/alerts": "alerts",
  "/alerts/:alert_id": "alerts",
  "/operations": "operations",
  "/settings": "settings",
  "/start": "start",
};
