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
import type { Address, Attempt, Channel, ChannelOptions } from "./channel.ts";

/** It becomes a part of the path, so it has nothing but these characters. */
const BOT_TOKEN = /^\d{1,20}:[A-Za-z0-9_-]{20,100}$/;
const CHAT_ID = /^(?:-?\d{1,20}|@[A-Za-z]\w{3,40})$/;
const CHAT_TITLE = "the number of a chat, or the @name of a channel";
const ANSWER_BYTES_MAX = 4_096;
const NEEDS_TOKEN = "declare the bot's token as BotFather shows it";

export const TELEGRAM = {
  members: {
    bot_token: {
      column: "secret",
      lengthMax: 200,
      findProblem: (value) =>
        BOT_TOKEN.test(value)
          ? undefined
          : "must be the token of a bot, as BotFather shows it: digits, a colon, and letters",
      hidden: { pattern: /\b\d{5,20}:[\w-]{20,}/g, shown: "…:…" },
    },
    chat_id: {
      column: "recipient",
      lengthMax: 50,
      numberTitle: CHAT_TITLE,
      findProblem: (value) => (CHAT_ID.test(value) ? undefined : `must be ${CHAT_TITLE}`),
    },
  },
  send: sendTelegram,
  // Of the configuration, and the same for all targets.
  secretServerOf: () => undefined,
  help: {
    "400 chat not found": "start a chat with the bot, or add it to the group, and check chat_id",
    "401 wrong bot token": NEEDS_TOKEN,
    "404 wrong bot token": NEEDS_TOKEN,
    "403 refused by the chat": "unblock the bot or add it to the chat, then retry a delivery",
  },
} as const satisfies Channel;

async function sendTelegram(
  { secret, recipient }: Address,
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

/** Telegram's own address is public. Another one was set by the operator, so it may be private. */
function isOwnTelegram({ telegramUrl }: ChannelOptions): boolean {
  return telegramUrl !== undefined && telegramUrl !== TELEGRAM_URL;
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
