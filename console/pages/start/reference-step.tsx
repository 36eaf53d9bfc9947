import { type Signal, useSignal } from "@preact/signals";
import type { FilterMembers, MarketReference, Profile } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { Amount } from "../../parts/figures.tsx";
import { FieldProblem } from "../../parts/form.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import { Tag } from "../../parts/table.tsx";
import { useLoad, useRefresh } from "../../state/load.ts";
import { isPresenting } from "../../state/preferences.ts";
import { showToast } from "../../state/toasts.ts";
import { startWords } from "../../words/start.ts";
import { type StepProps, useAction } from "./steps.ts";

const words = startWords.references;
/** A watch without papers is not compared with full sets. */
const NEW_PROFILE = { name: words.profileName, sets: "papers" } as const;
const REFERENCES_MAX = 10;
const REFRESH_MS = 5_000;

/** The references that are asked most, to choose from. */
export function ReferenceStep({ state, onChanged }: StepProps) {
  const load = useLoad([state.configurationCount], (signal) =>
    api.searchReferences(
      {
        filters: { side: ["for_sale"] } satisfies FilterMembers,
        sort: "listing_count",
        limit: REFERENCES_MAX,
      },
      { signal },
    ),
  );
  useRefresh(load.reload, REFRESH_MS);
  // What is not wanted, so that references that appear later are chosen too.
  const left = useSignal<ReadonlySet<string>>(new Set());
  const { isBusy, problem, run } = useAction();
  const profile = chooseProfile(state.profiles);
  const watch = async (chosen: readonly MarketReference[]): Promise<void> => {
    const name = profile?.name ?? (await api.createProfile(NEW_PROFILE)).name;
    for (const { brand, reference } of chosen) {
      await api.createConfiguration({ profile: name, brand, reference });
    }
    showToast(words.created(chosen.length));
    onChanged();
  };
  return (
    <WhenLoaded load={load} rows={3}>
      {({ items }) => {
        const chosen = items.filter(
          (one) => !isWatched(one) && !left.value.has(one.reference_normalized),
        );
        if (items.length === 0) return <p class="soft">{words.none}</p>;
        return (
          <>
            <p>{words.intro}</p>
            <ReferenceChoice references={items} left={left} />
            {items.every(isWatched) ? null : <p class="soft">{describe(profile)}</p>}
            <FieldProblem>{problem.value}</FieldProblem>
            {items.every(isWatched) ? null : (
              <Button
                isMain
                isWrite
                isBusy={isBusy.value || chosen.length === 0}
                onPress={() => run(() => watch(chosen))}
              >
                {chosen.length === 0 ? words.choose : words.watch(chosen.length)}
              </Button>
            )}
          </>
        );
      }}
    </WhenLoaded>
  );
}

/** References to tick. One that is watched already says so. */
function ReferenceChoice(props: {
  readonly references: readonly MarketReference[];
  /** The normalized references that are not ticked. */
  readonly left: Signal<ReadonlySet<string>>;
}) {
  const { references, left } = props;
  const toggle = (id: string): void => {
    const next = new Set(left.value);
    if (!next.delete(id)) next.add(id);
    left.value = next;
  };
  return (
    <ul class="choices" aria-label={words.caption}>
      {references.map((one) => {
        const id = one.reference_normalized;
        const isWatched = one.configuration_ids.length > 0;
        return (
          <li key={`${one.brand} ${id}`}>
            <label class="choice-label">
              <input
                type="checkbox"
                disabled={isWatched}
                checked={isWatched || !left.value.has(id)}
                onChange={() => toggle(id)}
              />
              <span class="choice-name">
                <b>
                  <bdi>{one.reference}</bdi>
                </b>{" "}
                <bdi class="soft">{[one.brand, one.model].filter(Boolean).join(" ")}</bdi>
              </span>
              {isWatched ? <Tag tone="good">{words.watched}</Tag> : null}
              <span class="soft num">{words.asks(one.for_sale_count)}</span>
              <span class="num choice-amount">
                <Amount minor={one.median_price_eur_minor} currency="EUR" kind="price" />
              </span>
            </label>
          </li>
        );
      })}
    </ul>
  );
}

function describe(profile: Profile | undefined): string {
  if (profile !== undefined) return words.profile(profile.name);
  return isPresenting.value ? words.newProfileHidden : words.newProfile;
}

/** One that can go live here comes first. */
function chooseProfile(profiles: readonly Profile[]): Profile | undefined {
  return profiles.find(({ managed_by }) => managed_by === "api") ?? profiles[0];
}

function isWatched({ configuration_ids }: MarketReference): boolean {
  return configuration_ids.length > 0;
}
