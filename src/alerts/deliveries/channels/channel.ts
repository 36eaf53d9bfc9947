/**
 * What a channel declares. A new one is one file in this folder and one entry in `CHANNELS` of `target.ts`: the members of a
 * target in manifests and in the API, their checks, what is a secret, the sending and the words about failures follow from it.
 * The table names the kinds in a constraint, so a new one also needs a migration.
 */
import type { Config } from "../../../base/config.ts";
import type { PostResult } from "../delivery.ts";
import type { Notification } from "../notification.ts";
import { refusalOf } from "../post-webhook.ts";

export interface Channel {
  /** What a target of this kind declares, by name. A name that several channels use has one column and one length. */
  readonly members: Readonly<Record<string, ChannelMember>>;
  /** Sends a short text to a person. Absent if a program gets every match by itself, as signed JSON. */
  readonly send?: (
    address: Address,
    notification: Notification,
    attempt: Attempt,
  ) => Promise<PostResult>;
  /** The server that the secret is sent to; undefined if the target does not name it. The secret is not kept for another one. */
  readonly secretServerOf: (address: Address) => string | undefined;
  /** Why nothing will be sent to an address; undefined if it is sent to. */
  readonly findRefusal?: (address: Address, options: ChannelOptions) => Refusal | undefined;
  /** What an operator can do, by the result of an attempt. Results of HTTP itself are in `post-webhook.ts`. */
  readonly help: Readonly<Record<string, string>>;
}

export interface ChannelMember {
  /** Where it is stored. What is in `secret` is never shown, and is kept for the same server if it is not declared again. */
  readonly column: keyof Address;
  readonly isOptional?: boolean;
  readonly lengthMax: number;
  /** What a value must be, for a member that may also be a number. */
  readonly numberTitle?: string;
  /** Returns what is wrong with a value, without showing it: it may be a secret. */
  readonly findProblem: (value: string) => string | undefined;
  /** What someone who is no owner sees of a value with which others could read or write. A write that sends it back keeps the value. */
  readonly cut?: (value: string) => string;
  /** How a secret is recognised and shown in a text where it stands in the wrong place, as after a missing colon. */
  readonly hidden?: { readonly pattern: RegExp; readonly shown: string };
}

/** Where a target is, as it is stored. Which columns have a value depends on the channel. */
export interface Address {
  readonly url: string | null;
  readonly secret: string | null;
  readonly recipient: string | null;
}

export interface Refusal {
  readonly member: string;
  readonly reason: string;
  /** The name of the setting that changes it. */
  readonly setting: string;
}

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

/** In place of the path of an address that is cut. */
const CUT = "/…";

/** The member `url` of channels that post to an address of the target's own. Its path is often a key, such as the topic of ntfy. */
export const URL_MEMBER = {
  column: "url",
  lengthMax: 2000,
  cut: cutUrl,
  findProblem: (value) => {
    if (!isHttpUrl(value)) return "must be an http or https address";
    if (new URL(value).href === new URL(CUT, value).href) {
      return "is only the part that is shown of another address; send the whole address";
    }
    // The address is shown, and a password is a secret. What is sent is signed.
    return hasCredentials(value) ? "must not have a user name or a password" : undefined;
  },
} as const satisfies ChannelMember;

/** The refusal of such a channel. A name is looked up only when something is sent. */
export function refuseUrl(
  { url }: Address,
  { isPrivateAllowed }: ChannelOptions,
): Refusal | undefined {
  const reason = url === null ? undefined : refusalOf({ url, isPrivateAllowed });
  if (reason === undefined) return undefined;
  return { member: "url", reason, setting: "ASSAY_WEBHOOK_ALLOW_PRIVATE" };
}

/** The server alone: `https://ntfy.sh/…`. */
function cutUrl(url: string): string {
  const { origin, pathname, search, hash } = new URL(url);
  return `${pathname}${search}${hash}` === "/" ? url : `${origin}${CUT}`;
}

export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol);
}

export function hasCredentials(url: string): boolean {
  const { username, password } = new URL(url);
  return `${username}${password}` !== "";
}
