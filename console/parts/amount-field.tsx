import { useEffect, useId } from "preact/hooks";
import { toFailure } from "../api.ts";
import { TYPING_PAUSE_MS, useLoad, useSettled } from "../state/load.ts";
import { isPresenting } from "../state/preferences.ts";
import { words } from "../words/words.ts";
import { type AmountOf, type TypedAmount, useAmount } from "./amounts.ts";
import { type ComparedWith, describeRead, isFar, showRead } from "./read-amounts.ts";

/** An amount as a person writes it, and below it what was understood. */
export function AmountField(
  props: AmountOf & {
    readonly label: string;
    readonly hint?: string;
    readonly isOptional?: boolean;
  },
) {
  const { label, hint, comparedWith = "ask", currency, isBare = false } = props;
  const id = useId();
  const typed = useAmount(props);
  const settled = useSettled(typed.text.trim(), TYPING_PAUSE_MS);
  const load = useLoad([settled, currency], (signal) => typed.look(signal));
  const { failure } = load.state.value;
  return (
    <div class="form-field">
      <label for={id}>{label}</label>
      <input
        ref={typed.input}
        id={id}
        type="text"
        autocapitalize="off"
        autocomplete="off"
        spellcheck={false}
        maxLength={LENGTH_MAX}
        required={props.isOptional !== true}
        placeholder={isBare ? "" : currency}
        aria-describedby={`${id}-read`}
        aria-invalid={typed.found !== undefined && typed.found.amount === undefined}
        value={typed.text}
        onInput={(event) => typed.type(event.currentTarget.value)}
      />
      <div id={`${id}-read`} class="sub amount-read" role="status">
        {typed.text.trim() === "" || (hint !== undefined && !typed.isTyped) ? (
          hint
        ) : (
          <Understood typed={typed} comparedWith={comparedWith} failure={failure?.message} />
        )}
      </div>
      <Question typed={typed} comparedWith={comparedWith} />
    </div>
  );
}

/** Characters that the service reads. */
const LENGTH_MAX = 60;

function Understood(props: {
  readonly typed: TypedAmount;
  readonly comparedWith: ComparedWith;
  readonly failure: string | undefined;
}) {
  const { typed, comparedWith, failure } = props;
  const { found } = typed;
  if (found === undefined) return <>{failure ?? words.amounts.reading}</>;
  if (found.amount === undefined) {
    return <span class="bad">{words.amounts.problems[found.problem ?? "no_amount"]}</span>;
  }
  // How far it is from the market says what is paid at most.
  const shown = isPresenting.value ? showRead(found.amount) : describeRead(found, comparedWith);
  return <>{shown}</>;
}

/** Asks whether an amount that is far from the ask or the market is right. */
function Question(props: { readonly typed: TypedAmount; readonly comparedWith: ComparedWith }) {
  const { found, sure, isSure } = props.typed;
  if (found?.amount === undefined || !isFar(found, props.comparedWith)) return null;
  return (
    <label class="notice amount-sure">
      <input
        ref={sure}
        type="checkbox"
        checked={isSure.value}
        onChange={(event) => {
          isSure.value = event.currentTarget.checked;
        }}
      />
      {words.amounts.sure(showRead(found.amount))}
    </label>
  );
}

/** An amount of a filter. It holds when the field is left or Enter is pressed, and then shows what was understood. */
export function AmountInput(
  props: AmountOf & { readonly label: string; readonly placeholder: string },
) {
  const { label, placeholder } = props;
  const { input, text, type, settle } = useAmount({ ...props, isBare: true });
  const complain = (message: string): void => {
    input.current?.setCustomValidity(message);
    if (message !== "") input.current?.reportValidity();
  };
  useEffect(() => complain(""), [text]);
  return (
    <input
      ref={input}
      class="field"
      autocomplete="off"
      spellcheck={false}
      maxLength={LENGTH_MAX}
      aria-label={label}
      placeholder={placeholder}
      value={text}
      onInput={(event) => type(event.currentTarget.value)}
      onChange={() => void settle().catch((error: unknown) => complain(toFailure(error).message))}
    />
  );
}
