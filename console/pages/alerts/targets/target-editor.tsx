import { useComputed, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { AnswerFacts, WebhookTarget } from "../../../../client/assay-client.ts";
import { api, type Failure, toFailure } from "../../../api.ts";
import { isSameJson } from "../../../filters/filter.ts";
import { Button } from "../../../parts/button.tsx";
import { formatTime } from "../../../parts/format-age.ts";
import type { Choice } from "../../../parts/pick-list.tsx";
import { navigate } from "../../../router.ts";
import { canWrite } from "../../../state/session.ts";
import { showToast } from "../../../state/toasts.ts";
import { targetsWords } from "../../../words/targets.ts";
import { LeaveQuestion } from "../../alert/leave-question.tsx";
import { DeleteTarget } from "./delete-target.tsx";
import { Deliveries } from "./deliveries.tsx";
import { newTarget, toTargetBody, toTargetDraft, toTargetPatch } from "./target-draft.ts";
import { TargetFacts } from "./target-facts.tsx";
import { TargetForm } from "./target-form.tsx";
import { targetPath } from "./target-path.ts";
import { TargetTest } from "./target-test.tsx";

/** One target: its form, a test, and what was sent to it. */
export function TargetEditor(props: {
  readonly target: WebhookTarget | undefined;
  readonly alerts: readonly Choice[];
  readonly onChange: () => void;
}) {
  const { target, alerts } = props;
  const canEdit = canWrite.value && target?.managed_by !== "manifest";
  return (
    <div class="target-page">
      <div class="target-head">
        <a class="quiet" href={targetPath()}>
          {targetsWords.back}
        </a>
        <h2>
          <bdi>{target?.name ?? targetsWords.newTitle}</bdi>
        </h2>
      </div>
      <div class="target-side">
        {target?.gone_at_ms === undefined ? null : (
          <p class="notice">{targetsWords.goneWhy(formatTime(target.gone_at_ms))}</p>
        )}
        {canEdit ? (
          <EditedTarget {...props} />
        ) : target === undefined ? null : (
          <TargetFacts target={target} alerts={alerts} />
        )}
      </div>
      {target === undefined ? null : (
        <div class="target-main">
          <TargetTest targetId={target.id} onArrived={props.onChange} />
          <Deliveries targetId={target.id} />
        </div>
      )}
    </div>
  );
}

function EditedTarget(props: Parameters<typeof TargetEditor>[0]) {
  const { target, alerts } = props;
  const base = useSignal(target === undefined ? newTarget() : toTargetDraft(target));
  const draft = useSignal(base.value);
  const stored = useRef(target);
  const failure = useSignal<Failure | undefined>(undefined);
  const warnings = useSignal<readonly string[]>([]);
  const isDirty = useComputed(() => !isSameJson(draft.value, base.value));
  const isSaving = useSignal(false);
  const write = async (): Promise<void> => {
    let facts: AnswerFacts | undefined;
    const options = {
      onAnswer: (answer: AnswerFacts) => {
        facts = answer;
      },
    };
    const before = stored.current;
    const patch = before === undefined ? undefined : toTargetPatch(draft.value, before);
    if (before !== undefined && patch === undefined) return;
    const saved =
      before === undefined
        ? await api.createWebhookTarget(toTargetBody(draft.value), options)
        : await api.changeWebhookTarget({ target_id: before.id, ...patch }, options);
    stored.current = saved;
    base.value = toTargetDraft(saved);
    draft.value = base.value;
    warnings.value = facts?.warnings ?? [];
    const isNew = before === undefined;
    showToast((isNew ? targetsWords.created : targetsWords.saved)(saved.name));
    props.onChange();
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
  return (
    <form
      class="target-form"
      onSubmit={(event) => {
        event.preventDefault();
        save().catch(reportError);
      }}
    >
      <TargetForm
        draft={draft}
        failure={failure.value}
        hasSecret={target?.has_secret === true}
        isNew={target === undefined}
        alerts={alerts}
      />
      {warnings.value.length === 0 ? null : (
        <div class="notice" role="status">
          {targetsWords.warnings} <bdi>{warnings.value.join("; ")}</bdi>
        </div>
      )}
      <div class="row">
        <Button isMain isSubmit isWrite isBusy={isSaving.value}>
          {target === undefined ? targetsWords.createIt : targetsWords.save}
        </Button>
        {target === undefined ? null : (
          <DeleteTarget
            target={target}
            onDelete={() => {
              draft.value = base.value;
              props.onChange();
            }}
          />
        )}
      </div>
      <LeaveQuestion isDirty={isDirty} />
    </form>
  );
}
