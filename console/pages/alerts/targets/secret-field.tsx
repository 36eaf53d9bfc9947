import { useSignal } from "@preact/signals";
import { Button } from "../../../parts/button.tsx";
import { TextField } from "../../../parts/text-field.tsx";
import { targetsWords } from "../../../words/targets.ts";
import type { TargetDraft } from "./target-draft.ts";

const SECRET_BYTES = 32;

/** The secret of a target: written here, never read. */
export function SecretField(props: {
  readonly draft: TargetDraft;
  readonly isStored: boolean;
  readonly problem: string | undefined;
  readonly onChange: (part: Partial<TargetDraft>) => void;
}) {
  const { draft, isStored, problem, onChange } = props;
  const { kind, secret, removesSecret } = draft;
  // One that was made here must be read, to be given to the receiver.
  const made = useSignal("");
  if (kind === "email") return null;
  const isMade = made.value !== "" && made.value === secret;
  return (
    <TextField
      label={targetsWords.secrets[kind]}
      type={isMade ? "text" : "password"}
      value={secret}
      isRequired={kind !== "ntfy" && !isStored}
      hint={isStored ? targetsWords.secretStored : targetsWords.secretHints[kind]}
      problem={problem}
      onChange={(next) => onChange({ secret: next, removesSecret: false })}
    >
      {kind === "standard" ? (
        <div class="row">
          <Button
            onPress={() => {
              made.value = makeSecret();
              onChange({ secret: made.value });
            }}
          >
            {targetsWords.makeSecret}
          </Button>
          {isMade ? <span class="sub">{targetsWords.madeSecret}</span> : null}
        </div>
      ) : null}
      {kind === "ntfy" && isStored && secret === "" ? (
        <label class="check">
          <input
            type="checkbox"
            checked={removesSecret}
            onChange={(event) => onChange({ removesSecret: event.currentTarget.checked })}
          />
          {targetsWords.removeSecret}
        </label>
      ) : null}
    </TextField>
  );
}

function makeSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}
