import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { askToNotify, canNotify } from "../live/notifications.ts";
import { wantsNotifications } from "../state/preferences.ts";
import { words } from "../words/words.ts";

/** Turns notifications on and off. The browser asks only after a click on it. */
export function NotificationSwitch() {
  const id = useId();
  const isRefused = useSignal(false);
  const isPossible = canNotify();
  const change = async (isWanted: boolean): Promise<void> => {
    const isAllowed = isWanted && (await askToNotify());
    isRefused.value = isWanted && !isAllowed;
    wantsNotifications.value = isAllowed;
  };
  const hint = isPossible ? words.notifications.hint : words.notifications.unsupported;
  return (
    <div class="switch">
      <input
        id={id}
        type="checkbox"
        aria-describedby={`${id}-hint`}
        disabled={!isPossible}
        checked={wantsNotifications.value && isPossible}
        onChange={({ currentTarget: box }) => {
          const show = (): void => {
            // It is on only if the browser allows it.
            box.checked = wantsNotifications.value;
          };
          change(box.checked).then(show, reportError);
        }}
      />
      <div>
        <label for={id}>{words.notifications.label}</label>
        <p id={`${id}-hint`} class="sub" role="status">
          {isRefused.value ? words.notifications.refused : hint}
        </p>
      </div>
    </div>
  );
}
