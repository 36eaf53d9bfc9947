/** The fields of a target that are more than a line of text. */
import { useSignal } from "@preact/signals";
import { useId, useMemo } from "preact/hooks";
import type { Failure } from "../../../api.ts";
import { Button } from "../../../parts/button.tsx";
import { type Choice, PickList, Switch, toggle } from "../../../parts/choice.tsx";
import { FieldProblem, problemAt, TextField } from "../../../parts/form.tsx";
import { type ChannelField, targetsWords } from "../../../words/targets.ts";
import type { TargetDraft } from "./target-draft.ts";

/** The end of an address of which the service shows only the server. */
const CUT = "/…";
const SECRET_BYTES = 32;
const FOUND_MAX = 20;

/** A field of the kind of a target. */
export function ChannelFieldInput(props: {
  readonly draft: TargetDraft;
  readonly member: string;
  readonly field: ChannelField;
  /** Whether the service has a secret. */
  readonly isStored: boolean;
  readonly problem: string | undefined;
  readonly onChange: (part: Partial<TargetDraft>) => void;
}) {
  const { draft, member, field, problem, onChange } = props;
  const value = draft.fields[member] ?? "";
  const change = (next: string): void =>
    onChange({ fields: { ...draft.fields, [member]: next }, removesSecret: false });
  if (field.isSecret === true) return <SecretField {...props} value={value} change={change} />;
  return (
    <TextField
      label={field.label}
      {...(field.hint === undefined ? {} : { hint: field.hint })}
      value={value}
      onChange={change}
      problem={problem}
      isRequired={field.isOptional !== true}
    >
      {value.endsWith(CUT) ? <p class="sub">{targetsWords.cutAddress}</p> : null}
    </TextField>
  );
}

/** Written here, never read. */
function SecretField(
  props: Parameters<typeof ChannelFieldInput>[0] & {
    readonly value: string;
    readonly change: (next: string) => void;
  },
) {
  const { draft, field, isStored, problem, value, change, onChange } = props;
  const { label, hint = "", isOptional, isMade: canMake } = field;
  // One that was made here must be read, to be given to the receiver.
  const made = useSignal("");
  const isMade = made.value !== "" && made.value === value;
  return (
    <TextField
      label={label}
      type={isMade ? "text" : "password"}
      value={value}
      isRequired={isOptional !== true && !isStored}
      hint={isStored ? targetsWords.secretStored : hint}
      problem={problem}
      onChange={change}
    >
      {canMake === true ? (
        <div class="row">
          <Button
            onPress={() => {
              made.value = makeSecret();
              change(made.value);
            }}
          >
            {targetsWords.makeSecret}
          </Button>
          {isMade ? <span class="sub">{targetsWords.madeSecret}</span> : null}
        </div>
      ) : null}
      {isOptional === true && isStored && value === "" ? (
        <label class="check">
          <input
            type="checkbox"
            checked={draft.removesSecret}
            onChange={(event) => onChange({ removesSecret: event.currentTarget.checked })}
          />
          {targetsWords.removeSecret}
        </label>
      ) : null}
    </TextField>
  );
}

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

export function nameOf(alerts: readonly Choice[], id: string): string {
  if (alerts.length === 0) return id.slice(0, 8);
  return alerts.find((alert) => alert.id === id)?.name ?? targetsWords.deletedAlert;
}

function makeSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
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
