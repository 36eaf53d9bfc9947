/** A field of the correction that offers what the market knows: references with their brand and model, dials of a reference … */
import { type Signal, useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { CountFacetsRequest, FilterMembers } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { TYPING_PAUSE_MS, useLoad, useSettled } from "../../state/load.ts";
import { readRates } from "../../state/prices.ts";
import type { CorrectionForm } from "./correction-body.ts";

export type SuggestedMember =
  | "brand"
  | "model"
  | "reference"
  | "dial_type"
  | "variant"
  | "currency";

interface Suggestion {
  readonly value: string;
  /** What tells it from others. */
  readonly hint?: string;
  /** What follows from it: a reference says brand and model. */
  readonly also?: Partial<CorrectionForm>;
}

type Facet = NonNullable<CountFacetsRequest["facets"]>[number];

const LENGTH_MAX = 100;
const SUGGESTIONS_MAX = 20;
const REFERENCE_MIN = 2;

export function SuggestedText(props: {
  readonly form: Signal<CorrectionForm>;
  readonly member: SuggestedMember;
  readonly label: string;
}) {
  const { form, member } = props;
  const id = useId();
  const isAsked = useSignal(false);
  const typed = useSettled(form.value[member].trim(), TYPING_PAUSE_MS);
  const { brand, reference } = form.value;
  const load = useLoad([isAsked.value, ...keyOf(member, { typed, brand, reference })], (signal) =>
    isAsked.value ? suggest(member, { typed, brand, reference }, signal) : Promise.resolve([]),
  );
  const suggestions = load.state.value.value ?? [];
  const change = (value: string): void => {
    const chosen = suggestions.find((each) => each.value === value);
    form.value = { ...form.value, [member]: value, ...chosen?.also };
  };
  return (
    <div class="form-field">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        type="text"
        list={`${id}-known`}
        maxLength={LENGTH_MAX}
        autocomplete="off"
        value={form.value[member]}
        onFocus={() => {
          isAsked.value = true;
        }}
        onInput={(event) => change(event.currentTarget.value)}
      />
      <datalist id={`${id}-known`}>
        {suggestions.map(({ value, hint }) => (
          <option key={`${value} ${hint}`} value={value}>
            {hint}
          </option>
        ))}
      </datalist>
    </div>
  );
}

interface Typed {
  readonly typed: string;
  readonly brand: string;
  readonly reference: string;
}

/** What the suggestions of a field depend on. */
function keyOf(member: SuggestedMember, { typed, brand, reference }: Typed): readonly string[] {
  if (member === "reference") return [typed];
  if (member === "brand" || member === "currency") return [];
  return member === "model" ? [brand] : [brand, reference];
}

async function suggest(
  member: SuggestedMember,
  typed: Typed,
  signal: AbortSignal,
): Promise<readonly Suggestion[]> {
  switch (member) {
    case "reference":
      return suggestReferences(typed.typed, signal);
    case "currency":
      return (await readRates(signal)).map(({ currency }) => ({ value: currency }));
    case "brand":
      return countValues("brand", {}, signal);
    case "model":
      return countValues("model", only({ brand: typed.brand }), signal);
    default:
      return countValues(member, only({ brand: typed.brand, reference: typed.reference }), signal);
  }
}

async function suggestReferences(q: string, signal: AbortSignal): Promise<readonly Suggestion[]> {
  if (q.length < REFERENCE_MIN) return [];
  const { references } = await api.findAnything({ q, limit: SUGGESTIONS_MAX }, { signal });
  return references.map(({ reference, brand, model }) => ({
    value: reference,
    hint: [brand, model].filter((part) => part !== undefined).join(" "),
    also: { brand, ...(model === undefined ? {} : { model }) },
  }));
}

/** The most frequent first. */
async function countValues(
  facet: Facet,
  filters: FilterMembers,
  signal: AbortSignal,
): Promise<readonly Suggestion[]> {
  const { facets } = await api.countFacets(
    { filters, facets: [facet], limit: SUGGESTIONS_MAX },
    { signal },
  );
  const values = facets[facet as keyof typeof facets] ?? [];
  return values.map(({ value }) => ({ value }));
}

/** A filter of the members that are typed. */
function only(typed: Readonly<Record<string, string>>): FilterMembers {
  const given = Object.entries(typed).filter(([, value]) => value.trim() !== "");
  return Object.fromEntries(given.map(([member, value]) => [member, [value.trim()]]));
}
