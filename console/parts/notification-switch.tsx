import { useSignal } from "@preact/signals";
import { askToNotify, canNotify } from "../live/notifications.ts";
import { wantsNotifications } from "../state/preferences.ts";
import { words } from "../words/words.ts";
import { Switch } from "./switch.tsx";

/** Turns notifications on and off. The browser asks only after a click on it. */
export function NotificationSwitch() {
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
