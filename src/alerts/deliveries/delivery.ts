import { createHmac } from "node:crypto";
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

/** What an operator can do about the result of an attempt; undefined if the target is at fault. */
export function helpFor(result: string): string | undefined {
  return HELP.get(result);
}

const ALLOW_PRIVATE =
  "to allow private addresses and plain HTTP, set ASSAY_WEBHOOK_ALLOW_PRIVATE=true";
const HELP: ReadonlyMap<string, string> = new Map([
  ["private address refused", ALLOW_PRIVATE],
  ["plain HTTP refused", ALLOW_PRIVATE],
  ["not an HTTPS URL", "declare a target with an HTTPS URL"],
  ["not a URL", "declare a target with an HTTPS URL"],
  ["the secret is not whsec_…", "declare a secret of the form whsec_ and base64"],
  ["not a topic", "declare a target with the address of a topic, such as https://ntfy.sh/my-topic"],
  ["401 no access to the topic", "declare a token of ntfy that may write to the topic"],
  ["403 no access to the topic", "declare a token of ntfy that may write to the topic"],
  ["no mail server", "set ASSAY_SMTP_URL and ASSAY_SMTP_FROM where the worker runs"],
  ["400 chat not found", "start a chat with the bot, or add it to the group, and check chat_id"],
  ["401 wrong bot token", "declare the bot's token as BotFather shows it"],
  ["404 wrong bot token", "declare the bot's token as BotFather shows it"],
  ["403 refused by the chat", "unblock the bot or add it to the chat, then retry a delivery"],
  ["535", "the mail server refused the name or password in ASSAY_SMTP_URL"],
]);

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/** The key of a secret in the form of the specification. Returns undefined if the secret has another form. */
function secretKey(secret: string): Buffer | undefined {
  const encoded = SECRET.exec(secret)?.[1];
  const key = encoded === undefined ? undefined : Buffer.from(encoded, "base64");
  return key === undefined || key.length === 0 ? undefined : key;
}

/** The headers of an attempt. Returns undefined if the secret is not valid, so that nothing can be signed. */
export function toWebhookHeaders(attempt: {
  readonly id: string;
  readonly secret: string;
  readonly body: string;
  readonly nowMs: number;
}): Readonly<Record<string, string>> | undefined {
  const key = secretKey(attempt.secret);
  if (key === undefined) return undefined;
  const timestamp = String(Math.floor(attempt.nowMs / 1000));
  const signature = createHmac("sha256", key)
    .update(`${attempt.id}.${timestamp}.${attempt.body}`)
    .digest("base64");
  return {
    "content-type": "application/json",
    "user-agent": "assay",
    "webhook-id": attempt.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
}
