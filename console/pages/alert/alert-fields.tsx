import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { api, toFailure } from "../../api.ts";
import { type Filter, isTexts } from "../../filters/filter.ts";
import { PickList, Switch, toggle } from "../../parts/choice.tsx";
import { FieldProblem, problemAt } from "../../parts/form.tsx";
import { TYPING_PAUSE_MS, useLoad, useSettled } from "../../state/load.ts";
import { alertsWords } from "../../words/alerts.ts";
import { STRATEGIES } from "./alert-draft.ts";
import type { AlertEditing } from "./alert-editing.ts";

const NAME_MAX = 120;
const VIEWS_MAX = 200;
const FOUND_MAX = 20;
/** More are not named one by one. */
const NAMES_MAX = 50;
/** Of configurations, by id. */
const knownNames = new Map<string, string>();

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
          references={referencesOf(editing.draft.value.filter)}
          onChange={(ids) => editing.change({ configurationIds: ids })}
          problem={problemAt(failure, "filters.configuration_ids")}
        />
      ) : null}
      <ViewField editing={editing} />
    </>
  );
}

/** Configurations by name, in the order of their ids. One that was deleted says so. */
export function useConfigurationNames(ids: readonly string[]) {
  const load = useLoad([ids.join()], (signal) =>
    Promise.all(
      ids.slice(0, NAMES_MAX).map(async (id) => ({ id, name: await nameOf(id, signal) })),
    ),
  );
  const known = new Map((load.state.value.value ?? []).map(({ id, name }) => [id, name]));
  return ids.map((id) => ({ id, name: known.get(id) ?? id.slice(0, 8) }));
}

/** The configurations whose buys an alert is on: some, or all of them. */
function ConfigurationChoice(props: {
  readonly ids: readonly string[];
  /** Of the filter: the rules for these come first. */
  readonly references: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
  readonly problem: string | undefined;
}) {
  const { ids, references } = props;
  const text = useSignal("");
  const wanted = useSettled(text.value.trim(), TYPING_PAUSE_MS);
  const chosen = useConfigurationNames(ids);
  const id = useId();
  const load = useLoad([wanted, references.join()], async (signal) => {
    const asked = wanted === "" ? references.map((reference) => ({ reference })) : [{ q: wanted }];
    const pages = await Promise.all(
      (asked.length === 0 ? [{}] : asked).map((part) =>
        api.listConfigurations({ ...part, limit: FOUND_MAX }, { signal }),
      ),
    );
    const items = pages.flatMap((page) => page.items);
    return items.map(({ id, configuration_label }) => ({ id, name: configuration_label }));
  });
  return (
    <section class="form-field" aria-labelledby={id}>
      <h2 id={id}>{alertsWords.configurations}</h2>
      <p class="sub">
        {alertsWords.configurationsHint}{" "}
        {references.length === 0 ? null : alertsWords.configurationsOf(references.join(", "))}
      </p>
      <FieldProblem>{props.problem}</FieldProblem>
      <PickList
        findLabel={alertsWords.findConfiguration}
        chosen={chosen}
        found={load.state.value.value}
        text={text.value}
        onText={(next) => {
          text.value = next;
        }}
        onToggle={(each) => props.onChange(toggle(ids, each))}
      />
    </section>
  );
}

/** More are found by typing. */
const REFERENCES_MAX = 6;

function referencesOf(filter: Filter): readonly string[] {
  const references = filter["reference"];
  return isTexts(references) ? references.slice(0, REFERENCES_MAX) : [];
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

async function nameOf(id: string, signal: AbortSignal): Promise<string> {
  const known = knownNames.get(id);
  if (known !== undefined) return known;
  try {
    const { label, brand, reference } = await api.getConfiguration({ id }, { signal });
    const name = label ?? `${brand} ${reference}`;
    knownNames.set(id, name);
    return name;
  } catch (error) {
    if (toFailure(error).kind === "missing") return alertsWords.configurationGone;
    throw error;
  }
}
