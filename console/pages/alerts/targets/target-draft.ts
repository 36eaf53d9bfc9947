/** A target as its form has it. Fields of other kinds stay, in case the reader changes back; only those of the kind are sent. */
import type {
  ChangeWebhookTargetRequest,
  CreateWebhookTargetRequest,
  WebhookTarget,
} from "../../../../client/assay-client.ts";
import { isSameJson } from "../../../filters/filter.ts";

export const KINDS = ["ntfy", "telegram", "email", "standard"] as const;
export type Kind = (typeof KINDS)[number];

export interface TargetDraft {
  readonly name: string;
  readonly kind: Kind;
  readonly url: string;
  /** A new one; empty keeps what is stored. */
  readonly secret: string;
  readonly removesSecret: boolean;
  readonly chatId: string;
  readonly to: string;
  readonly hasQuiet: boolean;
  readonly quietFrom: string;
  readonly quietTo: string;
  readonly zone: string;
  readonly isForAll: boolean;
  readonly alertIds: readonly string[];
}

const SECRET_MEMBERS = { standard: "secret", ntfy: "token", telegram: "bot_token" } as const;
const QUIET = { from: "22:00", to: "07:00" };

export function secretMember(kind: Kind): "secret" | "token" | "bot_token" | undefined {
  return kind === "email" ? undefined : SECRET_MEMBERS[kind];
}

export function newTarget(): TargetDraft {
  return {
    name: "",
    kind: "ntfy",
    url: "",
    secret: "",
    removesSecret: false,
    chatId: "",
    to: "",
    hasQuiet: false,
    quietFrom: QUIET.from,
    quietTo: QUIET.to,
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    isForAll: true,
    alertIds: [],
  };
}

export function toTargetDraft(target: WebhookTarget): TargetDraft {
  const { name, kind, url, chat_id, to, quiet_hours, alerts } = target;
  const empty = newTarget();
  return {
    ...empty,
    name,
    kind: KINDS.find((each) => each === kind) ?? "standard",
    url: url ?? "",
    chatId: chat_id ?? "",
    to: to ?? "",
    hasQuiet: quiet_hours !== undefined,
    quietFrom: quiet_hours?.from ?? empty.quietFrom,
    quietTo: quiet_hours?.to ?? empty.quietTo,
    zone: quiet_hours?.time_zone ?? empty.zone,
    isForAll: alerts === undefined,
    alertIds: alerts ?? [],
  };
}

export function toTargetBody(draft: TargetDraft): CreateWebhookTargetRequest {
  const { name, kind, url, secret, chatId, to, hasQuiet, isForAll, alertIds } = draft;
  const member = secretMember(kind);
  return {
    name: name.trim(),
    kind,
    ...(kind === "standard" || kind === "ntfy" ? { url: url.trim() } : {}),
    ...(member === undefined || secret === "" ? {} : { [member]: secret.trim() }),
    ...(kind === "telegram" ? { chat_id: chatId.trim() } : {}),
    ...(kind === "email" ? { to: to.trim() } : {}),
    ...(hasQuiet
      ? { quiet_hours: { from: draft.quietFrom, to: draft.quietTo, time_zone: draft.zone.trim() } }
      : {}),
    ...(isForAll ? {} : { alerts: alertIds }),
  };
}

type Members = Readonly<Record<string, unknown>>;

/** Only what differs; undefined if nothing does. */
export function toTargetPatch(
  draft: TargetDraft,
  stored: WebhookTarget,
): ChangeWebhookTargetRequest | undefined {
  const before: Members = { ...toTargetBody(toTargetDraft(stored)) };
  const after: Members = { ...toTargetBody(draft) };
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names
    .filter((name) => !isSameJson(before[name], after[name]))
    .map((name) => [name, after[name] ?? null] as const);
  const removed = draft.removesSecret && draft.secret === "" ? [["token", null] as const] : [];
  const all = [...changed, ...removed];
  return all.length === 0 ? undefined : Object.fromEntries(all);
}
