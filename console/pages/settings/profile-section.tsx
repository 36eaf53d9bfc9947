import { useSignal } from "@preact/signals";
import type { Profile } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { CopyLine, ForEngineers } from "../../parts/copy.tsx";
import { Amount, ThresholdText } from "../../parts/figures.tsx";
import { Section } from "../../parts/layout.tsx";
import { Empty, WhenLoaded } from "../../parts/states.tsx";
import { Tag } from "../../parts/table.tsx";
import { useLoad } from "../../state/load.ts";
import { isPresenting } from "../../state/preferences.ts";
import { settingsWords } from "../../words/settings.ts";
import { words } from "../../words/words.ts";
import { ProfileDialog } from "./profile-dialog.tsx";
import { StatusDialog } from "./status-dialog.tsx";

/** A dealer has a handful of profiles. */
const PROFILES_MAX = 200;

/** The rules by which watches are priced, and whether their buys are sent. */
export function ProfileSection() {
  const load = useLoad([], (signal) => api.listProfiles({ limit: PROFILES_MAX }, { signal }));
  const isCreating = useSignal(false);
  return (
    <Section title={settingsWords.profiles}>
      <p class="soft">{settingsWords.profilesHint}</p>
      <WhenLoaded load={load} rows={2}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={settingsWords.noProfiles} />
          ) : (
            <ul class="cards">
              {items.map((profile) => (
                <ProfileCard key={profile.id} profile={profile} onChanged={load.reload} />
              ))}
            </ul>
          )
        }
      </WhenLoaded>
      {isPresenting.value ? (
        <p class="sub">{settingsWords.hiddenRules}</p>
      ) : (
        <Button
          isOwners
          onPress={() => {
            isCreating.value = true;
          }}
        >
          {settingsWords.newProfile}
        </Button>
      )}
      {isCreating.value ? (
        <ProfileDialog
          onClose={() => {
            isCreating.value = false;
          }}
          onSaved={load.reload}
        />
      ) : null}
    </Section>
  );
}

/** A profile with its most important rules. One of a manifest is shown and not edited. */
function ProfileCard(props: { readonly profile: Profile; readonly onChanged: () => void }) {
  const { profile, onChanged } = props;
  const dialog = useSignal<"edit" | "status" | undefined>(undefined);
  const isLive = profile.status === "live";
  const isOurs = profile.managed_by === "api";
  const close = (): void => {
    dialog.value = undefined;
  };
  return (
    <li class="card">
      <div class="card-head">
        <div class="row">
          <b class="two-lines" title={profile.name}>
            <bdi>{profile.name}</bdi>
          </b>
          <Tag tone={isLive ? "good" : "plain"}>
            {isLive ? settingsWords.live : settingsWords.shadow}
          </Tag>
          {isOurs ? null : <Tag>{words.managed}</Tag>}
        </div>
        {isOurs ? (
          <div class="row">
            {isPresenting.value ? null : (
              <Button
                isOwners
                onPress={() => {
                  dialog.value = "edit";
                }}
              >
                {settingsWords.edit}
                <span class="sr"> {profile.name}</span>
              </Button>
            )}
            <Button
              isOwners
              isMain={!isLive}
              onPress={() => {
                dialog.value = "status";
              }}
            >
              {isLive ? settingsWords.goShadow : settingsWords.goLive}
              <span class="sr"> {profile.name}</span>
            </Button>
          </div>
        ) : null}
      </div>
      <Rules profile={profile} />
      {isOurs ? null : (
        <>
          <p class="sub">{settingsWords.managedHint}</p>
          <ForEngineers>
            <p class="sub">{settingsWords.managedCommand}</p>
            <CopyLine text="assay apply FILE" />
          </ForEngineers>
        </>
      )}
      {dialog.value === "edit" ? (
        <ProfileDialog profile={profile} onClose={close} onSaved={onChanged} />
      ) : null}
      {dialog.value === "status" ? (
        <StatusDialog profile={profile} onClose={close} onChanged={onChanged} />
      ) : null}
    </li>
  );
}

function Rules({ profile }: { readonly profile: Profile }) {
  const { rules, percent } = settingsWords;
  return (
    <dl class="rules">
      <div>
        <dt>{rules.profit}</dt>
        <dd>
          <Amount minor={profile.minimum_profit_eur_minor} currency="EUR" kind="threshold" />
        </dd>
      </div>
      <div>
        <dt>{rules.markup}</dt>
        <dd>
          <ThresholdText text={percent(profile.hk_markup?.rate_bps ?? 0)} /> {rules.plus}{" "}
          <Amount minor={profile.hk_markup?.fixed_eur_minor} currency="EUR" kind="threshold" />
        </dd>
      </div>
      <div>
        <dt>{rules.margin}</dt>
        <dd>
          <ThresholdText text={percent(profile.consumer_range?.margin_bps ?? 0)} />
        </dd>
      </div>
      <div>
        <dt>{rules.minimum}</dt>
        <dd>{rules.minimumOf(profile.minimum_listings ?? 0)}</dd>
      </div>
      <div>
        <dt>{rules.lookback}</dt>
        <dd>{rules.lookbackOf(profile.lookback_days ?? 0)}</dd>
      </div>
      <div>
        <dt>{settingsWords.sets}</dt>
        <dd>{settingsWords.setsOf[profile.sets ?? "any"]}</dd>
      </div>
    </dl>
  );
}
