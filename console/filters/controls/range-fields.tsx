import { useSignal } from "@preact/signals";
import { useId, useRef } from "preact/hooks";
import { controlWords } from "../../words/filter-controls.ts";
import { type Bound, boundOf, withInner } from "../filter-values.ts";
import { useEditedFilter } from "./edited-filter.ts";

/** Two bounds of a member. They hold when the field is left or Enter is pressed. */
export function RangeFields(props: {
  readonly member: string;
  readonly label: string;
  /** What one unit of the field is in the filter: 100 for an amount. */
  readonly factor?: number;
  readonly placeholders?: { readonly gte?: string; readonly lte?: string };
}) {
  return (
    <div class="range">
      <RangeField {...props} bound="gte" />
      <span aria-hidden="true">–</span>
      <RangeField {...props} bound="lte" />
    </div>
  );
}

function RangeField(props: {
  readonly member: string;
  readonly label: string;
  readonly bound: Bound;
  readonly factor?: number;
  readonly placeholders?: { readonly gte?: string; readonly lte?: string };
}) {
  const { member, label, bound, factor = 1, placeholders = {} } = props;
  const { filter, change } = useEditedFilter();
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  // What is being typed stays, whatever arrives meanwhile.
  const typed = useSignal<string | undefined>(undefined);
  const given = boundOf(filter, member, bound);
  const apply = (): void => {
    const text = field.current?.value ?? "";
    const value = toNumber(text, factor);
    field.current?.setCustomValidity(Number.isNaN(value) ? controlWords.notANumber : "");
    field.current?.reportValidity();
    if (Number.isNaN(value)) return;
    typed.value = undefined;
    if (value === given) return;
    change(withInner(filter, [member, bound], value));
  };
  return (
    <input
      ref={field}
      id={id}
      class="field"
      inputMode="decimal"
      aria-label={`${label} ${(bound === "gte" ? controlWords.from : controlWords.to).toLowerCase()}`}
      placeholder={placeholders[bound] ?? (bound === "gte" ? controlWords.from : controlWords.to)}
      value={typed.value ?? (given === undefined ? "" : String(given / factor))}
      onInput={(event) => {
        typed.value = event.currentTarget.value;
      }}
      onChange={apply}
    />
  );
}

/** `12,500` and `12 500` are numbers too. Undefined if the field is empty, NaN if it is not a number. */
function toNumber(text: string, factor: number): number | undefined {
  const plain = text.replaceAll(/[\s,']/g, "");
  if (plain === "") return undefined;
  const value = Math.round(Number(plain) * factor);
  return Number.isSafeInteger(value) ? value : Number.NaN;
}
