import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { hasSharedStream } from "../../live/live.ts";
import { Button } from "../../parts/button.tsx";
import { PageHeading } from "../../parts/page-heading.tsx";
import { ScrollArea } from "../../parts/scroll-area.tsx";
import { Switch } from "../../parts/switch.tsx";
import { ThemeChoice } from "../../parts/theme-choice.tsx";
import { isKeysOpen } from "../../shell/open-dialogs.ts";
import { areKeysOn, isCompact, isPresenting } from "../../state/preferences.ts";
import { settingsWords } from "../../words/settings.ts";
import { words } from "../../words/words.ts";
import { BrowserSessions } from "./browser-sessions.tsx";

export function SettingsPage() {
  return (
    <ScrollArea name="settings" label={words.pages.settings}>
      <div class="page narrow">
        <PageHeading title={words.pages.settings} />
        <Block title={settingsWords.look}>
          <ThemeChoice />
          <Switch of={isCompact} {...words.density} />
          <Switch of={isPresenting} label={words.presenter.label} hint={words.presenter.hint} />
        </Block>
        <Block title={settingsWords.keyboard}>
          <Switch of={areKeysOn} label={words.keys.enabled} hint={words.keys.hint} />
          <Button onPress={showKeys}>{settingsWords.showKeys}</Button>
        </Block>
        <Block title={settingsWords.notifications}>
          {hasSharedStream ? null : <p class="notice">{words.live.noWorker}</p>}
          <p class="soft">{settingsWords.targets}</p>
        </Block>
        <Block title={settingsWords.browsers}>
          <p class="soft">{settingsWords.browsersHint}</p>
          <BrowserSessions />
          <p class="soft">{settingsWords.phone}</p>
        </Block>
      </div>
    </ScrollArea>
  );
}

const showKeys = (): void => {
  isKeysOpen.value = true;
};

function Block(props: { readonly title: string; readonly children: ComponentChildren }) {
  const id = useId();
  return (
    <section class="block" aria-labelledby={id}>
      <h2 id={id}>{props.title}</h2>
      {props.children}
    </section>
  );
}
