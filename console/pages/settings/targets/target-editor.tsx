import { useSignal } from "@preact/signals";
import type { TestResult, WebhookTarget } from "../../../../client/assay-client.ts";
import { api, toFailure } from "../../../api.ts";
import { Button } from "../../../parts/button.tsx";
import type { Choice } from "../../../parts/choice.tsx";
import { DeleteButton, LeaveQuestion } from "../../../parts/dialog.tsx";
import { ConflictNotice } from "../../../parts/states.tsx";
import { formatTime } from "../../../words/formats.ts";
import { CHANNELS, channelKindOf, targetsWords } from "../../../words/targets.ts";
import { Deliveries } from "./deliveries.tsx";
import { addressOf, targetPath, targetWarnings, useTargetEditing } from "./target-draft.ts";
import { nameOf } from "./target-fields.tsx";
import { TargetForm } from "./target-form.tsx";

/** The service itself takes up to ten seconds. */
const TIMEOUT_MS = 20_000;

/** One target: its form, a test, and what was sent to it. */
export function TargetEditor(props: {
  readonly target: WebhookTarget | undefined;
  readonly alerts: readonly Choice[];
  readonly onChange: () => void;
}) {
  const { target, alerts } = props;
  const canEdit = target?.managed_by !== "manifest";
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
        {canEdit ? <EditedTarget {...props} /> : <TargetFacts target={target} alerts={alerts} />}
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
  const editing = useTargetEditing(target, props.onChange);
  const { draft, isDirty, failure, isSaving, isConflict, save, drop } = editing;
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
        failure={isConflict.value ? undefined : failure.value}
        hasSecret={target?.has_secret === true}
        isNew={target === undefined}
        alerts={alerts}
      />
      {isConflict.value ? <ConflictNotice text={targetsWords.conflict} editing={editing} /> : null}
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

/** A target that is not changed here: what it is, and why. */
function TargetFacts(props: {
  readonly target: WebhookTarget;
  readonly alerts: readonly Choice[];
}) {
  const { target, alerts } = props;
  const { quiet_hours } = target;
  return (
    <>
      <p class="notice">{targetsWords.manifestWhy}</p>
      <dl class="alert-facts">
        <div>
          <dt>{targetsWords.where}</dt>
          <dd>
            {CHANNELS[channelKindOf(target.kind)].name} <bdi>{addressOf(target)}</bdi>
          </dd>
        </div>
        <div>
          <dt>{targetsWords.alerts}</dt>
          <dd>
            {target.alerts === undefined ? (
              targetsWords.allAlerts
            ) : (
              <ul>
                {target.alerts.map((id) => (
                  <li key={id}>
                    <bdi>{nameOf(alerts, id)}</bdi>
                  </li>
                ))}
              </ul>
            )}
          </dd>
        </div>
        {quiet_hours === undefined ? null : (
          <div>
            <dt>{targetsWords.quiet}</dt>
            <dd>
              {quiet_hours.from}–{quiet_hours.to} {quiet_hours.time_zone}
            </dd>
          </div>
        )}
      </dl>
    </>
  );
}

/** Sends a test message and says what became of it. */
function TargetTest(props: { readonly targetId: string; readonly onArrived: () => void }) {
  const result = useSignal<TestResult | undefined>(undefined);
  const isBusy = useSignal(false);
  const send = async (): Promise<void> => {
    isBusy.value = true;
    result.value = undefined;
    try {
      const input = { target_id: props.targetId };
      result.value = await api.testWebhookTarget(input, { timeoutMs: TIMEOUT_MS });
      if (result.value.is_delivered) props.onArrived();
    } catch (error) {
      result.value = { is_delivered: false, result: toFailure(error).message };
    }
    isBusy.value = false;
  };
  return (
    <div class="target-test">
      <Button isWrite isBusy={isBusy.value} onPress={() => void send().catch(reportError)}>
        {isBusy.value ? targetsWords.testing : targetsWords.test}
      </Button>
      <div role="status">{result.value === undefined ? null : <Result {...result.value} />}</div>
    </div>
  );
}

function Result({ is_delivered, result, help }: TestResult) {
  return (
    <div class={is_delivered ? "arrived" : "problem"}>
      <bdi>{is_delivered ? targetsWords.arrived(result) : targetsWords.failed(result)}</bdi>
      {help === undefined ? null : (
        <p>
          <bdi>{help}</bdi>
        </p>
      )}
    </div>
  );
}
