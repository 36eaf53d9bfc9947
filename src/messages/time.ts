import { MINUTE_MS } from "../base/time.ts";

/** Clocks of phones and gateways differ by less than this. */
const CLOCK_ERROR_MAX_MS = 10 * MINUTE_MS;

/**
 * A time that lies further in the future than clocks differ is wrong, and counts as the time of receipt. So a message
 * dated 2100 is an old message tomorrow.
 */
export function boundTime(atMs: number, receivedAtMs: number): number {
  return atMs > receivedAtMs + CLOCK_ERROR_MAX_MS ? receivedAtMs : atMs;
}
