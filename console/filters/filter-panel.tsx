import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { FilterMembers, MarketFacets } from "../../client/assay-client.ts";
import type { Failure } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { Chip } from "../parts/choice.tsx";
import type { Load } from "../state/load.ts";
import { controlWords } from "../words/filters.ts";
import { formatAmount } from "../words/formats.ts";
import { memberLabel, nameValue } from "./clauses.ts";
import { useEditedFilter } from "./edited-filter.ts";
import { FacetValues } from "./facet.tsx";
import {
  boundOf,
  chosenValues,
  currencyOf,
  FACETS,
  type Facet,
  type FacetName,
  MARKS,
  type MemberName,
  parseFilter,
  withMember,
  withValues,
} from "./filter.ts";
import { refusedMember } from "./filter-bar.tsx";
import { PriceFields, RangeFields, TimeFields } from "./filter-fields.tsx";

const SIDES: Required<FilterMembers>["side"] = ["for_sale", "want_to_buy"];
/** How much a dealer may have come down, in basis points. */
const DROPS = [300, 500, 1_000] as const;

const OPEN: readonly FacetName[] = ["brand", "reference", "year", "condition", "full_set_status"];

/** Others show more listings than without them. */
const isRestriction = (mark: (typeof MARKS)[number]): boolean => mark.startsWith("has_");

const CONTROLLED: readonly MemberName[] = [
  ...FACETS.map(({ member }) => member),
  "q",
  "side",
  "price",
  "last_seen_at_ms",
  "price_drop_bps",
  ...MARKS,
];

/** Controls for all members: facets with counts, ranges, marks; what they do not show stands in the JSON pane. */
export function FilterPanel(props: {
  readonly facets: Load<MarketFacets>;
  readonly failure: Failure | undefined;
  /** What the page has in the place of the side. */
  readonly children?: ComponentChildren;
}) {
  const { filter } = useEditedFilter();
  const { value: counts } = props.facets.state.value;
  const refused = refusedMember(props.failure);
  const problemOf = (member: MemberName) =>
    refused?.member === member ? refused.message : undefined;
  const isElsewhere =
    refused !== undefined && !CONTROLLED.some((member) => member === refused.member);
  const facet = (name: FacetName) => {
    const found = FACETS.find((each) => each.name === name);
    return found === undefined ? null : (
      <Section
        title={controlWords.facetTitles[name]}
        isOpen={OPEN.includes(name) || chosenValues(filter, found).length > 0}
        problem={problemOf(found.member)}
      >
        {name === "year" ? (
          <RangeFields member="year" label={controlWords.facetTitles.year} />
        ) : null}
        <FacetValues facet={found} values={counts?.facets[name]} />
      </Section>
    );
  };
  return (
    <div class="filters">
      {props.children ?? <Side problem={problemOf("side")} />}
      {facet("brand")}
      {facet("reference")}
      {facet("model")}
      <Price facets={counts} problem={problemOf("price")} />
      <Section title={controlWords.drop} isOpen problem={problemOf("price_drop_bps")}>
        <Drops />
      </Section>
      {facet("year")}
      {facet("condition")}
      {facet("full_set_status")}
      {facet("dial_type")}
      {facet("variant")}
      <Section title={controlWords.seen} isOpen problem={problemOf("last_seen_at_ms")}>
        <TimeFields />
      </Section>
      {facet("country_code")}
      {facet("group")}
      <Marks title={controlWords.only} members={MARKS.filter(isRestriction)} />
      <Marks title={controlWords.marks} members={MARKS.filter((mark) => !isRestriction(mark))} />
      <Section
        title={controlWords.json}
        isOpen={isElsewhere}
        problem={isElsewhere ? refused.message : undefined}
      >
        <JsonPane />
      </Section>
    </div>
  );
}

function Section(props: {
  readonly title: string;
  readonly isOpen: boolean;
  readonly problem: string | undefined;
  readonly children: ComponentChildren;
}) {
  return (
    <details class="facet" open={props.isOpen || props.problem !== undefined}>
      <summary>{props.title}</summary>
      {props.problem === undefined ? null : (
        <p class="problem" role="alert">
          {props.problem}
        </p>
      )}
      {props.children}
    </details>
  );
}

