/** Where an alert is sent. A notification names its alerts, so a choice here changes the notification, at once for a stored alert. */
import type { Signal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { WebhookTarget } from "../../../client/assay-client.ts";
import { api, readTagged, toFailure, toIfMatch } from "../../api.ts";
import { toggle } from "../../parts/choice.tsx";
import { type Load, useLoad, useRefresh } from "../../state/load.ts";
import { showToast, tellFailure } from "../../state/toasts.ts";
import { alertsWords } from "../../words/alerts.ts";
import { targetsWords } from "../../words/targets.ts";

const TARGETS_MAX = 200;
/** Also when the reader comes back from the tab where one was added. */
const REFRESH_MS = 60_000;

export async function readTargets(signal: AbortSignal): Promise<readonly WebhookTarget[]> {
  return (await api.listWebhookTargets({ limit: TARGETS_MAX }, { signal })).items;
}

/** A target as the service has it now. */
export function readTarget(target_id: string): ReturnType<typeof readTagged<WebhookTarget>> {
  return readTagged((options) => api.getWebhookTarget({ target_id }, options));
}

/** True if the matches of this alert are sent there. */
export function isSentTo({ alerts }: WebhookTarget, alertId: string): boolean {
  return alerts === undefined || alerts.includes(alertId);
}

export function SendTo(props: {
  /** Absent for one that is not saved yet: its choice waits in `chosen`. */
  readonly alert: { readonly id: string; readonly name: string } | undefined;
  readonly chosen: Signal<readonly string[]>;
}) {
  const load = useLoad([], readTargets);
  useRefresh(load.reload, REFRESH_MS);
  const id = useId();
  return (
    <section class="form-field send-to" aria-labelledby={id}>
      <h2 id={id}>{alertsWords.sendTo}</h2>
      <p class="sub">{alertsWords.sendToHint}</p>
      <ul class="pick-found">
        {(load.state.value.value ?? []).map((target) => (
          <Target key={target.id} target={target} load={load} {...props} />
        ))}
      </ul>
      <a
        class="button"
        href="/settings?show=notifications&target=new"
        target="_blank"
        rel="noreferrer"
        title={alertsWords.addedElsewhere}
      >
        {alertsWords.addAnother}
      </a>
    </section>
  );
}

function Target(
  props: Parameters<typeof SendTo>[0] & {
    readonly target: WebhookTarget;
    readonly load: Load<readonly WebhookTarget[]>;
  },
) {
  const { target, alert, chosen, load } = props;
  const id = useId();
  const why = whyFixed(target, alert?.id);
  const isOn =
    alert === undefined
      ? target.alerts === undefined || chosen.value.includes(target.id)
      : isSentTo(target, alert.id);
  const change = async (): Promise<void> => {
    if (alert === undefined) {
      chosen.value = toggle(chosen.value, target.id);
      return;
    }
    const changed = await sendThere(target.id, alert.id, !isOn);
    load.change((all) => all.map((each) => (each.id === target.id ? changed : each)));
    showToast(
      isOn
        ? alertsWords.sendsNoMore(alert.name, target.name)
        : alertsWords.sendsNow(alert.name, target.name),
    );
  };
  return (
    <li>
      <input
        id={id}
        type="checkbox"
        checked={isOn}
        disabled={why !== undefined}
        onChange={() => void change().catch(tellFailure)}
      />
      <label for={id}>
        <span>
          <bdi>{target.name}</bdi>{" "}
          <span class="sub">
            {targetsWords.kindOf(target.kind)}
            {why === undefined ? "" : `, ${why}`}
          </span>
        </span>
      </label>
    </li>
  );
}

/** Sends a new alert to those that were chosen. A toast says which failed; the alert is there anyway. */
export async function sendNewAlert(alertId: string, targetIds: readonly string[]): Promise<void> {
  if (targetIds.length === 0) return;
  const targets = await readTargets(new AbortController().signal);
  for (const target of targets.filter((each) => targetIds.includes(each.id))) {
    try {
      await sendThere(target.id, alertId, true);
    } catch (error) {
      const text = alertsWords.notSentTo(target.name, toFailure(error).message);
      showToast(text, { isBad: true });
    }
  }
}

/** Deletes an alert. It leaves the notifications that name others too; one that names only this alert is said by the failure. */
export async function removeAlert(alertId: string): Promise<void> {
  const targets = await readTargets(new AbortController().signal);
  for (const target of targets) {
    const { alerts = [] } = target;
    if (alerts.includes(alertId) && alerts.length > 1) {
      await sendThere(target.id, alertId, false);
    }
  }
  await api.deleteAlert({ alert_id: alertId });
}

/**
 * Adds the alert to those of the notification, or takes it out. The list is sent whole, so it is the list of now, and the tag says so: what
 * someone else has chosen meanwhile stays.
 */
async function sendThere(id: string, alertId: string, isSent: boolean): Promise<WebhookTarget> {
  const { value: target, etag } = await readTarget(id);
  const { alerts } = target;
  if (alerts === undefined || alerts.includes(alertId) === isSent) return target;
  return api.changeWebhookTarget({
    target_id: id,
    alerts: toggle(alerts, alertId),
    ...toIfMatch(etag),
  });
}

/** Why the choice cannot be changed here. */
function whyFixed(target: WebhookTarget, alertId: string | undefined): string | undefined {
  const { alerts, managed_by } = target;
  if (alerts === undefined) return alertsWords.sendAll;
  if (managed_by === "manifest") return alertsWords.sendFile;
  return alertId !== undefined && alerts.length === 1 && alerts[0] === alertId
    ? alertsWords.sendOnly
    : undefined;
}
