import { useSignal } from "@preact/signals";
import { api } from "../../../api.ts";
import { Button } from "../../../parts/button.tsx";
import { Empty } from "../../../parts/empty.tsx";
import { Section } from "../../../parts/section.tsx";
import { WhenLoaded } from "../../../parts/when-loaded.tsx";
import { useLoad } from "../../../state/load.ts";
import { isPresenting } from "../../../state/preferences.ts";
import { settingsWords } from "../../../words/settings.ts";
import { ProfileCard } from "./profile-card.tsx";
import { ProfileDialog } from "./profile-dialog.tsx";

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
          isWrite
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
