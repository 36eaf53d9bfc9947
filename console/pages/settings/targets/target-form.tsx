import type { Signal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { Failure } from "../../../api.ts";
import type { Choice } from "../../../parts/choice.tsx";
import { problemAt, TextField } from "../../../parts/form.tsx";
import { CHANNELS, type ChannelKind, targetsWords } from "../../../words/targets.ts";
import { words } from "../../../words/words.ts";
import { fieldsOf, KINDS, type TargetDraft } from "./target-draft.ts";
import { AlertChoice, ChannelFieldInput, QuietHours } from "./target-fields.tsx";

const KNOWN = [
  "name",
  "alerts",
  "quiet_hours.from",
  "quiet_hours.to",
  "quiet_hours.time_zone",
  ...KINDS.flatMap((kind) => fieldsOf(kind).map(([member]) => member)),
];

/** The fields of a target, those of its kind among them. */
export function TargetForm(props: {
  readonly draft: Signal<TargetDraft>;
  readonly failure: Failure | undefined;
  readonly hasSecret: boolean;
  readonly isNew: boolean;
  readonly alerts: readonly Choice[];
}) {
  const { draft, failure, isNew } = props;
  const { name, kind } = draft.value;
  const change = (part: Partial<TargetDraft>): void => {
    draft.value = { ...draft.value, ...part };
  };
  const text = (member: string) => ({ problem: problemAt(failure, member), isRequired: true });
  const isAtField = KNOWN.some((member) => problemAt(failure, member) !== undefined);
  return (
    <>
      {failure === undefined || isAtField ? null : (
        <div class="problem" role="alert">
          <bdi>{failure.kind === "offline" ? words.states.notSaved : failure.message}</bdi>
          {failure.requestId === undefined ? null : (
            <p>
              {words.states.requestId} <code>{failure.requestId}</code>
            </p>
          )}
        </div>
      )}
      <TextField
        label={targetsWords.name}
        value={name}
        onChange={(next) => change({ name: next })}
        {...text("name")}
      />
      {isNew ? <KindChoice kind={kind} onChange={(next) => change({ kind: next })} /> : null}
      <p class="sub">{CHANNELS[kind].hint}</p>
      {fieldsOf(kind).map(([member, field]) => (
        <ChannelFieldInput
          key={`${kind} ${member}`}
          draft={draft.value}
          member={member}
          field={field}
          isStored={props.hasSecret}
          problem={problemAt(failure, member)}
          onChange={change}
        />
      ))}
      <AlertChoice
        draft={draft.value}
        alerts={props.alerts}
        problem={problemAt(failure, "alerts")}
        onChange={change}
      />
      <QuietHours draft={draft.value} failure={failure} onChange={change} />
    </>
  );
}

function KindChoice(props: {
  readonly kind: ChannelKind;
  readonly onChange: (kind: ChannelKind) => void;
}) {
  const id = useId();
  return (
    <fieldset class="choice">
      <legend>{targetsWords.kind}</legend>
      {KINDS.map((each) => (
        <label key={each}>
          <input
            type="radio"
            name={id}
            checked={props.kind === each}
            onChange={() => props.onChange(each)}
          />
          {CHANNELS[each].name}
        </label>
      ))}
    </fieldset>
  );
}
