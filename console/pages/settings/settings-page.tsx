import { signOut, toFailure } from "../../api.ts";
import { hasSharedStream } from "../../live/live.ts";
import { Button } from "../../parts/button.tsx";
import { formatTime } from "../../parts/format-age.ts";
import { NotificationSwitch } from "../../parts/notification-switch.tsx";
import { PageHeading } from "../../parts/page-heading.tsx";
import { ScrollArea } from "../../parts/scroll-area.tsx";
import { Switch } from "../../parts/switch.tsx";
import { Tag } from "../../parts/tag.tsx";
import { ThemeChoice } from "../../parts/theme-choice.tsx";
import { areKeysOn, isCompact, isPresenting } from "../../state/preferences.ts";
import { session } from "../../state/session.ts";
import { showToast } from "../../state/toasts.ts";
import { words } from "../../words/words.ts";

export function SettingsPage() {
  return (
    <ScrollArea name="settings" label={words.pages.settings}>
      <div class="page narrow">
        <PageHeading title={words.pages.settings} />
        <ThemeChoice />
        <Switch of={isCompact} {...words.density} />
        <Switch of={isPresenting} label={words.presenter.label} hint={words.presenter.hint} />
        <Switch of={areKeysOn} label={words.keys.enabled} hint={words.keys.hint} />
        <NotificationSwitch />
        {hasSharedStream ? null : <p class="sub">{words.live.noWorker}</p>}
        <SessionBlock />
      </div>
    </ScrollArea>
  );
}

function SessionBlock() {
  if (session.value.kind !== "signed_in") return null;
  const { tokenName, isReadOnly, expiresAtMs } = session.value;
  const leave = (): void => {
    signOut().catch((error: unknown) => showToast(toFailure(error).message, { isBad: true }));
  };
  return (
    <section class="block" aria-labelledby="session-title">
      <h2 id="session-title">{words.session.title}</h2>
      <p>
        {words.session.signedInAs} <b>{tokenName}</b>
        {expiresAtMs === undefined ? null : (
          <span class="soft">
            {" "}
            {words.session.until} {formatTime(expiresAtMs)}
          </span>
        )}{" "}
        {isReadOnly ? <Tag>{words.session.readOnly}</Tag> : null}
      </p>
      <Button onPress={leave}>{words.session.signOut}</Button>
    </section>
  );
}
