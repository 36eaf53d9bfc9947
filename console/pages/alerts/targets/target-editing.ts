/** What the form of a target holds: the draft, and what became of saving it. */
import { signal, useComputed, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { AnswerFacts, WebhookTarget } from "../../../../client/assay-client.ts";
import { api, type Failure, toFailure } from "../../../api.ts";
import { isSameJson } from "../../../filters/filter.ts";
import { navigate } from "../../../router.ts";
import { showToast } from "../../../state/toasts.ts";
import { targetsWords } from "../../../words/targets.ts";
import {
  newTarget,
  type TargetDraft,
  toTargetBody,
  toTargetDraft,
  toTargetPatch,
} from "./target-draft.ts";
import { targetPath } from "./target-path.ts";

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
