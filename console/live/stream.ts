import { AssayError } from "../../client/client-error.ts";
import { followEvents } from "../../client/event-stream.ts";
import { EVENT_TYPES, type Notice } from "./protocol.ts";

export interface Stream {
  /** Opens the stream if it is not open. It continues after the last event that was received. */
  open(): void;
  close(): void;
}

/** A reader waits, and all tabs of a browser have one connection, so it tries again soon. */
const DELAY_MAX_MS = 3_000;

/** One connection to the service's events. Runs in the worker, or in the tab where there is none. */
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
