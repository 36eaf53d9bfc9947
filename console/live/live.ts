/**
 * The events of the service, for pages. They are handed on at most ten times a second, so that a burst is one render.
 *
 * Matches are complete, also after a lost connection. The other events are hints: `reconnected` says that some may be
 * missing, and a page then reads again what it shows.
 */
import { batch, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { loadSession } from "../api.ts";
import { session } from "../state/session.ts";
import { builtWorker, toScriptUrl } from "./script-url.ts";
import {
  createStream,
  type LiveEvent,
  type LiveStatus,
  type Notice,
  type Request,
} from "./stream.ts";

type Listener = (events: readonly LiveEvent[]) => void;

const RENDER_MS = 100;
const RECONNECTED: Notice = {
  kind: "event",
  event: { id: undefined, event: "reconnected", data: undefined },
};

export const liveStatus = signal<LiveStatus | "off">("off");
/** Without it each visible tab has a stream of its own, and a hidden tab hears nothing. */
export const hasSharedStream = typeof SharedWorker === "function";

const listeners = new Set<Listener>();
let pending: LiveEvent[] = [];
let restart: (() => void) | undefined;

/** Calls `listener` with what happened, while the component is mounted. */
export function useLive(listener: Listener): void {
  useEffect(() => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, [listener]);
}

/** Call it whenever the browser has signed in. */
export function startLive(): void {
  restart ??= hasSharedStream ? joinWorker() : followWhileVisible();
  restart();
}

function joinWorker(): () => void {
  const { port } = new SharedWorker(toScriptUrl(builtWorker()), { name: "assay" });
  const say = (request: Request): void => port.postMessage(request);
  port.onmessage = ({ data }: MessageEvent<Notice>) => receive(data);
  addEventListener("pagehide", () => say("leave"));
  // A page from the browser's back-forward cache has missed what happened meanwhile.
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    say("join");
    receive(RECONNECTED);
  });
  return () => say("join");
}

function followWhileVisible(): () => void {
  let isClosed = false;
  const stream = createStream(location.origin, (notice) => {
    receive(notice);
    if (!isClosed || notice.kind !== "status" || notice.status !== "open") return;
    isClosed = false;
    receive(RECONNECTED);
  });
  const follow = (): void => {
    if (document.hidden) {
      isClosed = true;
      stream.close();
      liveStatus.value = "off";
    } else stream.open();
  };
  document.addEventListener("visibilitychange", follow);
  return follow;
}

function receive(notice: Notice): void {
  if (notice.kind === "status") {
    // Another tab may have signed out, or in again.
    const isSignedOut = session.value.kind === "signed_out";
    if (notice.status === (isSignedOut ? "open" : "signed_out")) checkSession();
    liveStatus.value = notice.status;
    return;
  }
  if (pending.length === 0) setTimeout(handOn, RENDER_MS);
  pending.push(notice.event);
}

function handOn(): void {
  const events = pending;
  pending = [];
  batch(() => {
    for (const listener of listeners) listener(events);
  });
}

function checkSession(): void {
  // A refusal is noted where requests are made. Without a connection the session stays as it is.
  loadSession().catch(() => undefined);
}
