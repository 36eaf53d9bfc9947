import type { Alert } from "../../../client/assay-client.ts";
import { formatTime } from "../../parts/format-age.ts";
import { Menu } from "../../parts/menu.tsx";
import { nowMs } from "../../state/clock.ts";
import { canWrite } from "../../state/session.ts";
import { alertsWords } from "../../words/alerts.ts";
import { formatClock } from "../../words/formats.ts";
import { canTurn, ENDLESS_MS, mute, turn, unmute } from "./mute.ts";

export interface AlertSwitches {
  readonly alert: Alert;
  readonly mutedUntilMs: number | undefined;
  readonly onMute: (untilMs: number | undefined) => void;
  /** Absent where another control turns it on and off. */
  readonly onTurn?: ((isOn: boolean) => void) | undefined;
}

const SPANS = ["hour", "tomorrow", "forever"] as const;
const DAY_MS = 86_400_000;

/** Whether an alert sends, with the choices to change that. A read-only token sees the state alone. */
export function MuteMenu(props: AlertSwitches) {
  const { alert, mutedUntilMs, onMute, onTurn } = props;
  const isMuted = isMutedAt(mutedUntilMs, nowMs.value);
  const state = isMuted ? describeMute(mutedUntilMs) : undefined;
  if (!canWrite.value) return state === undefined ? null : <span class="sub">{state}</span>;
  return (
    <Menu
      class="mute"
      label={
        <>
          <span>{state ?? alertsWords.mute}</span>
          <span class="sr"> {alert.name}</span>
        </>
      }
    >
      {SPANS.map((span) => (
        <Entry
          key={span}
          label={alertsWords[span]}
          run={async () => {
            const untilMs = await mute(alert, span);
            if (untilMs !== undefined) onMute(untilMs);
          }}
        />
      ))}
      {isMuted ? (
        <Entry
          label={alertsWords.unmute}
          run={async () => {
            if (await unmute(alert)) onMute(undefined);
          }}
        />
      ) : null}
      {onTurn !== undefined && canTurn(alert) ? (
        <Entry
          label={alert.enabled ? alertsWords.turnOff : alertsWords.turnOn}
          run={async () => {
            if (await turn(alert, !alert.enabled)) onTurn(!alert.enabled);
          }}
        />
      ) : null}
    </Menu>
  );
}

function Entry({ label, run }: { readonly label: string; readonly run: () => Promise<void> }) {
  return (
    <button type="button" class="menu-entry" onClick={() => void run().catch(reportError)}>
      {label}
    </button>
  );
}

function isMutedAt(untilMs: number | undefined, atMs: number): untilMs is number {
  return untilMs !== undefined && untilMs > atMs;
}

function describeMute(untilMs: number): string {
  if (untilMs >= ENDLESS_MS) return alertsWords.muted;
  const isSoon = untilMs - Date.now() < DAY_MS;
  return alertsWords.mutedUntil(isSoon ? formatClock(untilMs) : formatTime(untilMs));
}
