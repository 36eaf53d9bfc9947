/** The steps from a buy to the phone: the alert, where it is sent, and going live. */
import { useSignal } from "@preact/signals";
import type { Profile } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { Field, FieldProblem } from "../../parts/form.tsx";
import { Tag } from "../../parts/table.tsx";
import { canWrite } from "../../state/session.ts";
import { showToast } from "../../state/toasts.ts";
import { settingsWords } from "../../words/settings.ts";
import { startWords } from "../../words/start.ts";
import { StatusDialog } from "../settings/status-dialog.tsx";
import { type StepProps, useAction } from "./steps.ts";

const alertWords = startWords.alert;
const targetWords = startWords.target;
const liveWords = startWords.live;

/** The alert that reports every buy. */
export function AlertStep({ state, onChanged }: StepProps) {
  const { isBusy, problem, run } = useAction();
  const create = async (): Promise<void> => {
    await api.createAlert({ name: alertWords.name, strategy: "price_engine", filters: {} });
    showToast(alertWords.created);
    onChanged();
  };
  return (
    <>
      <p>{alertWords.intro}</p>
      <FieldProblem>{problem.value}</FieldProblem>
      {state.alerts.length > 0 ? null : (
        <Button isMain isWrite isBusy={isBusy.value} onPress={() => run(create)}>
          {alertWords.create}
        </Button>
      )}
      <p class="soft">
        {alertWords.other} <a href="/market">{alertWords.toMarket}</a>
      </p>
    </>
  );
}

/** Where buys are sent. The test tells at once whether the address is right. */
export function TargetStep({ onChanged }: StepProps) {
  const name = useSignal<string>(targetWords.initialName);
  const url = useSignal("");
  const { isBusy, problem, run } = useAction();
  const create = async (): Promise<void> => {
    const target = { name: name.value.trim(), kind: "ntfy", url: url.value.trim() } as const;
    const { id } = await api.createWebhookTarget(target);
    const { is_delivered, result } = await api.testWebhookTarget({ target_id: id });
    if (is_delivered) showToast(targetWords.tested(target.name));
    else showToast(targetWords.testFailed(target.name, result), { isBad: true });
    onChanged();
  };
  return (
    <>
      <p>{targetWords.intro}</p>
      {canWrite.value ? (
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            run(create);
          }}
        >
          <div class="form-grid">
            <Field of={name} label={targetWords.name} lengthMax={120} />
            <Field of={url} label={targetWords.url} hint={targetWords.urlHint} lengthMax={2000} />
          </div>
          <FieldProblem>{problem.value}</FieldProblem>
          <Button isMain isSubmit isWrite isBusy={isBusy.value}>
            {targetWords.create}
          </Button>
        </form>
      ) : null}
      <p class="soft">
        {targetWords.others} <a href="/settings?show=notifications">{targetWords.toAlerts}</a>
      </p>
    </>
  );
}

/** Shadow sends nothing: says so, and offers to change it. */
export function LiveStep({ state: { profiles }, onChanged }: StepProps) {
  const asked = useSignal<Profile | undefined>(undefined);
  return (
    <>
      <p>{liveWords.intro}</p>
      {profiles.length === 0 ? <p class="soft">{liveWords.noProfile}</p> : null}
      <ul class="choices">
        {profiles.map((profile) => (
          <li key={profile.id}>
            <b>
              <bdi>{profile.name}</bdi>
            </b>
            <Tag tone={profile.status === "live" ? "good" : "plain"}>
              {profile.status === "live" ? settingsWords.live : liveWords.shadow}
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
  if (profile.managed_by !== "api")
    return <span class="soft">{liveWords.manifest(profile.name)}</span>;
  return (
    <Button isMain isWrite onPress={onAsk}>
      {settingsWords.goLive}
      <span class="sr"> {profile.name}</span>
    </Button>
  );
}
