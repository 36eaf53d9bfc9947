import type { RawEvent } from "../intake/raw-event-store.ts";
import type { Reading } from "./gateway-event.ts";
import { readChatExport } from "./gateways/chat.ts";
import { readWaha } from "./gateways/waha.ts";

/** What a raw event says; a reader that fails is a reason to quarantine the event, never to stop the batch. */
export function readRawEvent(event: RawEvent): Reading {
  if (event.body === null) return { kind: "facts", facts: [], isPrivate: true };
  try {
    return event.gateway === "waha" ? readWaha(event.body) : readChatExport(event.body);
  } catch {
    return { kind: "quarantined", reason: "malformed_payload" };
  }
}
