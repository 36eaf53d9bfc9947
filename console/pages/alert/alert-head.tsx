import type { ComponentChildren } from "preact";
import type { Alert } from "../../../client/assay-client.ts";
import { refusedMember } from "../../filters/filter-bar.tsx";
import { problemAt } from "../../parts/form.tsx";
import { PageHeading } from "../../parts/layout.tsx";
import { ConflictNotice } from "../../parts/states.tsx";
import { Tag } from "../../parts/table.tsx";
import { canWrite } from "../../state/session.ts";
import { alertsWords } from "../../words/alerts.ts";
import { words } from "../../words/words.ts";
import { toDraft, toNewPath } from "./alert-draft.ts";
import { type AlertEditing, saveWarnings } from "./alert-editing.ts";
import { MuteSwitch } from "./mute.tsx";

const FIELDS = ["name", "strategy", "view_id", "filters.configuration_ids"];

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
            {alert.managed_by === "api" ? alertsWords.copy : alertsWords.editCopy}
          </a>
        )}
        {props.children}
      </div>
    </div>
  );
}

/** What became of saving, as far as no field shows it. */
export function SaveState(props: {
  readonly editing: AlertEditing;
  readonly id: string | undefined;
}) {
  const { editing, id } = props;
  const failure = editing.failure.value;
  const { texts } = saveWarnings.value.id === id ? saveWarnings.value : { texts: [] };
  if (failure?.code === "precondition_failed") {
    return (
      <div class="save-state">
        <ConflictNotice text={alertsWords.conflict} editing={editing} />
      </div>
    );
  }
  const isAtField =
    failure !== undefined &&
    (refusedMember(failure) !== undefined ||
      FIELDS.some((field) => problemAt(failure, field) !== undefined));
  return (
    <div class="save-state">
      {failure === undefined || isAtField ? null : (
        <div class="problem" role="alert">
          <p>
            <bdi>{failure.kind === "offline" ? words.states.notSaved : failure.message}</bdi>
          </p>
          {failure.requestId === undefined ? null : (
            <p>
              {words.states.requestId} <code>{failure.requestId}</code>
            </p>
          )}
        </div>
      )}
      {texts.length === 0 ? null : (
        <div class="notice" role="status">
          <p>{alertsWords.warnings}</p>
          <ul>
            {texts.map((text) => (
              <li key={text}>
                <bdi>{text}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function toCopyPath(alert: Alert): string {
  return toNewPath({ ...toDraft(alert), name: alertsWords.copyOf(alert.name) });
}
