import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { FieldProblem } from "../../../parts/field-problem.tsx";
import { type Choice, PickList, toggle } from "../../../parts/pick-list.tsx";
import { targetsWords } from "../../../words/targets.ts";
import type { TargetDraft } from "./target-draft.ts";

const FOUND_MAX = 20;

/** Which alerts a target takes: all of them, or some. */
export function AlertChoice(props: {
  readonly draft: TargetDraft;
  readonly alerts: readonly Choice[];
  readonly problem: string | undefined;
  readonly onChange: (part: Partial<TargetDraft>) => void;
}) {
  const { alerts, onChange } = props;
  const { isForAll, alertIds } = props.draft;
  const text = useSignal("");
  const id = useId();
  const wanted = text.value.trim().toLowerCase();
  const found = alerts.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <fieldset class="choice">
      <legend>{targetsWords.alerts}</legend>
      {[true, false].map((each) => (
        <label key={String(each)}>
          <input
            type="radio"
            name={id}
            checked={isForAll === each}
            onChange={() => onChange({ isForAll: each })}
          />
          {each ? targetsWords.allAlerts : targetsWords.someAlerts}
        </label>
      ))}
      {isForAll ? null : (
        <PickList
          findLabel={targetsWords.findAlert}
          chosen={alertIds.map((each) => ({ id: each, name: nameOf(alerts, each) }))}
          found={found.slice(0, FOUND_MAX)}
          text={text.value}
          onText={(next) => {
            text.value = next;
          }}
          onToggle={(each) => onChange({ alertIds: toggle(alertIds, each) })}
        />
      )}
      <FieldProblem>{props.problem}</FieldProblem>
    </fieldset>
  );
}

export function nameOf(alerts: readonly Choice[], id: string): string {
  if (alerts.length === 0) return id.slice(0, 8);
  return alerts.find((alert) => alert.id === id)?.name ?? targetsWords.deletedAlert(id);
}
