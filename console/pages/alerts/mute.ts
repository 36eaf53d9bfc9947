/** Mutes and switches alerts, and changes the row at once: the service tells of it a moment later. */
import type { Alert } from "../../../client/assay-client.ts";
import { api, toFailure } from "../../api.ts";
import { showToast } from "../../state/toasts.ts";
import { alertsWords } from "../../words/alerts.ts";

/** What the service says of an alert that is muted without an end. */
export const ENDLESS_MS = 253_402_300_799_999;
const HOUR_MS = 3_600_000;
const MORNING_HOUR = 8;

export type MuteSpan = "hour" | "tomorrow" | "forever";

/** Returns until when it is muted. */
export async function mute({ id, name }: Alert, span: MuteSpan): Promise<number | undefined> {
  const untilMs = endOf(span);
  const until = untilMs === ENDLESS_MS ? {} : { until_ms: untilMs };
  const isDone = await attempt(
    api.muteAlert({ alert_id: id, ...until }),
    alertsWords.didMute(name),
  );
  return isDone ? untilMs : undefined;
}

export function unmute({ id, name }: Alert): Promise<boolean> {
  return attempt(api.unmuteAlert({ alert_id: id }), alertsWords.didUnmute(name));
}

export function turn({ id, name }: Alert, isOn: boolean): Promise<boolean> {
  const text = isOn ? alertsWords.didTurnOn(name) : alertsWords.didTurnOff(name);
  return attempt(api.changeAlert({ alert_id: id, enabled: isOn }), text);
}

/** A manifest decides for its own alerts. */
export function canTurn({ managed_by }: Alert): boolean {
  return managed_by === "api" || managed_by === "price_engine";
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
