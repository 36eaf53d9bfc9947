import type { WebhookTarget } from "../../../../client/assay-client.ts";
import { api } from "../../../api.ts";
import { Button } from "../../../parts/button.tsx";
import { DeleteButton } from "../../../parts/delete-button.tsx";
import { formatTime } from "../../../parts/format-age.ts";
import { LeaveQuestion } from "../../../parts/leave-question.tsx";
import type { Choice } from "../../../parts/pick-list.tsx";
import { canWrite } from "../../../state/session.ts";
import { targetsWords } from "../../../words/targets.ts";
import { Deliveries } from "./deliveries.tsx";
import { targetWarnings, useTargetEditing } from "./target-editing.ts";
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
  const { draft, isDirty, failure, isSaving, save, drop } = useTargetEditing(
    target,
    props.onChange,
  );
  const warnings = targetWarnings.value.id === target?.id ? targetWarnings.value.texts : [];
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
      {warnings.length === 0 ? null : (
        <div class="notice" role="status">
          {targetsWords.warnings} <bdi>{warnings.join("; ")}</bdi>
        </div>
      )}
      <div class="row">
        <Button isMain isSubmit isWrite isBusy={isSaving.value}>
          {target === undefined ? targetsWords.createIt : targetsWords.save}
        </Button>
        {target === undefined ? null : (
          <DeleteButton
            name={target.name}
            hint={targetsWords.removeHint}
            remove={() => api.deleteWebhookTarget({ target_id: target.id })}
            onDelete={drop}
            path={targetPath()}
          />
        )}
      </div>
      <LeaveQuestion isDirty={isDirty} />
    </form>
  );
}
