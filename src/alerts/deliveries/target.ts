import { isEmail } from "../../base/address.ts";
import { dropNulls } from "../../db/row.ts";
import type { ChannelOptions } from "./channels/channel.ts";
import { refusalOf } from "./post-webhook.ts";
import { findQuietHoursProblem, type QuietHours } from "./quiet-hours.ts";

/** `standard` posts signed JSON for programs. The others send short texts to people. */
export const TARGET_KINDS = ["standard", "ntfy", "telegram", "email"] as const;

export type TargetKind = (typeof TARGET_KINDS)[number];

/** Where a target is, as it is stored. Which columns have a value depends on the kind. */
export interface TargetAddress {
  readonly kind: TargetKind;
  /** Of `standard` and `ntfy`. */
  readonly url: string | null;
  /** The key of `standard`, the token of `ntfy` and `telegram`. Never shown. */
  readonly secret: string | null;
  /** The chat of `telegram`, the address of `email`. */
  readonly recipient: string | null;
}

/** The members of a target as a manifest or the API declares it. */
interface DeclaredAddress {
  readonly kind?: TargetKind | undefined;
  readonly url?: string | undefined;
  readonly secret?: string | undefined;
  readonly token?: string | undefined;
  readonly bot_token?: string | undefined;
  readonly chat_id?: string | number | undefined;
  readonly to?: string | undefined;
  readonly quiet_hours?: QuietHours | undefined;
}

type Member = Exclude<keyof DeclaredAddress, "kind" | "quiet_hours">;

interface MemberProblem {
  readonly path: readonly string[];
  readonly text: string;
}

/** The members of each kind; those with `isOptional` may be absent. */
const MEMBERS: Readonly<
  Record<TargetKind, Readonly<Partial<Record<Member, { readonly isOptional: boolean }>>>>
> = {
  standard: { url: { isOptional: false }, secret: { isOptional: false } },
  ntfy: { url: { isOptional: false }, token: { isOptional: true } },
  telegram: { bot_token: { isOptional: false }, chat_id: { isOptional: false } },
  email: { to: { isOptional: false } },
};

const ALL_MEMBERS: readonly Member[] = ["url", "secret", "token", "bot_token", "chat_id", "to"];

const SECRETS: ReadonlySet<Member> = new Set(["secret", "token", "bot_token"]);

/**
 * Returns every problem of a declared target. The texts never show a value, because it may be a secret. If `stored` has the
 * secret, it need not be declared again.
 */
export function findTargetProblems(
  declared: DeclaredAddress,
  stored?: TargetAddress,
): readonly MemberProblem[] {
  const kind = declared.kind ?? "standard";
  const members = MEMBERS[kind];
  const problems = ALL_MEMBERS.flatMap((member): readonly MemberProblem[] => {
    const rule = members[member];
    const value = declared[member];
    if (rule === undefined) {
      const text = `does not belong to a target of the kind ${kind}`;
      return value === undefined ? [] : [{ path: [member], text }];
    }
    if (value === undefined) {
      const text = `is required for a target of the kind ${kind}`;
      const isKept = SECRETS.has(member) && stored?.kind === kind && stored.secret !== null;
      return rule.isOptional || isKept ? [] : [{ path: [member], text }];
    }
    const text = findValueProblem(kind, member, String(value));
    return text === undefined ? [] : [{ path: [member], text }];
  });
  const quiet = declared.quiet_hours && findQuietHoursProblem(declared.quiet_hours);
  if (quiet === undefined) return problems;
  return [...problems, { path: ["quiet_hours", quiet.member], text: quiet.text }];
}

export function toTargetAddress(declared: DeclaredAddress): TargetAddress {
  const kind = declared.kind ?? "standard";
  return {
    kind,
    url: declared.url ?? null,
    secret: declared.secret ?? declared.token ?? declared.bot_token ?? null,
    recipient: declared.to ?? (declared.chat_id === undefined ? null : String(declared.chat_id)),
  };
}

/** The address with the secret of the stored target, if it has none of its own and the kind is the same. */
export function keepSecret(
  address: TargetAddress,
  stored: TargetAddress | undefined,
): TargetAddress {
  if (address.secret !== null || stored?.kind !== address.kind) return address;
  return { ...address, secret: stored.secret };
}

/** The members that declare this address; the reverse of `toTargetAddress`. */
export function toDeclaredAddress({ kind, url, secret, recipient }: TargetAddress) {
  return dropNulls({
    kind,
    url,
    secret: kind === "standard" ? secret : null,
    token: kind === "ntfy" ? secret : null,
    bot_token: kind === "telegram" ? secret : null,
    chat_id: kind === "telegram" ? recipient : null,
    to: kind === "email" ? recipient : null,
  });
}

const SECRET_BYTES = { min: 24, max: 64 };

/** A token goes into a header, so it has no spaces and no control characters. */
const NTFY_TOKEN = /^[\x21-\x7e]{1,200}$/;

/** It becomes a part of the path, so it has nothing but these characters. */
const BOT_TOKEN = /^\d{1,20}:[A-Za-z0-9_-]{20,100}$/;

const CHAT_ID = /^(?:-?\d{1,20}|@[A-Za-z]\w{3,40})$/;

function findValueProblem(kind: TargetKind, member: Member, value: string): string | undefined {
  switch (member) {
    case "url":
      if (!isHttpUrl(value)) return "must be an http or https address";
      // The address is shown, and a password is a secret. What is sent is signed.
      if (hasCredentials(value)) return "must not have a user name or a password";
      return kind === "ntfy" && toNtfyTopic(value) === undefined
        ? "must be the address of a topic, such as https://ntfy.sh/my-topic"
        : undefined;
    case "secret":
      return isSecret(value)
        ? undefined
        : "must be whsec_ and then 24 to 64 random bytes in base64, such as from: openssl rand -base64 32";
    case "token":
      return NTFY_TOKEN.test(value) ? undefined : "must be an access token of ntfy, without spaces";
    case "bot_token":
      return BOT_TOKEN.test(value)
        ? undefined
        : "must be the token of a bot, as BotFather shows it: digits, a colon, and letters";
    case "chat_id":
      return CHAT_ID.test(value)
        ? undefined
        : "must be the number of a chat, or the @name of a channel";
    case "to":
      return isEmail(value) ? undefined : "must be one e-mail address, without a name";
  }
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol);
}

function hasCredentials(url: string): boolean {
  const { username, password } = new URL(url);
  return `${username}${password}` !== "";
}

/** The secret has the format of the Standard Webhooks specification. */
function isSecret(text: string): boolean {
  const [, base64 = ""] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const { byteLength } = Buffer.from(base64, "base64");
  return byteLength >= SECRET_BYTES.min && byteLength <= SECRET_BYTES.max;
}

/** Splits the address of a topic into the address of its server and its name; undefined if it is not one. */
export function toNtfyTopic(
  url: string,
): { readonly serverUrl: string; readonly topic: string } | undefined {
  if (!isHttpUrl(url)) return undefined;
  const { origin, pathname, search, hash } = new URL(url);
  const [, folder = "", topic] = /^(.*\/)([-\w]{1,64})$/.exec(pathname) ?? [];
  if (topic === undefined || `${search}${hash}` !== "" || hasCredentials(url)) return undefined;
  return { serverUrl: `${origin}${folder}`, topic };
}

/** Why nothing will be sent to a declared target. */
interface TargetRefusal {
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
