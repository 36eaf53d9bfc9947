import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { api } from "../../api.ts";
import { hasSharedStream } from "../../live/live.ts";
import { askToNotify, canNotify } from "../../live/notifications.ts";
import { Button } from "../../parts/button.tsx";
import { Preference, Switch } from "../../parts/choice.tsx";
import { saveFile } from "../../parts/copy.tsx";
import { PageHeading, ScrollArea, Section } from "../../parts/layout.tsx";
import { isKeysOpen } from "../../state/commands.ts";
import {
  areKeysOn,
  isCompact,
  isPresenting,
  THEMES,
  theme,
  wantsNotifications,
} from "../../state/preferences.ts";
import { canWrite } from "../../state/session.ts";
import { showToast, tellFailure } from "../../state/toasts.ts";
import { settingsWords } from "../../words/settings.ts";
import { words } from "../../words/words.ts";
import { BrowserSessions } from "./browser-sessions.tsx";
import { GroupSection } from "./group-section.tsx";
import { ProfileSection } from "./profile-section.tsx";
import { RateSection } from "./rate-section.tsx";
import { TokenSection } from "./token-section.tsx";

const PARTS = [
  "profiles",
  "rates",
  "groups",
  "tokens",
  "browsers",
  "manifest",
  "notifications",
  "look",
  "keyboard",
] as const;

/** Not for a token that only reads. */
const CLOSED: ReadonlySet<(typeof PARTS)[number]> = new Set(["tokens", "manifest"]);

/** The rules, what is read, and who may do what; below, what concerns this browser only. */
export function SettingsPage() {
  return (
    <ScrollArea name="settings" label={words.pages.settings}>
      <div class="page settings">
        <PageHeading title={words.pages.settings} />
        <Jumps />
        <Part id="profiles">
          <ProfileSection />
        </Part>
        <Part id="rates">
          <RateSection />
        </Part>
        <Part id="groups">
          <GroupSection />
        </Part>
        <Part id="tokens">
          <TokenSection />
        </Part>
        <Part id="browsers">
          <Section title={settingsWords.browsers}>
            <p class="soft">{settingsWords.browsersHint}</p>
            <BrowserSessions />
            <p class="soft">{settingsWords.phone}</p>
          </Section>
        </Part>
        <Part id="manifest">
          <ManifestSection />
        </Part>
        <Part id="notifications">
          <Section title={settingsWords.notifications}>
            <NotificationSwitch />
            {hasSharedStream ? null : <p class="notice">{words.live.noWorker}</p>}
            <p class="soft">
              {settingsWords.targets} <a href="/alerts?show=targets">{settingsWords.toAlerts}</a>
            </p>
          </Section>
        </Part>
        <Part id="look">
          <Section title={settingsWords.look}>
            <ThemeChoice />
            <Preference of={isCompact} {...words.density} />
            <Preference
              of={isPresenting}
              label={words.presenter.label}
              hint={words.presenter.hint}
            />
          </Section>
        </Part>
        <Part id="keyboard">
          <Section title={settingsWords.keyboard}>
            <Preference of={areKeysOn} label={words.keys.enabled} hint={words.keys.hint} />
            <Button onPress={showKeys}>{settingsWords.showKeys}</Button>
          </Section>
        </Part>
      </div>
    </ScrollArea>
  );
}

function isShown(id: (typeof PARTS)[number]): boolean {
  return canWrite.value || !CLOSED.has(id);
}

function Jumps() {
  return (
    <nav class="jumps" aria-label={settingsWords.jump}>
      {PARTS.filter(isShown).map((id) => (
        <a key={id} href={`#${id}`}>
          {settingsWords[id]}
        </a>
      ))}
      <a class="jumps-last" href="/operations">
        {words.pages.operations}
      </a>
      <a href="/start">{words.pages.start}</a>
    </nav>
  );
}

function Part(props: {
  readonly id: (typeof PARTS)[number];
  readonly children: ComponentChildren;
}) {
  return isShown(props.id) ? <div id={props.id}>{props.children}</div> : null;
}

/** All declarations as a file. */
function ManifestSection() {
  const isBusy = useSignal(false);
  const download = async (): Promise<void> => {
    isBusy.value = true;
    try {
      const headers = { "content-type": "application/yaml" };
      const blob = await new Response(await api.exportManifest({}), { headers }).blob();
      saveFile(blob, `assay-${new Date().toISOString().slice(0, 10)}.yaml`);
      showToast(settingsWords.downloaded);
    } catch (error) {
      tellFailure(error);
    }
    isBusy.value = false;
  };
  return (
    <Section title={settingsWords.manifest}>
      <p class="soft">{settingsWords.manifestHint}</p>
      <Button isBusy={isBusy.value} onPress={() => void download()}>
        {settingsWords.download}
      </Button>
    </Section>
  );
}

/** Turns notifications on and off. The browser asks only after a click on it. */
function NotificationSwitch() {
  const isRefused = useSignal(false);
  const isPossible = canNotify();
  const change = async (isWanted: boolean): Promise<void> => {
    const isAllowed = isWanted && (await askToNotify());
    isRefused.value = isWanted && !isAllowed;
    wantsNotifications.value = isAllowed;
  };
  const hint = isPossible ? words.notifications.hint : words.notifications.unsupported;
  return (
    <Switch
      isOn={wantsNotifications.value && isPossible}
      label={words.notifications.label}
      hint={isRefused.value ? words.notifications.refused : hint}
      isHintLive
      isDisabled={!isPossible}
      onChange={(isOn, box) => {
        const show = (): void => {
          // It is on only if the browser allows it.
          box.checked = wantsNotifications.value;
        };
        change(isOn).then(show, reportError);
      }}
    />
  );
}

function ThemeChoice() {
  return (
    <fieldset class="choice">
      <legend>{words.theme.label}</legend>
      {THEMES.map((name) => (
        <label key={name}>
          <input
            type="radio"
            name="theme"
            value={name}
            checked={theme.value === name}
            onChange={() => {
              theme.value = name;
            }}
          />
          <span>{words.theme[name]}</span>
        </label>
      ))}
    </fieldset>
  );
}

const showKeys = (): void => {
  isKeysOpen.value = true;
};
