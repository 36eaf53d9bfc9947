import type { ChannelOptions } from "./channels/channel.ts";
import { refusalOf } from "./post-webhook.ts";
import type { DeclaredAddress } from "./target-kind.ts";

/** Why nothing will be sent to a declared target. */
export interface TargetRefusal {
  readonly member: "url" | "to";
  readonly reason: string;
  /** The name of the setting that changes it. */
  readonly setting: string;
}

/** Returns undefined if a target is sent to. A name is looked up only when something is sent. */
export function findTargetRefusal(
  { kind, url }: DeclaredAddress,
  { isPrivateAllowed, smtpUrl, smtpFrom }: ChannelOptions,
): TargetRefusal | undefined {
  if (kind === "email") {
    const setting = smtpUrl === undefined ? "ASSAY_SMTP_URL" : "ASSAY_SMTP_FROM";
    const isReady = smtpUrl !== undefined && smtpFrom !== undefined;
    return isReady ? undefined : { member: "to", reason: "no mail server", setting };
  }
  const reason = url === undefined ? undefined : refusalOf({ url, isPrivateAllowed });
  if (reason === undefined) return undefined;
  return { member: "url", reason, setting: "ASSAY_WEBHOOK_ALLOW_PRIVATE" };
}
