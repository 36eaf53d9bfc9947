import { refusedMember } from "../../filters/refusal.ts";
import { Button } from "../../parts/button.tsx";
import { problemAt } from "../../parts/field-problem.tsx";
import { alertsWords } from "../../words/alerts.ts";
import { words } from "../../words/words.ts";
import { type AlertEditing, saveWarnings } from "./alert-editing.ts";

const FIELDS = ["name", "strategy", "view_id", "filters.configuration_ids"];

/** What became of saving, as far as no field shows it. */
export function SaveState(props: {
  readonly editing: AlertEditing;
  readonly id: string | undefined;
}) {
  const { editing, id } = props;
  const failure = editing.failure.value;
  const { texts } = saveWarnings.value.id === id ? saveWarnings.value : { texts: [] };
  if (failure?.code === "precondition_failed") return <Conflict editing={editing} />;
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

/** The alert was changed elsewhere since it was read: the reader chooses. */
function Conflict({ editing }: { readonly editing: AlertEditing }) {
  return (
    <div class="save-state notice conflict" role="alert">
      <p>{alertsWords.conflict}</p>
      <div class="row">
        <Button onPress={() => void editing.revert().catch(reportError)}>
          {alertsWords.loadStored}
        </Button>
        <Button onPress={() => void editing.overwrite().catch(reportError)}>
          {alertsWords.overwrite}
        </Button>
      </div>
    </div>
  );
}
