/**
 * Sends a message with Telegram's Bot API (https://core.telegram.org/bots/api#sendmessage), as plain text: without
 * `parse_mode` nothing in it is markup. A response is described at https://core.telegram.org/bots/api#making-requests: with
 * 429, `parameters.retry_after` says how many seconds to wait (https://core.telegram.org/bots/api#responseparameters).
 * The bot's token is a part of the address, so the address is never logged or stored.
 */
import { TELEGRAM_URL } from "../../../base/config.ts";
import type { PostResult } from "../delivery.ts";
import type { Notification } from "../notification.ts";
import { postWebhook } from "../post-webhook.ts";
import type { TargetAddress } from "../target.ts";
import { type Attempt, isOwnTelegram } from "./channel.ts";

const ANSWER_BYTES_MAX = 4_096;

export async function sendTelegram(
  { secret, recipient }: TargetAddress,
  { title, text, isTitleNeeded }: Notification,
  attempt: Attempt,
): Promise<PostResult> {
  const { timeoutMs, signal, telegramUrl = TELEGRAM_URL } = attempt;
  const result = await postWebhook({
    url: `${telegramUrl.replace(/\/+$/, "")}/bot${secret}/sendMessage`,
    headers: { "content-type": "application/json", "user-agent": "assay" },
    body: JSON.stringify({
      chat_id: recipient,
      text: isTitleNeeded ? `${title}\n\n${text}` : text,
      link_preview_options: { is_disabled: true },
    }),
    timeoutMs,
    isPrivateAllowed: isOwnTelegram(attempt) || attempt.isPrivateAllowed,
    signal,
    answerBytesMax: ANSWER_BYTES_MAX,
  });
  if (result.kind !== "answered") return result;
  const { answer, ...answered } = result;
  return { ...answered, ...readFailure(result.status, answer ?? "") };
}

/** Telegram's own text is not stored. The known ones are replaced by constants. */
function readFailure(
  status: number,
  answer: string,
): { readonly meaning?: string; readonly isGone?: boolean; readonly retryAfterMs?: number } {
  if (status === 403) return { meaning: "refused by the chat", isGone: true };
  if (status === 401 || status === 404) return { meaning: "wrong bot token" };
  const { description, retryAfterSeconds } = parseAnswer(answer);
  if (status === 429 && retryAfterSeconds !== undefined) {
    return { meaning: "too many messages", retryAfterMs: retryAfterSeconds * 1000 };
  }
  if (status === 400 && /chat not found/i.test(description)) return { meaning: "chat not found" };
  return {};
}

function parseAnswer(text: string): {
  readonly description: string;
  readonly retryAfterSeconds?: number;
} {
  try {
    const { description, parameters } = JSON.parse(text) as {
      readonly description?: unknown;
      readonly parameters?: { readonly retry_after?: unknown };
    };
    const seconds = parameters?.retry_after;
    return {
      description: String(description ?? ""),
      ...(typeof seconds === "number" && seconds > 0 ? { retryAfterSeconds: seconds } : {}),
    };
  } catch {
    // A proxy answered instead of Telegram, or the body was cut off.
    return { description: "" };
  }
}
