/** One connection to the events of the service, and what the worker that holds it and the tabs say to each other. */
import { AssayError } from "../../client/client-error.ts";
import { type EventType, followEvents, type Streamed } from "../../client/event-stream.ts";

/** What the console hears: the matches with replay, the rest as hints to read again. */
const EVENT_TYPES = [
  "alert.match",
  "alert.changed",
  "cells.changed",
  "session.changed",
  "deal.changed",
] as const satisfies readonly EventType[];

export type LiveEvent = Streamed<(typeof EVENT_TYPES)[number]>;
export type LiveStatus = "connecting" | "open" | "lost" | "signed_out";

/** From the worker to a tab. */
export type Notice =
  | { readonly kind: "event"; readonly event: LiveEvent }
  | { readonly kind: "status"; readonly status: LiveStatus };

/** From a tab to the worker: it is there (also when it has signed in again), or it leaves. */
export type Request = "join" | "leave";

interface Stream {
  /** Opens the stream if it is not open. It continues after the last event that was received. */
  open(): void;
  close(): void;
}

/** A reader waits, and all tabs of a browser have one connection, so it tries again soon. */
const DELAY_MAX_MS = 3_000;

/** Runs in the worker, or in the tab where there is none. */
export function createStream(url: string, tell: (notice: Notice) => void): Stream {
  let following: AbortController | undefined;
  let lastEventId: string | undefined;
  const follow = async (signal: AbortSignal): Promise<void> => {
    const events = followEvents<(typeof EVENT_TYPES)[number]>(
      { url, delayMaxMs: DELAY_MAX_MS },
      {
        types: EVENT_TYPES,
        includeShadow: true,
        signal,
        ...(lastEventId === undefined ? {} : { lastEventId }),
        onConnection: (isOpen) => {
          if (!signal.aborted) tell({ kind: "status", status: isOpen ? "open" : "lost" });
        },
      },
    );
    for await (const event of events) {
      lastEventId = event.id ?? lastEventId;
      tell({ kind: "event", event });
    }
  };
  return {
    open: () => {
      if (following !== undefined) return;
      const started = new AbortController();
      following = started;
      tell({ kind: "status", status: "connecting" });
      follow(started.signal)
        .catch((error: unknown) => {
          const isRefused = error instanceof AssayError && error.status === 401;
          tell({ kind: "status", status: isRefused ? "signed_out" : "lost" });
        })
        .finally(() => {
          if (following === started) following = undefined;
        });
    },
    close: () => {
      following?.abort();
      following = undefined;
    },
  };
}
