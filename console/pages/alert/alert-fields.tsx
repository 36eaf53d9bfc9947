import { useId } from "preact/hooks";
import { api } from "../../api.ts";
import { FieldProblem, problemAt } from "../../parts/field-problem.tsx";
import { Switch } from "../../parts/switch.tsx";
import { useLoad } from "../../state/load.ts";
import { alertsWords } from "../../words/alerts.ts";
import { STRATEGIES } from "./alert-draft.ts";
import type { AlertEditing } from "./alert-editing.ts";
import { ConfigurationChoice } from "./configuration-choice.tsx";

const NAME_MAX = 120;
const VIEWS_MAX = 200;

/** Everything of an alert but its filter. */
export function AlertFields({ editing }: { readonly editing: AlertEditing }) {
  const { name, enabled, strategy, configurationIds } = editing.draft.value;
  const failure = editing.failure.value;
  const id = useId();
  return (
    <>
      <div class="form-field">
        <label for={`${id}-name`}>{alertsWords.name}</label>
        <input
          id={`${id}-name`}
          maxLength={NAME_MAX}
          required
          value={name}
          aria-invalid={problemAt(failure, "name") !== undefined}
          aria-describedby={`${id}-name-problem`}
          onInput={(event) => editing.change({ name: event.currentTarget.value })}
        />
        <FieldProblem id={`${id}-name-problem`}>{problemAt(failure, "name")}</FieldProblem>
      </div>
      <Switch
        isOn={enabled}
        label={alertsWords.enabled}
        hint={alertsWords.enabledHint}
        onChange={(isOn) => editing.change({ enabled: isOn })}
      />
      <fieldset class="choice strategies">
        <legend>{alertsWords.strategy}</legend>
        {STRATEGIES.map((each) => (
          <label key={each}>
            <input
              type="radio"
              name={`${id}-strategy`}
              checked={strategy === each}
              onChange={() => editing.change({ strategy: each })}
            />
            {alertsWords.strategies[each]}
          </label>
        ))}
        <p class="sub">{alertsWords.strategyHints[strategy]}</p>
        <FieldProblem>{problemAt(failure, "strategy")}</FieldProblem>
      </fieldset>
      {strategy === "price_engine" ? (
        <ConfigurationChoice
          ids={configurationIds}
          onChange={(ids) => editing.change({ configurationIds: ids })}
          problem={problemAt(failure, "filters.configuration_ids")}
        />
      ) : null}
      <ViewField editing={editing} />
    </>
  );
}

function ViewField({ editing }: { readonly editing: AlertEditing }) {
  const { viewId } = editing.draft.value;
  const load = useLoad(
    [],
    async (signal) => (await api.listViews({ limit: VIEWS_MAX }, { signal })).items,
  );
  const views = load.state.value.value;
  const id = useId();
  const isKnown = viewId === undefined || views?.some((view) => view.id === viewId) === true;
  return (
    <div class="form-field">
      <label for={id}>{alertsWords.view}</label>
      <select
        id={id}
        aria-describedby={`${id}-hint`}
        value={viewId ?? ""}
        onChange={({ currentTarget: { value } }) =>
          editing.change({ viewId: value === "" ? undefined : value })
        }
      >
        <option value="">{alertsWords.noView}</option>
        {isKnown ? null : (
          <option value={viewId}>{views === undefined ? "" : alertsWords.viewGone}</option>
        )}
        {views?.map((view) => (
          <option key={view.id} value={view.id}>
            {view.name}
          </option>
        ))}
      </select>
      <p id={`${id}-hint`} class="sub">
        {alertsWords.viewHint}
      </p>
      <FieldProblem>{problemAt(editing.failure.value, "view_id")}</FieldProblem>
    </div>
  );
}