function Side({ problem }: { readonly problem: string | undefined }) {
  const { filter, change } = useEditedFilter();
  const facet: Facet = { name: "side", member: "side" };
  const chosen = chosenValues(filter, facet);
  return (
    <div class="facet">
      <div class="row">
        <Chip isOn={chosen.length === 0} onToggle={() => change(withValues(filter, facet, []))}>
          {controlWords.anySide}
        </Chip>
        {SIDES.map((side) => (
          <Chip
            key={side}
            isOn={chosen.includes(side)}
            onToggle={() => change(withValues(filter, facet, [side]))}
          >
            {nameValue("side", side)}
          </Chip>
        ))}
      </div>
      {problem === undefined ? null : (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function Price(props: {
  readonly facets: MarketFacets | undefined;
  readonly problem: string | undefined;
}) {
  const range = props.facets?.price_range;
  const code = currencyOf(useEditedFilter().filter);
  const shown = (minor: number | undefined) =>
    minor === undefined || code !== "EUR" ? undefined : formatAmount({ minor, currency: "EUR" });
  const [gte, lte] = [shown(range?.min_minor), shown(range?.max_minor)];
  return (
    <Section title={controlWords.priceIn(code)} isOpen problem={props.problem}>
      <PriceFields
        label={controlWords.priceIn(code)}
        placeholders={{
          ...(gte === undefined ? {} : { gte }),
          ...(lte === undefined ? {} : { lte }),
        }}
      />
    </Section>
  );
}

/** Asks that the dealer has lowered by this much; one press chooses, another one lifts it. */
function Drops() {
  const { filter, change } = useEditedFilter();
  const given = boundOf(filter, "price_drop_bps", "gte");
  return (
    <>
      <p class="sub">{controlWords.dropHint}</p>
      <div class="row">
        {DROPS.map((bps) => (
          <Chip
            key={bps}
            isOn={given === bps}
            onToggle={() =>
              change(withMember(filter, "price_drop_bps", given === bps ? undefined : { gte: bps }))
            }
          >
            {controlWords.dropOf(`${bps / 100}%`)}
          </Chip>
        ))}
      </div>
    </>
  );
}

function Marks(props: { readonly title: string; readonly members: typeof MARKS }) {
  const { filter, change } = useEditedFilter();
  return (
    <fieldset class="facet marks">
      <legend>{props.title}</legend>
      {props.members.map((member) => (
        <label key={member}>
          <input
            type="checkbox"
            checked={filter[member] === true}
            onChange={(event) =>
              change(withMember(filter, member, event.currentTarget.checked ? true : undefined))
            }
          />
          {controlWords.marksOf[member] ?? memberLabel(member)}
        </label>
      ))}
    </fieldset>
  );
}

/** The whole filter as text, for what no control shows. */
function JsonPane() {
  const { filter, change } = useEditedFilter();
  const draft = useSignal<{ readonly of: unknown; readonly text: string } | undefined>(undefined);
  const isBroken = useSignal(false);
  // A draft belongs to the filter that it changes: another filter begins anew.
  const text = draft.value?.of === filter ? draft.value.text : JSON.stringify(filter, undefined, 2);
  const apply = (): void => {
    const next = parseFilter(text);
    isBroken.value = next === undefined;
    if (next !== undefined) change(next);
  };
  return (
    <>
      <p class="sub">{controlWords.jsonHint}</p>
      <textarea
        class="field json"
        rows={8}
        spellcheck={false}
        aria-label={controlWords.jsonLabel}
        aria-invalid={isBroken.value}
        value={text}
        onInput={(event) => {
          draft.value = { of: filter, text: event.currentTarget.value };
        }}
      />
      {isBroken.value ? (
        <p class="problem" role="alert">
          {controlWords.jsonBroken}
        </p>
      ) : null}
      <Button onPress={apply}>{controlWords.jsonApply}</Button>
    </>
  );
}
