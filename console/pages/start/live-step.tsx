import { useSignal } from "@preact/signals";
import type { Profile } from "../../../client/assay-client.ts";
import { Button } from "../../parts/button.tsx";
import { Tag } from "../../parts/tag.tsx";
import { settingsWords } from "../../words/settings.ts";
import { startWords } from "../../words/start.ts";
import { StatusDialog } from "../settings/profiles/status-dialog.tsx";
import type { StepProps } from "./read-start.ts";

const words = startWords.live;

/** Shadow sends nothing: says so, and offers to change it. */
export function LiveStep({ state: { profiles }, onChanged }: StepProps) {
  const asked = useSignal<Profile | undefined>(undefined);
  return (
    <>
      <p>{words.intro}</p>
      {profiles.length === 0 ? <p class="soft">{words.noProfile}</p> : null}
      <ul class="choices">
        {profiles.map((profile) => (
          <li key={profile.id}>
            <b>
              <bdi>{profile.name}</bdi>
            </b>
            <Tag tone={profile.status === "live" ? "good" : "plain"}>
              {profile.status === "live" ? settingsWords.live : words.shadow}
            </Tag>
            <Offer
              profile={profile}
              onAsk={() => {
                asked.value = profile;
              }}
            />
          </li>
        ))}
      </ul>
      {asked.value === undefined ? null : (
        <StatusDialog
          profile={asked.value}
          onClose={() => {
            asked.value = undefined;
          }}
          onChanged={onChanged}
        />
      )}
    </>
  );
}

function Offer({ profile, onAsk }: { readonly profile: Profile; readonly onAsk: () => void }) {
  if (profile.status === "live") return null;
  if (profile.managed_by !== "api") return <span class="soft">{words.manifest(profile.name)}</span>;
  return (
    <Button isMain isWrite onPress={onAsk}>
      {settingsWords.goLive}
      <span class="sr"> {profile.name}</span>
    </Button>
  );
}
