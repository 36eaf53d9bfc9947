import type { ComponentChildren } from "preact";
import type { MarketFacets } from "../../../../client/assay-client.ts";
import type { Failure } from "../../../api.ts";
import {
  chosenValues,
  FACETS,
  type FacetName,
  withMember,
  withValues,
} from "../../../filters/filter-values.ts";
import { nameValue } from "../../../filters/value-names.ts";
import { Chip } from "../../../parts/chip.tsx";
import { formatAmount } from "../../../parts/format-amount.ts";
import type { Load } from "../../../state/load.ts";
import { marketWords } from "../../../words/market.ts";
import { changeFilter, market } from "../market-state.ts";
import { refusedMember } from "../refusal.ts";
import { FacetValues } from "./facet.tsx";
import { JsonPane } from "./json-pane.tsx";
import { RangeFields } from "./range-fields.tsx";
import { TimeFields } from "./time-fields.tsx";

const SIDES = ["for_sale", "want_to_buy"] as const;
const MARKS = [
  { member: "include_duplicates", label: marketWords.repeatedAsks },
  { member: "include_hidden", label: marketWords.hiddenOnes },
  { member: "include_revoked", label: marketWords.deletedMessages },
  { member: "has_media", label: marketWords.withPicture },
] as const;
const OPEN: readonly FacetName[] = ["brand", "reference", "year", "condition", "full_set_status"];
const CONTROLLED = [
  ...FACETS.map(({ member }) => member as string),
  "q",
  "side",
  "price",
  "last_seen_at_ms",
  ...MARKS.map(({ member }) => member as string),
];

/** Controls for all members: facets with counts, ranges, marks; what they do not show stands in the JSON pane. */
export function FilterPanel(props: {
  readonly facets: Load<MarketFacets>;
  readonly failure: Failure | undefined;
}) {
  const { value: counts } = props.facets.state.value;
  const refused = refusedMember(props.failure);
  const problemOf = (member: string) => (refused?.member === member ? refused.message : undefined);
  const isElsewhere = refused !== undefined && !CONTROLLED.includes(refused.member);
  const facet = (name: FacetName) => {
    const found = FACETS.find((each) => each.name === name);
    return found === undefined ? null : (
      <Section
        title={marketWords.facetTitles[name]}
        isOpen={OPEN.includes(name) || chosenValues(market.value.filter, found).length > 0}
        problem={problemOf(found.member)}
      >
        {name === "year" ? (
          <RangeFields member="year" label={marketWords.facetTitles.year} />
        ) : null}
        <FacetValues facet={found} values={counts?.facets[name]} />
      </Section>
    );
  };
  return (
    <div class="filters">
      <Side problem={problemOf("side")} />
      {facet("brand")}
      {facet("reference")}
      {facet("model")}
      <Price facets={counts} problem={problemOf("price")} />
      {facet("year")}
      {facet("condition")}
      {facet("full_set_status")}
      {facet("dial_type")}
      {facet("variant")}
      <Section title={marketWords.seen} isOpen problem={problemOf("last_seen_at_ms")}>
        <TimeFields />
      </Section>
      {facet("country_code")}
      {facet("group")}
      <Marks />
      <Section
        title={marketWords.json}
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
  const { filter } = market.value;
  const facet = { name: "side", member: "side" };
  const chosen = chosenValues(filter, facet);
  return (
    <div class="facet">
      <div class="row">
        <Chip
          isOn={chosen.length === 0}
          onToggle={() => changeFilter(withValues(filter, facet, []))}
        >
          {marketWords.anySide}
        </Chip>
        {SIDES.map((side) => (
          <Chip
            key={side}
            isOn={chosen.includes(side)}
            onToggle={() => changeFilter(withValues(filter, facet, [side]))}
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
  const { currency } = (market.value.filter["price"] ?? {}) as { readonly currency?: unknown };
  const code = typeof currency === "string" ? currency.toUpperCase() : "EUR";
  const shown = (minor: number | undefined) =>
    minor === undefined || code !== "EUR" ? undefined : formatAmount({ minor, currency: "EUR" });
  const [gte, lte] = [shown(range?.min_minor), shown(range?.max_minor)];
  return (
    <Section title={marketWords.priceIn(code)} isOpen problem={props.problem}>
      <RangeFields
        member="price"
        label={marketWords.priceIn(code)}
        factor={100}
        placeholders={{
          ...(gte === undefined ? {} : { gte }),
          ...(lte === undefined ? {} : { lte }),
        }}
      />
    </Section>
  );
}

function Marks() {
  const { filter } = market.value;
  return (
    <fieldset class="facet marks">
      <legend>{marketWords.marks}</legend>
      {MARKS.map(({ member, label }) => (
        <label key={member}>
          <input
            type="checkbox"
            checked={filter[member] === true}
            onChange={(event) =>
              changeFilter(
                withMember(filter, member, event.currentTarget.checked ? true : undefined),
              )
            }
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
