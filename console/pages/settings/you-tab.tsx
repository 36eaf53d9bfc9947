/** What belongs to the person: the look, keys and notifications of this browser, and the browsers that are signed in. */
import { useSignal } from "@preact/signals";
import { type BrowserSession, endBrowserSession, listBrowserSessions, signOut } from "../../api.ts";
import { hasSharedStream } from "../../live/live.ts";
import { askToNotify, canNotify } from "../../live/notifications.ts";
import { Button } from "../../parts/button.tsx";
import { Preference, Switch } from "../../parts/choice.tsx";
import { Section } from "../../parts/layout.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import { Tag } from "../../parts/table.tsx";
import { isDeviceOpen, isKeysOpen } from "../../state/commands.ts";
import { useLoad } from "../../state/load.ts";
import {
  areKeysOn,
  isCompact,
  isPresenting,
  THEMES,
  theme,
  wantsNotifications,
} from "../../state/preferences.ts";
import { canWrite, session } from "../../state/session.ts";
import { showToast, tellFailure } from "../../state/toasts.ts";
import { formatTime } from "../../words/formats.ts";
import { settingsWords } from "../../words/settings.ts";
import { trade } from "../../words/trade.ts";
import { words } from "../../words/words.ts";

export function YouTab() {
  return (
    <>
      <div class="stack">
        <Section title={settingsWords.look}>
          <ThemeChoice />
          <Preference of={isCompact} {...words.density} />
          <Preference of={isPresenting} label={words.presenter.label} hint={words.presenter.hint} />
        </Section>
        <Section title={settingsWords.keyboard}>
          <Preference of={areKeysOn} label={words.keys.enabled} hint={words.keys.hint} />
          <div class="row">
            <Button onPress={showKeys}>{settingsWords.showKeys}</Button>
          </div>
        </Section>
        <Section title={words.notifications.label}>
          <NotificationSwitch />
          {hasSharedStream ? null : <p class="notice">{words.live.noWorker}</p>}
        </Section>
      </div>
      <Section title={settingsWords.browsers} note={<Who />}>
        <p class="soft">{settingsWords.browsersHint}</p>
        <div class="row">
          <Button onPress={openDevice}>{words.person.device}</Button>
        </div>
        <BrowserSessions />
      </Section>
    </>
  );
}

/** Who this browser is, and what that allows. */
function Who() {
  if (session.value.kind !== "signed_in") return null;
  const { tokenName, role } = session.value;
  return (
    <>
      <bdi>{tokenName}</bdi> · {settingsWords.roles[role]}
    </>
  );
}

/** All browsers that are signed in, this one first. A token that only reads sees none but its own. */
function BrowserSessions() {
  return canWrite.value ? <AllBrowsers /> : <SignOut />;
}

function SignOut() {
  return <Button onPress={() => void signOut().catch(tellFailure)}>{words.session.signOut}</Button>;
}

function AllBrowsers() {
  const load = useLoad([], listBrowserSessions);
  const end = async ({ id, label }: BrowserSession): Promise<void> => {
    try {
      await endBrowserSession(id);
      showToast(settingsWords.ended(label));
    } catch (error) {
      tellFailure(error);
    }
    load.reload();
  };
  return (
    <WhenLoaded load={load} rows={2}>
      {(sessions) => (
        <ul class="browsers">
          {currentFirst(sessions).map((session) => (
            <li key={session.id}>
              <div>
                <div class="row">
                  <b>{session.label}</b>
                  {session.isCurrent ? <Tag tone="good">{settingsWords.current}</Tag> : null}
                  <Tag>{trade.roles[session.role]}</Tag>
                </div>
                <Times session={session} />
              </div>
              {session.isCurrent ? (
                <SignOut />
              ) : (
                <Button isOwners onPress={() => void end(session)}>
                  {settingsWords.end}
                  <span class="sr">{session.label}</span>
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </WhenLoaded>
  );
}

function Times({ session }: { readonly session: BrowserSession }) {
  const { tokenName, createdAtMs, lastUsedAtMs, isCurrent } = session;
  return (
    <p class="sub">
      {tokenName} · {settingsWords.since} {formatTime(createdAtMs)}
      {isCurrent ? null : ` · ${settingsWords.lastUsed} ${formatTime(lastUsedAtMs)}`}
    </p>
  );
}

function currentFirst(sessions: readonly BrowserSession[]): readonly BrowserSession[] {
  return sessions.toSorted((left, right) => Number(right.isCurrent) - Number(left.isCurrent));
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

const openDevice = (): void => {
  isDeviceOpen.value = true;
};
