import { useCallback, useMemo, useRef } from "preact/hooks";
import type { Cell, Configuration, Profile } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { useCellsChanged } from "../../live/changes.ts";
import { Age } from "../../parts/figures.tsx";
import { Section } from "../../parts/layout.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import { Tag } from "../../parts/table.tsx";
import { setQuery } from "../../router.ts";
import { useKeys } from "../../state/commands.ts";
import { type Load, useLoad } from "../../state/load.ts";
import { isPresenting } from "../../state/preferences.ts";
import { referenceWords } from "../../words/reference.ts";
import { CellMatrix } from "./cell-matrix.tsx";
import { CellSection } from "./cell-section.tsx";
import { type Offers, OffersSection } from "./market-sections.tsx";
import { cellQuery, chooseCell, choosePrice, keyOf } from "./reference-state.ts";

type Priced = Awaited<ReturnType<typeof api.getConfigurationCells>>;

/** What the reference is worth by one of its configurations, and what is behind the chosen year and condition. */
export function WorthSection(props: {
  readonly configuration: Configuration;
  readonly all: readonly Configuration[];
  readonly offers: Load<Offers>;
}) {
  const { id, profile_id, reference, brand } = props.configuration;
  const load = useLoad([id], (signal) => api.getConfigurationCells({ id }, { signal }));
  const profile = useLoad([profile_id], (signal) => api.getProfile({ id: profile_id }, { signal }));
  useCellsChanged(
    useCallback(() => [id], [id]),
    useCallback(() => {
      load.reload();
      props.offers.reload();
    }, [load, props.offers]),
  );
  // The value may still be that of the configuration before.
  const value =
    load.state.value.value?.configuration.id === id ? load.state.value.value : undefined;
  const chosen = value === undefined ? undefined : chooseCell(value.items);
  useCellKeys(value?.items ?? NO_CELLS, chosen);
  const rules = profile.state.value.value;
  return (
    <>
      <Section title={referenceWords.worth} note={referenceWords.worthNote}>
        <PriceChoice chosen={props.configuration} all={props.all} />
        <WhenLoaded load={load} rows={4}>
          {(priced) => (
            <>
              <State priced={priced} profile={rules} />
              <Matrix
                priced={priced}
                profile={rules}
                chosen={chosen}
                offers={props.offers.state.value.value}
              />
            </>
          )}
        </WhenLoaded>
      </Section>
      {value === undefined || chosen === undefined ? null : (
        <CellSection
          key={`${id} ${chosen.year} ${chosen.condition_bucket}`}
          configuration={props.configuration}
          cell={chosen}
          profile={rules}
          asOfMs={value.as_of_ms}
          fileName={reference.replaceAll(/[^\w.-]+/g, "-")}
        />
      )}
      <OffersSection
        offers={props.offers}
        name={{ reference, brand }}
        cell={chosen === undefined ? undefined : { key: keyOf(chosen), ruleId: id }}
      />
    </>
  );
}

const NO_CELLS: readonly Cell[] = [];

function Matrix(props: {
  readonly priced: Priced;
  readonly profile: Profile | undefined;
  readonly chosen: Cell | undefined;
  readonly offers: Offers | undefined;
}) {
  const { items, configuration } = props.priced;
  if (items.length > 0) {
    return (
      <CellMatrix
        caption={referenceWords.worthCaption}
        cells={items}
        profile={props.profile}
        chosen={props.chosen}
        ruleId={configuration.id}
        offers={props.offers}
      />
    );
  }
  const isPending = configuration.last_success_at_ms === undefined;
  return <p class="soft">{isPending ? referenceWords.calculating : referenceWords.noCells}</p>;
}

/** Where these prices come from, and how fresh they are. */
function State(props: { readonly priced: Priced; readonly profile: Profile | undefined }) {
  const { priced, profile } = props;
  const { last_success_at_ms, last_refresh_error } = priced.configuration;
  return (
    <>
      <div class="sub facts">
        {profile === undefined ? null : <span>{referenceWords.byProfile(profile.name)}</span>}
        {last_success_at_ms === undefined ? null : (
          <span>
            {referenceWords.asOf} <Age atMs={last_success_at_ms} />
          </span>
        )}
        {profile?.status === "shadow" ? (
          <span>
            <Tag tone="warn">{referenceWords.shadow}</Tag>
          </span>
        ) : null}
        {priced.is_stale ? (
          <span>
            <Tag tone="warn">{referenceWords.stale}</Tag>
          </span>
        ) : null}
      </div>
      {last_refresh_error === undefined ? null : (
        <p class="problem">
          {referenceWords.failed} <bdi>{last_refresh_error}</bdi>
        </p>
      )}
    </>
  );
}

/** Several configurations may cover the reference, such as one for each dial. */
function PriceChoice(props: {
  readonly chosen: Configuration;
  readonly all: readonly Configuration[];
}) {
  if (props.all.length < 2) return null;
  return (
    <div class="price-choice">
      <label for="price-choice">{referenceWords.priceOf}</label>
      <select
        id="price-choice"
        class="field"
        value={props.chosen.id}
        onChange={(event) => choosePrice(event.currentTarget.value)}
      >
        {props.all.map(({ id, configuration_label }) => (
          <option key={id} value={id}>
            {configuration_label}
          </option>
        ))}
      </select>
      <Summary configuration={props.chosen} />
    </div>
  );
}

/** Which asks it counts. It may name phone numbers and limits, so presenter mode leaves it out. */
function Summary({ configuration }: { readonly configuration: Configuration }) {
  const isPlain = Object.keys(configuration.filters).length === 0;
  if (isPlain || isPresenting.value) return null;
  return (
    <span class="sub">
      <bdi>{configuration.filter_summary}</bdi>
    </span>
  );
}

/** `j` and `k` walk through the cells as they are read: by line, from left to right. */
function useCellKeys(cells: readonly Cell[], chosen: Cell | undefined): void {
  const latest = useRef({ cells, chosen });
  latest.current = { cells, chosen };
  useKeys(
    useMemo(() => {
      const move = (step: 1 | -1) => () => {
        const { cells, chosen } = latest.current;
        const next = chosen && cells[cells.indexOf(chosen) + step];
        if (next !== undefined) setQuery(cellQuery(keyOf(next)));
      };
      return [
        { key: "j", label: referenceWords.nextCell, run: move(1) },
        { key: "k", label: referenceWords.previousCell, run: move(-1) },
      ];
    }, []),
  );
}
