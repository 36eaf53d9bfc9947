import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import type { FacetValue } from "../../client/assay-client.ts";
import { useLoad } from "../state/load.ts";
import { controlWords } from "../words/filters.ts";
import { formatCount } from "../words/formats.ts";
import { nameValue } from "./clauses.ts";
import { countFacets, FACET_VALUES_MAX, useEditedFilter } from "./edited-filter.ts";
import { chosenValues, type Facet, type FacetName, isSameValue, toggleValue } from "./filter.ts";

const SHORT = 6;

/** The values of one attribute with their counts. A chosen value stays listed, also if no listing has it. */
export function FacetValues(props: {
  readonly facet: Facet & { readonly name: FacetName };
  readonly values: readonly FacetValue[] | undefined;
}) {
  const { facet, values = [] } = props;
  const isOpen = useSignal(false);
  const more = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  // What was pressed is replaced, and would take the focus with it.
  useEffect(() => {
    if (wasOpen.current && !isOpen.value) more.current?.focus();
    wasOpen.current = isOpen.value;
  }, [isOpen.value]);
  const { filter } = useEditedFilter();
  const chosen = chosenValues(filter, facet);
  if (isOpen.value)
    return (
      <AllValues
        facet={facet}
        onClose={() => {
          isOpen.value = false;
        }}
      />
    );
  const all = withChosen(values, chosen, facet);
  const shown = all.filter((entry, at) => at < SHORT || isChosen(entry, chosen));
  return (
    <>
      <ValueList facet={facet} values={shown} chosen={chosen} />
      {all.length > SHORT ? (
        <button
          ref={more}
          type="button"
          class="quiet"
          onClick={() => {
            isOpen.value = true;
          }}
        >
          {controlWords.showMore}
          <span class="sr"> {controlWords.facetTitles[facet.name]}</span>
        </button>
      ) : null}
    </>
  );
}

/** Up to 200 values, with a field to find one. */
function AllValues(props: {
  readonly facet: Facet & { readonly name: FacetName };
  readonly onClose: () => void;
}) {
  const { facet } = props;
  const { filter } = useEditedFilter();
  const text = useSignal("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const load = useLoad([filter, facet.name], (signal) =>
    countFacets(filter, { facets: [facet.name], limit: FACET_VALUES_MAX }, signal),
  );
  const chosen = chosenValues(filter, facet);
  const all = withChosen(load.state.value.value?.facets[facet.name] ?? [], chosen, facet);
  const wanted = text.value.trim().toLowerCase();
  const shown = all.filter(({ value }) =>
    nameValue(facet.member, value).toLowerCase().includes(wanted),
  );
  const label = controlWords.findValue(controlWords.facetTitles[facet.name]);
  return (
    <>
      <input
        ref={field}
        type="search"
        class="field"
        aria-label={label}
        placeholder={label}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
      <div class="facet-all">
        <ValueList facet={facet} values={shown} chosen={chosen} />
      </div>
      <button type="button" class="quiet" onClick={props.onClose}>
        {controlWords.showLess}
        <span class="sr"> {controlWords.facetTitles[facet.name]}</span>
      </button>
    </>
  );
}

function ValueList(props: {
  readonly facet: Facet;
  readonly values: readonly FacetValue[];
  readonly chosen: readonly string[];
}) {
  const { facet, values, chosen } = props;
  const { filter, change } = useEditedFilter();
  const id = useId();
  if (values.length === 0) return <p class="sub">{controlWords.noValues}</p>;
  return (
    <ul class="facet-values">
      {values.map((entry) => {
        const value = keyOf(entry);
        return (
          <li key={value}>
            <input
              id={`${id} ${value}`}
              type="checkbox"
              checked={isChosen(entry, chosen)}
              onChange={() => change(toggleValue(filter, facet, value))}
            />
            <label for={`${id} ${value}`} title={entry.value}>
              <bdi>
                {entry.id === undefined ? nameValue(facet.member, entry.value) : entry.value}
              </bdi>
            </label>
            <span class="sub num">{entry.count < 0 ? "" : formatCount(entry.count)}</span>
          </li>
        );
      })}
    </ul>
  );
}

/** Groups are chosen by id. */
function keyOf({ id, value }: FacetValue): string {
  return id ?? value;
}

function isChosen(entry: FacetValue, chosen: readonly string[]): boolean {
  return chosen.some((value) => isSameValue(value, keyOf(entry)));
}

function withChosen(
  values: readonly FacetValue[],
  chosen: readonly string[],
  facet: Facet,
): readonly FacetValue[] {
  const missing = chosen.filter(
    (value) => !values.some((entry) => isSameValue(value, keyOf(entry))),
  );
  const added = missing.map((value) =>
    facet.member === "group_ids"
      ? { value: nameValue(facet.member, value), id: value, count: -1 }
      : { value, count: -1 },
  );
  return [...values, ...added];
}
