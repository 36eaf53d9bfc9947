/** Mutes alerts and turns them on and off. The row changes at once: the service tells of it a moment later. */
import type { Alert } from "../../../client/assay-client.ts";
import { api, toFailure } from "../../api.ts";
import { useAfterMatches } from "../../live/changes.ts";
import { Menu } from "../../parts/menu.tsx";
import { nowMs } from "../../state/clock.ts";
import { useLoad } from "../../state/load.ts";
import { canWrite } from "../../state/session.ts";
import { showToast } from "../../state/toasts.ts";
import { alertsWords } from "../../words/alerts.ts";
import { DAY_MS, formatClock, formatTime, HOUR_MS } from "../../words/formats.ts";

interface AlertSwitches {
  readonly alert: Alert;
  readonly mutedUntilMs: number | undefined;
  readonly onMute: (untilMs: number | undefined) => void;
  /** Absent where another control turns it on and off. */
  readonly onTurn?: ((isOn: boolean) => void) | undefined;
}

const SPANS = ["hour", "tomorrow", "forever"] as const;
type MuteSpan = (typeof SPANS)[number];

/** What the service says of an alert that is muted without an end. */
const ENDLESS_MS = 253_402_300_799_999;
const MORNING_HOUR = 8;

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

/** The mute of one alert, on its own page. */
export function MuteSwitch({ alert }: { readonly alert: Alert }) {
  const load = useLoad([alert.id], async (signal) => {
    const { items } = await api.listAlertStates({}, { signal });
    return { untilMs: items.find(({ alert_id }) => alert_id === alert.id)?.muted_until_ms };
  });
  useAfterMatches(load.reload);
  const { value } = load.state.value;
  if (value === undefined) return null;
  return (
    <MuteMenu
      alert={alert}
      mutedUntilMs={value.untilMs}
      onMute={(untilMs) => load.change(() => ({ untilMs }))}
    />
  );
}

export function turn({ id, name }: Alert, isOn: boolean): Promise<boolean> {
  const text = isOn ? alertsWords.didTurnOn(name) : alertsWords.didTurnOff(name);
  return attempt(api.changeAlert({ alert_id: id, enabled: isOn }), text);
}

/** A manifest decides for its own alerts. */
export function canTurn({ managed_by }: Alert): boolean {
  return managed_by === "api" || managed_by === "price_engine";
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

/** Returns until when it is muted. */
async function mute({ id, name }: Alert, span: MuteSpan): Promise<number | undefined> {
  const untilMs = endOf(span);
  const until = untilMs === ENDLESS_MS ? {} : { until_ms: untilMs };
  const isDone = await attempt(
    api.muteAlert({ alert_id: id, ...until }),
    alertsWords.didMute(name),
  );
  return isDone ? untilMs : undefined;
}

function unmute({ id, name }: Alert): Promise<boolean> {
  return attempt(api.unmuteAlert({ alert_id: id }), alertsWords.didUnmute(name));
}

function endOf(span: MuteSpan): number {
  if (span === "forever") return ENDLESS_MS;
  if (span === "hour") return Date.now() + HOUR_MS;
  const morning = new Date();
  morning.setDate(morning.getDate() + 1);
  return morning.setHours(MORNING_HOUR, 0, 0, 0);
}

async function attempt(call: Promise<unknown>, text: string): Promise<boolean> {
  try {
    await call;
    showToast(text);
    return true;
  } catch (error) {
    showToast(toFailure(error).message, { isBad: true });
    return false;
  }
}
