import { useId, useMemo } from "preact/hooks";
import type { Failure } from "../../../api.ts";
import { FieldProblem, problemAt } from "../../../parts/field-problem.tsx";
import { Switch } from "../../../parts/switch.tsx";
import { TextField } from "../../../parts/text-field.tsx";
import { targetsWords } from "../../../words/targets.ts";
import type { TargetDraft } from "./target-draft.ts";

/** When nothing is sent, by the clock of a time zone. */
export function QuietHours(props: {
  readonly draft: TargetDraft;
  readonly failure: Failure | undefined;
  readonly onChange: (part: Partial<TargetDraft>) => void;
}) {
  const { draft, failure, onChange } = props;
  return (
    <>
      <Switch
        isOn={draft.hasQuiet}
        label={targetsWords.hasQuiet}
        hint={targetsWords.hasQuietHint}
        onChange={(hasQuiet) => onChange({ hasQuiet })}
      />
      {draft.hasQuiet ? (
        <div class="quiet-hours">
          <TextField
            label={targetsWords.from}
            type="time"
            value={draft.quietFrom}
            onChange={(quietFrom) => onChange({ quietFrom })}
            problem={problemAt(failure, "quiet_hours.from")}
          />
          <TextField
            label={targetsWords.until}
            type="time"
            value={draft.quietTo}
            onChange={(quietTo) => onChange({ quietTo })}
            problem={problemAt(failure, "quiet_hours.to")}
          />
          <ZoneField
            zone={draft.zone}
            problem={problemAt(failure, "quiet_hours.time_zone")}
            onChange={(zone) => onChange({ zone })}
          />
        </div>
      ) : null}
    </>
  );
}

function ZoneField(props: {
  readonly zone: string;
  readonly problem: string | undefined;
  readonly onChange: (zone: string) => void;
}) {
  const { zone } = props;
  const id = useId();
  const known = useMemo(() => Intl.supportedValuesOf("timeZone"), []);
  const zones = known.includes(zone) ? known : [zone, ...known];
  return (
    <div class="form-field">
      <label for={id}>{targetsWords.zone}</label>
      <select id={id} value={zone} onChange={(event) => props.onChange(event.currentTarget.value)}>
        {zones.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
      <FieldProblem>{props.problem}</FieldProblem>
    </div>
  );
}
