import { signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { CreateProfileRequest, Profile } from "../../../../client/assay-client.ts";
import { api } from "../../../api.ts";
import { ConfirmDialog } from "../../../parts/confirm-dialog.tsx";
import { Field } from "../../../parts/field.tsx";
import { showToast } from "../../../state/toasts.ts";
import { settingsWords } from "../../../words/settings.ts";
import { RULES, toRuleBody, toText } from "./profile-rules.ts";

const NAME_LENGTH_MAX = 120;

/** The rules of a profile, or of a new one, which starts in shadow. */
export function ProfileDialog(props: {
  readonly profile?: Profile;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}) {
  const { profile } = props;
  const form = useMemo(() => createForm(profile), []);
  const save = async (): Promise<void> => {
    const name = form.name.value.trim();
    const body = { name, ...toRuleBody((id) => form.rules[id]?.value ?? "") };
    if (profile === undefined) await api.createProfile(body as CreateProfileRequest);
    else await api.changeProfile({ ...body, id: profile.id });
    showToast(settingsWords.profileSaved(name));
    props.onSaved();
  };
  return (
    <ConfirmDialog
      title={
        profile === undefined ? settingsWords.newProfile : settingsWords.editProfile(profile.name)
      }
      action={profile === undefined ? settingsWords.createProfile : settingsWords.saveProfile}
      class="profile-dialog"
      onConfirm={save}
      onClose={props.onClose}
    >
      <Field of={form.name} label={settingsWords.profileName} lengthMax={NAME_LENGTH_MAX} />
      <div class="form-grid">
        {RULES.map(({ id, min, max, step }) => (
          <Field
            key={id}
            of={form.rules[id] ?? form.name}
            {...settingsWords.fields[id]}
            range={{ min, max, step }}
          />
        ))}
      </div>
    </ConfirmDialog>
  );
}

function createForm(profile: Profile | undefined) {
  return {
    name: signal(profile?.name ?? ""),
    rules: Object.fromEntries(
      RULES.map((rule) => [rule.id, signal(toText(rule, profile ?? {}))] as const),
    ),
  };
}
