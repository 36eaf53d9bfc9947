/**
 * What the form of a target holds: the draft, and what became of saving it. Fields of other kinds stay in the draft, in case the
 * reader changes back; only those of the kind are sent.
 */
import { signal, useComputed, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type {
  AnswerFacts,
  ChangeWebhookTargetRequest,
  CreateWebhookTargetRequest,
  WebhookTarget,
} from "../../../../client/assay-client.ts";
import { api, type Failure, toFailure } from "../../../api.ts";
import { isSameJson } from "../../../filters/filter.ts";
import { navigate } from "../../../router.ts";
import { showToast } from "../../../state/toasts.ts";
import { targetsWords } from "../../../words/targets.ts";

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

type Members = Readonly<Record<string, unknown>>;

const SECRET_MEMBERS = { standard: "secret", ntfy: "token", telegram: "bot_token" } as const;
const QUIET = { from: "22:00", to: "07:00" };

/** What saving warned of, by target: a new target gets an address of its own, where this is shown. */
export const targetWarnings = signal<{ readonly id: string; readonly texts: readonly string[] }>({
  id: "",
  texts: [],
});

export function useTargetEditing(target: WebhookTarget | undefined, onChange: () => void) {
  const base = useSignal(target === undefined ? newTarget() : toTargetDraft(target));
  const draft = useSignal(base.value);
  const stored = useRef(target);
  const failure = useSignal<Failure | undefined>(undefined);
  const isDirty = useComputed(() => !isSameJson(draft.value, base.value));
  const isSaving = useSignal(false);
  const write = async (): Promise<void> => {
    const isNew = stored.current === undefined;
    const saved = await saveTarget(draft.value, stored.current);
    if (saved === undefined) {
      showToast(targetsWords.unchanged);
      return;
    }
    stored.current = saved;
    base.value = toTargetDraft(saved);
    draft.value = base.value;
    showToast((isNew ? targetsWords.created : targetsWords.saved)(saved.name));
    onChange();
    if (isNew) navigate(targetPath(saved.id), { isReplacing: true });
  };
  const save = async (): Promise<void> => {
    if (isSaving.value) return;
    isSaving.value = true;
    failure.value = undefined;
    try {
      await write();
    } catch (error) {
      failure.value = toFailure(error);
    }
    isSaving.value = false;
  };
  /** The target is deleted, so there is nothing left to lose. */
  const drop = (): void => {
    draft.value = base.value;
    onChange();
  };
  return { draft, isDirty, failure, isSaving, save, drop };
}

/** The address of a target, or of all of them. */
export function targetPath(id?: string): string {
  return `/alerts?show=targets${id === undefined ? "" : `&target=${id}`}`;
}

export function secretMember(kind: Kind): "secret" | "token" | "bot_token" | undefined {
  return kind === "email" ? undefined : SECRET_MEMBERS[kind];
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

function newTarget(): TargetDraft {
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

/** Creates the target, or changes what differs from `stored`. Returns undefined if nothing does. */
async function saveTarget(
  draft: TargetDraft,
  stored: WebhookTarget | undefined,
): Promise<WebhookTarget | undefined> {
  let texts: readonly string[] = [];
  const options = {
    onAnswer: ({ warnings }: AnswerFacts) => {
      texts = warnings;
    },
  };
  const patch = stored === undefined ? undefined : toTargetPatch(draft, stored);
  if (stored !== undefined && patch === undefined) return undefined;
  const saved =
    stored === undefined
      ? await api.createWebhookTarget(toTargetBody(draft), options)
      : await api.changeWebhookTarget({ target_id: stored.id, ...patch }, options);
  targetWarnings.value = { id: saved.id, texts };
  return saved;
}

function toTargetBody(draft: TargetDraft): CreateWebhookTargetRequest {
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

/** Only what differs; undefined if nothing does. */
function toTargetPatch(
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
