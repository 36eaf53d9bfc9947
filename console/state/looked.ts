/**
 * Since when something is new: the time at which this person last looked, on any device.
 *
 * The service keeps that time for each token. A visit begins with it, and goes on while the list can be seen and the pauses are
 * short: a reload and another page change nothing, and after a pause everything since the last look is new.
 */
import { useCallback, useEffect, useRef } from "preact/hooks";
import { api } from "../api.ts";
import { useLoad } from "./load.ts";
import { isText, stored } from "./preferences.ts";
import { session } from "./session.ts";

interface Visit {
  readonly tokenName: string;
  /** Absent for someone who never looked. */
  readonly sinceMs?: number;
  readonly lookedAtMs: number;
}

/** A coffee is no new visit. */
const PAUSE_MS = 30 * 60_000;

const kept = stored("visit", isText, "");

/** When the person last looked before this visit. Call `look` when the list is shown. */
export function useLooked() {
  const load = useLoad([], async (signal): Promise<Visit> => {
    const visit = readVisit();
    if (visit !== undefined) return visit;
    const { last_looked_at_ms: sinceMs } = await api.getMe({}, { signal });
    return toVisit(sinceMs);
  });
  const visit = load.state.value.value;
  const isOver = useRef(false);
  const look = useCallback(() => {
    const begun = load.state.peek().value;
    if (begun === undefined || document.hidden) return;
    isOver.current = false;
    kept.value = JSON.stringify({ ...begun, lookedAtMs: Date.now() });
    // What was shown is shown; the next visit is told by the next look.
    api.saveLastLooked({ at_ms: Date.now() }).catch(() => undefined);
  }, []);
  useEffect(() => {
    const keepTime = (): void => {
      // However long the list was looked at.
      const visit = readVisit() ?? load.state.peek().value;
      if (visit === undefined || isOver.current) return;
      kept.value = JSON.stringify({ ...visit, lookedAtMs: Date.now() });
    };
    const onChange = (): void => {
      if (document.hidden) keepTime();
      else isOver.current = readVisit() === undefined;
    };
    document.addEventListener("visibilitychange", onChange);
    return () => {
      document.removeEventListener("visibilitychange", onChange);
      if (!document.hidden) keepTime();
    };
  }, []);
  return {
    isKnown: visit !== undefined,
    sinceMs: visit?.sinceMs,
    failure: load.state.value.failure,
    look,
  };
}

/** The visit that goes on, if there is one. */
function readVisit(): Visit | undefined {
  const visit = parseVisit(kept.peek());
  if (visit === undefined || visit.tokenName !== nameOf()) return undefined;
  return Date.now() - visit.lookedAtMs < PAUSE_MS ? visit : undefined;
}

function toVisit(sinceMs: number | undefined): Visit {
  const visit = { tokenName: nameOf(), lookedAtMs: Date.now() };
  return sinceMs === undefined ? visit : { ...visit, sinceMs };
}

function nameOf(): string {
  return session.peek().kind === "signed_in"
    ? (session.peek() as { tokenName: string }).tokenName
    : "";
}

function parseVisit(text: string): Visit | undefined {
  try {
    const { tokenName, sinceMs, lookedAtMs } = JSON.parse(text) as Record<string, unknown>;
    if (typeof tokenName !== "string" || typeof lookedAtMs !== "number") return undefined;
    return { tokenName, lookedAtMs, ...(typeof sinceMs === "number" ? { sinceMs } : {}) };
  } catch {
    return undefined;
  }
}
