import type { EventType, Streamed } from "../../client/event-stream.ts";

/** What the console hears: the matches with replay, the rest as hints to read again. */
export const EVENT_TYPES = [
  "alert.match",
  "alert.changed",
  "cells.changed",
  "session.changed",
] as const satisfies readonly EventType[];

export type LiveEvent = Streamed<(typeof EVENT_TYPES)[number]>;
export type LiveStatus = "connecting" | "open" | "lost" | "signed_out";

/** From the worker to a tab. */
export type Notice =
  | { readonly kind: "event"; readonly event: LiveEvent }
  | { readonly kind: "status"; readonly status: LiveStatus };

/** From a tab to the worker: it is there (also when it has signed in again), or it leaves. */
export type Request = "join" | "leave";
