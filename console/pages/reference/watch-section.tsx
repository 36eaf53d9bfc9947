import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { MarketReference, Profile } from "../../../client/assay-client.ts";
import { api, toFailure } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { Section } from "../../parts/layout.tsx";
import { Empty, WhenLoaded } from "../../parts/states.tsx";
import { useLoad } from "../../state/load.ts";
import { isOwner } from "../../state/session.ts";
import { showToast } from "../../state/toasts.ts";
import { referenceWords } from "../../words/reference.ts";
import { CellMatrix } from "./cell-matrix.tsx";

/** A reference that is not watched: what its prices would be, and the button that makes it so. */
export function WatchSection(props: {
  readonly market: MarketReference | undefined;
  readonly onWatched: () => void;
}) {
  const { market } = props;
  const load = useLoad([market?.brand], (signal) => readProfiles(market?.brand, signal));
  if (market === undefined) return null;
  return (
    <Section title={referenceWords.watchTitle} note={referenceWords.watchNote}>
      <WhenLoaded load={load} rows={4}>
        {(profiles) => <Watch market={market} profiles={profiles} onWatched={props.onWatched} />}
      </WhenLoaded>
    </Section>
  );
}

/** The one that prices most of the brand comes first, then those that are live. */
async function readProfiles(
  brand: string | undefined,
  signal: AbortSignal,
): Promise<readonly Profile[]> {
  const [{ items: profiles }, { items: configurations }] = await Promise.all([
    api.listProfiles({ limit: 100 }, { signal }),
    api.listConfigurations({ limit: 100, ...(brand === undefined ? {} : { brand }) }, { signal }),
  ]);
  const useOf = ({ id }: Profile): number =>
    configurations.filter(({ profile_id }) => profile_id === id).length;
  const rank = (profile: Profile): number =>
    2 * useOf(profile) + (profile.status === "live" ? 1 : 0);
  return profiles.toSorted((left, right) => rank(right) - rank(left));
}

function Watch(props: {
  readonly market: MarketReference;
  readonly profiles: readonly Profile[];
  readonly onWatched: () => void;
}) {
  const { market, profiles } = props;
  const name = useSignal(profiles[0]?.name ?? "");
  const isBusy = useSignal(false);
  const profile = profiles.find((each) => each.name === name.value);
  if (profile === undefined) {
    return (
      <Empty title={referenceWords.noProfile}>
        <p class="soft">{referenceWords.noProfileHint}</p>
      </Empty>
    );
  }
  const watch = async (): Promise<void> => {
    isBusy.value = true;
    try {
      await api.createConfiguration(declare(market, profile));
      showToast(referenceWords.watching);
      props.onWatched();
    } catch (error) {
      showToast(toFailure(error).message, { isBad: true });
    }
    isBusy.value = false;
  };
  return (
    <>
      <Preview market={market} profile={profile} />
      {isOwner.value ? (
        <p class="soft">
          {referenceWords.watchHint}{" "}
          {profile.status === "shadow" ? referenceWords.watchHintShadow : ""}
        </p>
      ) : null}
      <div class="row">
        <Button
          isMain
          isOwners
          isBusy={isBusy.value}
          onPress={() => {
            watch().catch(reportError);
          }}
        >
          {referenceWords.watch}
        </Button>
        <ProfileChoice
          profiles={profiles}
          profile={profile}
          onChoose={(chosen) => {
            name.value = chosen;
          }}
        />
      </div>
    </>
  );
}

function Preview(props: { readonly market: MarketReference; readonly profile: Profile }) {
  const { market, profile } = props;
  const { label: _, ...declared } = declare(market, profile);
  const load = useLoad([market.brand, market.reference, profile.name], (signal) =>
    api.previewConfiguration(declared, { signal }),
  );
  return (
    <WhenLoaded load={load} rows={4}>
      {({ items }) =>
        items.length === 0 ? (
          <p class="soft">{referenceWords.noPreview}</p>
        ) : (
          <CellMatrix caption={referenceWords.previewCaption} cells={items} profile={profile} />
        )
      }
    </WhenLoaded>
  );
}

/** Every year that the market shows, without outliers. The key and the alert are made by the service. */
function declare({ brand, reference, model }: MarketReference, profile: Profile) {
  return {
    profile: profile.name,
    brand,
    reference,
    label: [model, reference].filter(Boolean).join(" "),
    exclude_outliers: true,
  };
}

function ProfileChoice(props: {
  readonly profiles: readonly Profile[];
  readonly profile: Profile;
  readonly onChoose: (name: string) => void;
}) {
  const id = useId();
  const { lookback_days = 30, minimum_listings = 1 } = props.profile;
  return (
    <div class="row">
      <label for={id} class="soft">
        {referenceWords.profile}
      </label>
      <select
        id={id}
        class="field"
        value={props.profile.name}
        onChange={(event) => props.onChoose(event.currentTarget.value)}
      >
        {props.profiles.map(({ name, status }) => (
          <option key={name} value={name}>
            {`${name} (${status === "live" ? referenceWords.live : referenceWords.shadowShort})`}
          </option>
        ))}
      </select>
      <span class="sub">{referenceWords.profileNote(lookback_days, minimum_listings)}</span>
    </div>
  );
}
