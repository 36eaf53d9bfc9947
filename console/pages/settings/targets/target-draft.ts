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
import { api, type Failure, toFailure, toIfMatch } from "../../../api.ts";
import { isSameJson } from "../../../filters/filter.ts";
import { navigate } from "../../../router.ts";
import { showToast } from "../../../state/toasts.ts";
import {
  CHANNELS,
  type ChannelField,
  type ChannelKind,
  channelKindOf,
  targetsWords,
} from "../../../words/targets.ts";
import { readTarget } from "../../alert/send-to.tsx";

export interface TargetDraft {
  readonly name: string;
  readonly kind: ChannelKind;
  /** By the members of the service. An empty secret keeps what is stored. */
  readonly fields: Readonly<Record<string, string>>;
  readonly removesSecret: boolean;
  readonly hasQuiet: boolean;
  readonly quietFrom: string;
  readonly quietTo: string;
  readonly zone: string;
  readonly isForAll: boolean;
  readonly alertIds: readonly string[];
}

/** In the order of the form. */
export const KINDS = Object.keys(CHANNELS) as readonly ChannelKind[];

type Members = Readonly<Record<string, unknown>>;

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
  const isConflict = useSignal(false);
  const adopt = (now: WebhookTarget): void => {
    stored.current = now;
    base.value = toTargetDraft(now);
    draft.value = base.value;
  };
  const write = async (isOverwriting: boolean): Promise<void> => {
    const before = stored.current;
    const now = before === undefined ? undefined : await readTarget(before.id);
    // Whether it is reached changes by itself; only what a person changed is a conflict.
    if (now !== undefined && !isOverwriting && !isSameJson(toTargetDraft(now.value), base.value)) {
      isConflict.value = true;
      return;
    }
    const saved = await saveTarget(draft.value, now?.value, now?.etag);
    if (saved === undefined) {
      showToast(targetsWords.unchanged);
      return;
    }
    adopt(saved);
    showToast((now === undefined ? targetsWords.created : targetsWords.saved)(saved.name));
    onChange();
    if (now === undefined) navigate(targetPath(saved.id), { isReplacing: true });
  };
  const attempt = async (run: () => Promise<void>): Promise<void> => {
    if (isSaving.value) return;
    isSaving.value = true;
    isConflict.value = false;
    failure.value = undefined;
    try {
      await run();
    } catch (error) {
      failure.value = toFailure(error);
      isConflict.value = failure.value.code === "precondition_failed";
    }
    isSaving.value = false;
  };
  const save = (): Promise<void> => attempt(() => write(false));
  /** Saves also what was changed elsewhere. */
  const overwrite = (): Promise<void> => attempt(() => write(true));
  /** Drops the draft, and shows what is stored now. */
  const revert = (): Promise<void> =>
    attempt(async () => {
      if (stored.current !== undefined) adopt((await readTarget(stored.current.id)).value);
      onChange();
    });
  /** The target is deleted, so there is nothing left to lose. */
  const drop = (): void => {
    draft.value = base.value;
    onChange();
  };
  return { draft, isDirty, failure, isSaving, isConflict, save, overwrite, revert, drop };
}

/** The address of a target, or of all of them. */
export function targetPath(id?: string): string {
  return `/settings?show=notifications${id === undefined ? "" : `&target=${id}`}`;
}

export function fieldsOf(kind: ChannelKind): readonly (readonly [string, ChannelField])[] {
  return Object.entries(CHANNELS[kind].fields);
}

/** Where a target sends to, in one line. */
export function addressOf(target: WebhookTarget): string {
  return shownMembers(target)
    .map(([, value]) => value)
    .join(" ");
}

function shownMembers(target: WebhookTarget): readonly (readonly [string, string])[] {
  const members: Members = { ...target };
  return fieldsOf(channelKindOf(target.kind)).flatMap(([member, { isSecret }]) =>
    isSecret === true ? [] : [[member, String(members[member] ?? "")] as const],
  );
}

function toTargetDraft(target: WebhookTarget): TargetDraft {
  const { name, quiet_hours, alerts } = target;
  const kind = channelKindOf(target.kind);
  const empty = newTarget();
  return {
    ...empty,
    name,
    kind,
    fields: {
      ...empty.fields,
      ...Object.fromEntries(shownMembers(target)),
    },
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
    fields: Object.fromEntries(
      KINDS.flatMap((kind) => fieldsOf(kind).map(([member]) => [member, ""])),
    ),
    removesSecret: false,
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
  etag: string | undefined,
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
      : await api.changeWebhookTarget(
          {
            target_id: stored.id,
            ...patch,
            ...toIfMatch(etag),
          },
          options,
        );
  targetWarnings.value = { id: saved.id, texts };
  return saved;
}

function toTargetBody(draft: TargetDraft): CreateWebhookTargetRequest {
  const { name, kind, fields, hasQuiet, isForAll, alertIds } = draft;
  const given = fieldsOf(kind).flatMap(([member, { isSecret }]) => {
    const value = (fields[member] ?? "").trim();
    return isSecret === true && value === "" ? [] : [[member, value] as const];
  });
  return {
    name: name.trim(),
    kind,
    ...Object.fromEntries(given),
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
  const removed = fieldsOf(draft.kind).flatMap(([member, { isSecret }]) =>
    isSecret === true && draft.removesSecret && (draft.fields[member] ?? "") === ""
      ? [[member, null] as const]
      : [],
  );
  const all = [...changed, ...removed];
  return all.length === 0 ? undefined : Object.fromEntries(all);
}
