import type { Signal } from "@preact/signals";
import { useId } from "preact/hooks";
import { listingWords } from "../../words/listing.ts";
import { readingWords } from "../../words/reading.ts";
import { type CorrectionForm, SETS, TEXT_MEMBERS } from "./correction-body.ts";

type Member = keyof CorrectionForm;

interface FieldProps {
  readonly form: Signal<CorrectionForm>;
  readonly member: Member;
  readonly label: string;
}

export function CorrectionFields({ form }: { readonly form: Signal<CorrectionForm> }) {
  const label = readingWords.field;
  return (
    <div class="form-grid">
      {TEXT_MEMBERS.map((member) => (
        <Text key={member} form={form} member={member} label={label(member)} lengthMax={100} />
      ))}
      <Text form={form} member="year" label={label("year")} range={[1800, 2100]} />
      <Text form={form} member="card_month" label={label("card_month")} range={[1, 12]} />
      <Choice
        form={form}
        member="condition"
        label={label("condition")}
        values={["", "NEW", "LIKE_NEW", "USED"]}
      />
      <Choice
        form={form}
        member="full_set_status"
        label={label("full_set_status")}
        values={["", ...SETS]}
      />
      <Text form={form} member="amount" label={listingWords.ask} range={[0, 1e9]} step="0.01" />
      <Text form={form} member="currency" label={label("currency")} lengthMax={10} />
      <Choice
        form={form}
        member="side"
        label={label("side")}
        values={["for_sale", "want_to_buy"]}
      />
      <Choice
        form={form}
        member="status"
        label={label("status")}
        values={["", "sold", "on_hold"]}
      />
    </div>
  );
}

function Text(
  props: FieldProps & {
    readonly lengthMax?: number;
    /** For numbers. */
    readonly range?: readonly [number, number];
    readonly step?: string;
  },
) {
  const { form, member, range } = props;
  const id = useId();
  const limits =
    range === undefined
      ? ({ type: "text", maxLength: props.lengthMax } as const)
      : ({ type: "number", min: range[0], max: range[1], step: props.step ?? "1" } as const);
  return (
    <div class="form-field">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        {...limits}
        autocomplete="off"
        value={form.value[member]}
        onInput={(event) => {
          form.value = { ...form.value, [member]: event.currentTarget.value };
        }}
      />
    </div>
  );
}

function Choice(props: FieldProps & { readonly values: readonly string[] }) {
  const { form, member } = props;
  const id = useId();
  return (
    <div class="form-field">
      <label for={id}>{props.label}</label>
      <select
        id={id}
        value={form.value[member]}
        onChange={(event) => {
          form.value = { ...form.value, [member]: event.currentTarget.value };
        }}
      >
        {props.values.map((value) => (
          <option key={value} value={value}>
            {value === "" ? listingWords.notSet : readingWords.value(value)}
          </option>
        ))}
      </select>
    </div>
  );
}
