import { HOUR_MS, MINUTE_MS } from "../../base/clock.ts";

/** As the Standard Webhooks specification suggests: ten attempts over three days. */
const RETRY_DELAYS_MS: readonly number[] = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** Spreads the retries of deliveries that failed together. */
const JITTER = 0.2;
export const RETRY_AFTER_MAX_MS = 24 * HOUR_MS;
/** No delivery waits longer than this for its next attempt. */
export const DELAY_MAX_MS = 24 * HOUR_MS * (1 + JITTER);

/**
 * A delivery whose next attempt is nearer than this may be under way: a claim moves it a minute ahead. The rest is for clocks
 * that differ.
 */
export const CLAIM_MAX_MS = 2 * MINUTE_MS;

/** The result of an attempt. */
export type PostResult =
  | {
      readonly kind: "answered";
      /** Of HTTP or SMTP. */
      readonly status: number;
      readonly retryAfterMs?: number;
      /** A constant text about the status. */
      readonly meaning?: string;
      /** The recipient does not want anything more. */
      readonly isGone?: boolean;
    }
  | { readonly kind: "failed"; readonly reason: string }
  /** The service stops; the attempt does not count. */
  | { readonly kind: "stopped" };

/** What happens to a delivery after an attempt. */
export type Verdict =
  | { readonly kind: "delivered"; readonly result: string }
  | { readonly kind: "retry"; readonly result: string; readonly delayMs: number }
  | { readonly kind: "dead"; readonly result: string }
  /** The target responded that it is gone. */
  | { readonly kind: "gone"; readonly result: string }
  /** The attempt does not count. `delayMs` is 0 if it is left out. */
  | { readonly kind: "released"; readonly delayMs?: number };

/** `attemptCount` includes this attempt; `random` is from 0 to 1. */
export function judge(result: PostResult, attemptCount: number, random: number): Verdict {
  if (result.kind === "stopped") return { kind: "released" };
  const text = toResultText(result);
  if (result.kind === "answered") {
    if (result.status >= 200 && result.status < 300) return { kind: "delivered", result: text };
    if (result.status === 410 || result.isGone === true) return { kind: "gone", result: text };
  }
  const delayMs = RETRY_DELAYS_MS[attemptCount - 1];
  if (delayMs === undefined) return { kind: "dead", result: text };
  const askedMs = result.kind === "answered" ? (result.retryAfterMs ?? 0) : 0;
  return {
    kind: "retry",
    result: text,
    delayMs: Math.max(
      Math.round(delayMs * (1 + JITTER * random)),
      Math.min(askedMs, RETRY_AFTER_MAX_MS),
    ),
  };
}

/** How the log and the list of deliveries show a result. */
export function toResultText(result: Exclude<PostResult, { readonly kind: "stopped" }>): string {
  if (result.kind === "failed") return result.reason;
  return result.meaning === undefined
    ? String(result.status)
    : `${result.status} ${result.meaning}`;
}

export const MATCH_DELETED: Verdict = { kind: "dead", result: "the match was deleted" };
/** How long a match waits that a replay has left without its listing. */
const REPLAY_WAIT_MS = 10_000;

/** What becomes of a match without its listing or message. In a replay it waits; otherwise it is tried again as usual. */
export function judgeIncomplete(isReplaying: boolean, attemptCount: number): Verdict {
  if (isReplaying) return { kind: "released", delayMs: REPLAY_WAIT_MS };
  return judge({ kind: "failed", reason: "the listing is gone" }, attemptCount, Math.random());
}
