import type { Signal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { Failure } from "../../../api.ts";
import type { Choice } from "../../../parts/choice.tsx";
import { problemAt, TextField } from "../../../parts/form.tsx";
import { targetsWords } from "../../../words/targets.ts";
import { words } from "../../../words/words.ts";
import { KINDS, type Kind, secretMember, type TargetDraft } from "./target-draft.ts";
import { AlertChoice, QuietHours, SecretField } from "./target-fields.tsx";

const KNOWN = [
  "name",
  "url",
  "secret",
  "token",
  "bot_token",
  "chat_id",
  "to",
  "alerts",
  "quiet_hours.from",
  "quiet_hours.to",
  "quiet_hours.time_zone",
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
  const { name, kind, url, chatId, to } = draft.value;
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
      <p class="sub">{targetsWords.kindHints[kind]}</p>
      {kind === "standard" || kind === "ntfy" ? (
        <TextField
          label={targetsWords.url}
          hint={targetsWords.urlHints[kind]}
          value={url}
          onChange={(next) => change({ url: next })}
          {...text("url")}
        />
      ) : null}
      <SecretField
        draft={draft.value}
        isStored={props.hasSecret}
        problem={problemAt(failure, secretMember(kind) ?? "")}
        onChange={change}
      />
      {kind === "telegram" ? (
        <TextField
          label={targetsWords.chat}
          hint={targetsWords.chatHint}
          value={chatId}
          onChange={(next) => change({ chatId: next })}
          {...text("chat_id")}
        />
      ) : null}
      {kind === "email" ? (
        <TextField
          label={targetsWords.to}
          value={to}
          onChange={(next) => change({ to: next })}
          {...text("to")}
        />
      ) : null}
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

function KindChoice(props: { readonly kind: Kind; readonly onChange: (kind: Kind) => void }) {
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
          {targetsWords.kinds[each]}
        </label>
      ))}
    </fieldset>
  );
}
