const LOCALE = "en-GB";

/** How counts, shares and days are written. A browser needs some 40 ms for its first format, so each is made at its first use. */
export const formatCount = numbers({});
/** `0.083` is `8%`. */
export const formatPercent = numbers({ style: "percent" });
/** `23:05` */
export const formatClock = times({ timeStyle: "short" });
/** `5 Mar` in the browser's time zone. */
export const formatDay = times({ day: "numeric", month: "short" });
/** `5 Mar` of a day that the service counted; its days are of UTC. */
export const formatUtcDay = times({ day: "numeric", month: "short", timeZone: "UTC" });

export function numbers(options: Intl.NumberFormatOptions): (value: number) => string {
  let format: Intl.NumberFormat | undefined;
  return (value) => {
    format ??= new Intl.NumberFormat(LOCALE, options);
    return format.format(value);
  };
}

export function times(options: Intl.DateTimeFormatOptions): (atMs: number) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (atMs) => {
    format ??= new Intl.DateTimeFormat(LOCALE, options);
    return format.format(atMs);
  };
}
