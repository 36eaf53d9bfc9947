import type { WebhookTarget } from "../../../../client/assay-client.ts";
import type { Choice } from "../../../parts/pick-list.tsx";
import { canWrite } from "../../../state/session.ts";
import { targetsWords } from "../../../words/targets.ts";
import { nameOf } from "./alert-choice.tsx";
import { toTargetDraft } from "./target-draft.ts";

/** A target that is not changed here: what it is, and why. */
export function TargetFacts(props: {
  readonly target: WebhookTarget;
  readonly alerts: readonly Choice[];
}) {
  const { target, alerts } = props;
  const { quiet_hours } = target;
  return (
    <>
      <p class="notice">{canWrite.value ? targetsWords.manifestWhy : targetsWords.readOnlyWhy}</p>
      <dl class="alert-facts">
        <div>
          <dt>{targetsWords.where}</dt>
          <dd>
            {targetsWords.kinds[toTargetDraft(target).kind]}{" "}
            <bdi>{target.url ?? target.to ?? target.chat_id ?? ""}</bdi>
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
