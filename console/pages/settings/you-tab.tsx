/** What belongs to the person: the look, keys and notifications of this browser, and the browsers that are signed in. */
import { useSignal } from "@preact/signals";
import {
  type BrowserSession,
  endBrowserSession,
  endOtherSessions,
  listBrowserSessions,
  signOut,
} from "../../api.ts";
import { hasSharedStream } from "../../live/live.ts";
import { askToNotify, canNotify } from "../../live/notifications.ts";
import { Button } from "../../parts/button.tsx";
import { Preference, Switch } from "../../parts/choice.tsx";
import { ConfirmDialog } from "../../parts/dialog.tsx";
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
import { session } from "../../state/session.ts";
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

/** The browsers that are signed in, this one first: for a desk and an owner those of others too, which an owner ends. */
function BrowserSessions() {
  const load = useLoad([], listBrowserSessions);
  const asked = useSignal<BrowserSession | "others" | undefined>(undefined);
  const close = (): void => {
    asked.value = undefined;
  };
  return (
    <>
      <WhenLoaded load={load} rows={2}>
        {(sessions) => (
          <>
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
                  <EndButton
                    session={session}
                    onPress={() => {
                      if (session.madeCount > 0) asked.value = session;
                      else void endSession(session, {}, load.reload).catch(tellFailure);
                    }}
                  />
                </li>
              ))}
            </ul>
            {sessions.length > 1 ? null : <p class="soft">{settingsWords.noOtherBrowser}</p>}
            {sessions.some(({ isOwn, isCurrent }) => isOwn && !isCurrent) ? (
              <Button
                onPress={() => {
                  asked.value = "others";
                }}
              >
                {settingsWords.endOthers}
              </Button>
            ) : null}
          </>
        )}
      </WhenLoaded>
      {asked.value === undefined ? null : asked.value === "others" ? (
        <EndOthersDialog onEnd={load.reload} onClose={close} />
      ) : (
        <EndDialog session={asked.value} onEnd={load.reload} onClose={close} />
      )}
    </>
  );
}

function EndButton(props: { readonly session: BrowserSession; readonly onPress: () => void }) {
  const { label, isCurrent, isOwn } = props.session;
  if (isCurrent) return <Button onPress={props.onPress}>{words.session.signOut}</Button>;
  return (
    <Button isOwners={!isOwn} onPress={props.onPress}>
      {settingsWords.end}
      <span class="sr">{label}</span>
    </Button>
  );
}

async function endSession(
  { id, label, isCurrent }: BrowserSession,
  options: { readonly isWithMade?: boolean },
  onEnd: () => void,
): Promise<void> {
  if (isCurrent) return signOut(options);
  await endBrowserSession(id, options);
  showToast(settingsWords.ended(label));
  onEnd();
}

/** For one from which others were signed in. */
function EndDialog(props: {
  readonly session: BrowserSession;
  readonly onEnd: () => void;
  readonly onClose: () => void;
}) {
  const { session, onEnd, onClose } = props;
  const isWithMade = useSignal(false);
  return (
    <ConfirmDialog
      title={settingsWords.endTitle(session.label)}
      action={words.session.signOut}
      isLoss
      onConfirm={() => endSession(session, { isWithMade: isWithMade.value }, onEnd)}
      onClose={onClose}
    >
      <Switch
        isOn={isWithMade.value}
        label={settingsWords.endMade(session.madeCount)}
        hint={settingsWords.endMadeHint}
        onChange={(isOn) => {
          isWithMade.value = isOn;
        }}
      />
    </ConfirmDialog>
  );
}

function EndOthersDialog({
  onEnd,
  onClose,
}: Pick<Parameters<typeof EndDialog>[0], "onEnd" | "onClose">) {
  const end = async (): Promise<void> => {
    await endOtherSessions();
    showToast(settingsWords.endedOthers);
    onEnd();
  };
  return (
    <ConfirmDialog
      title={settingsWords.endOthersTitle}
      action={settingsWords.endOthers}
      isLoss
      onConfirm={end}
      onClose={onClose}
    >
      <p>{settingsWords.endOthersMeans}</p>
    </ConfirmDialog>
  );
}

function Times({ session }: { readonly session: BrowserSession }) {
  const { tokenName, createdAtMs, lastUsedAtMs, expiresAtMs, isCurrent } = session;
  return (
    <p class="sub">
      {tokenName} · {settingsWords.since} {formatTime(createdAtMs)}
      {isCurrent ? null : ` · ${settingsWords.lastUsed} ${formatTime(lastUsedAtMs)}`}
      {` · ${settingsWords.until} ${formatTime(expiresAtMs)}`}
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
