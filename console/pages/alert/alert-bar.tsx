import type { ComponentChildren } from "preact";
import type { Alert } from "../../../client/assay-client.ts";
import { PageHeading } from "../../parts/page-heading.tsx";
import { Tag } from "../../parts/tag.tsx";
import { canWrite } from "../../state/session.ts";
import { alertsWords } from "../../words/alerts.ts";
import { MuteSwitch } from "../alerts/mute-switch.tsx";
import { toDraft, toNewPath } from "./alert-draft.ts";

/** The head of an alert: its name, what it is, and what can be done with it. */
export function AlertBar(props: {
  readonly title: string;
  /** Absent for one that is not saved yet. */
  readonly alert: Alert | undefined;
  readonly children?: ComponentChildren;
}) {
  const { title, alert } = props;
  return (
    <div class="alert-bar">
      <a class="quiet" href={alert?.is_system === true ? "/alerts?show=prices" : "/alerts"}>
        {alertsWords.back}
      </a>
      <PageHeading title={title}>
        <bdi>{title}</bdi>
      </PageHeading>
      {alert?.enabled === false ? <Tag tone="warn">{alertsWords.off}</Tag> : null}
      {alert?.managed_by === "manifest" ? <Tag>{alertsWords.ofManifest}</Tag> : null}
      <div class="alert-actions">
        {alert === undefined ? null : <MuteSwitch alert={alert} />}
        {alert === undefined || !canWrite.value ? null : (
          <a class="button" href={toCopyPath(alert)}>
            {alertsWords.copy}
          </a>
        )}
        {props.children}
      </div>
    </div>
  );
}

function toCopyPath(alert: Alert): string {
  return toNewPath({ ...toDraft(alert), name: alertsWords.copyOf(alert.name) });
}
