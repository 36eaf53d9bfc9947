import { type Config, TELEGRAM_URL } from "../../../base/config.ts";

/** What sending needs besides the target. */
export interface ChannelOptions {
  /** Allows private addresses and unencrypted HTTP. */
  readonly isPrivateAllowed: boolean;
  readonly publicUrl?: string;
  readonly smtpUrl?: string;
  readonly smtpFrom?: string;
  readonly telegramUrl?: string;
}

export function channelOptionsOf(config: Config): ChannelOptions {
  const { publicUrl, smtpUrl, smtpFrom, telegramUrl } = config;
  return {
    isPrivateAllowed: config.isPrivateWebhookAllowed,
    telegramUrl,
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(smtpUrl === undefined ? {} : { smtpUrl }),
    ...(smtpFrom === undefined ? {} : { smtpFrom }),
  };
}

/** The bounds of one attempt. */
export interface Attempt extends ChannelOptions {
  readonly timeoutMs: number;
  /** Aborted when the service stops. */
  readonly signal: AbortSignal;
}

/** Telegram's own address is public. Another one was set by the operator, so it may be private. */
export function isOwnTelegram({ telegramUrl }: ChannelOptions): boolean {
  return telegramUrl !== undefined && telegramUrl !== TELEGRAM_URL;
}
