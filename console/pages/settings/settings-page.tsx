import type { ComponentChildren } from "preact";
import { hasSharedStream } from "../../live/live.ts";
import { Button } from "../../parts/button.tsx";
import { NotificationSwitch } from "../../parts/notification-switch.tsx";
import { PageHeading } from "../../parts/page-heading.tsx";
import { Preference } from "../../parts/preference.tsx";
import { ScrollArea } from "../../parts/scroll-area.tsx";
import { Section } from "../../parts/section.tsx";
import { ThemeChoice } from "../../parts/theme-choice.tsx";
import { isKeysOpen } from "../../shell/open-dialogs.ts";
import { areKeysOn, isCompact, isPresenting } from "../../state/preferences.ts";
import { settingsWords } from "../../words/settings.ts";
import { words } from "../../words/words.ts";
import { BrowserSessions } from "./browser-sessions.tsx";
import { GroupSection } from "./groups/group-section.tsx";
import { ManifestSection } from "./manifest-section.tsx";
import { ProfileSection } from "./profiles/profile-section.tsx";
import { RateSection } from "./rate-section.tsx";
import { TokenSection } from "./tokens/token-section.tsx";

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

function Jumps() {
  return (
    <nav class="jumps" aria-label={settingsWords.jump}>
      {PARTS.map((id) => (
        <a key={id} href={`#${id}`}>
          {settingsWords[id]}
        </a>
      ))}
      <a class="jumps-last" href="/start">
        {words.pages.start}
      </a>
    </nav>
  );
}

function Part(props: {
  readonly id: (typeof PARTS)[number];
  readonly children: ComponentChildren;
}) {
  return <div id={props.id}>{props.children}</div>;
}

const showKeys = (): void => {
  isKeysOpen.value = true;
};
