import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { api, toFailure } from "../../api.ts";
import { PickList, toggle } from "../../parts/pick-list.tsx";
import { useLoad } from "../../state/load.ts";
import { useSettled } from "../../state/settled.ts";
import { alertsWords } from "../../words/alerts.ts";

const FOUND_MAX = 20;
/** More are not named one by one. */
const NAMES_MAX = 50;
const PAUSE_MS = 250;

/** The configurations whose buys an alert is on: some, or all of them. */
export function ConfigurationChoice(props: {
  readonly ids: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
  readonly problem: string | undefined;
}) {
  const { ids } = props;
  const text = useSignal("");
  const wanted = useSettled(text.value.trim(), PAUSE_MS);
  const chosen = useConfigurationNames(ids);
  const id = useId();
  const load = useLoad([wanted], async (signal) => {
    const q = wanted === "" ? {} : { q: wanted };
    const { items } = await api.listConfigurations({ ...q, limit: FOUND_MAX }, { signal });
    return items.map(({ id, configuration_label }) => ({ id, name: configuration_label }));
  });
  return (
    <section class="form-field" aria-labelledby={id}>
      <h2 id={id}>{alertsWords.configurations}</h2>
      <p class="sub">{alertsWords.configurationsHint}</p>
      {props.problem === undefined ? null : (
        <p class="problem" role="alert">
          <bdi>{props.problem}</bdi>
        </p>
      )}
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

const names = new Map<string, string>();

async function nameOf(id: string, signal: AbortSignal): Promise<string> {
  const known = names.get(id);
  if (known !== undefined) return known;
  try {
    const { label, brand, reference } = await api.getConfiguration({ id }, { signal });
    const name = label ?? `${brand} ${reference}`;
    names.set(id, name);
    return name;
  } catch (error) {
    if (toFailure(error).kind === "missing") return alertsWords.configurationGone(id);
    throw error;
  }
}
