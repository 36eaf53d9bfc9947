/** The paths at which the browser console lives, as routes. All of them answer with the same page. */
export const CONSOLE_PATHS = [
  "/",
  "/market",
  "/references",
  "/references/:reference",
  "/listings/:listing_id",
  "/alerts",
  "/alerts/:alert_id",
  "/operations",
  "/settings",
  "/start",
] as const;
