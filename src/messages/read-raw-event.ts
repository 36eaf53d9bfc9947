import type { RawEvent } from "../intake/raw-event-store.ts";
import type { Reading } from "./gateway-event.ts";
import { readChatExport } from "./gateways/chat.ts";
import { readWaha } from "./gateways/waha.ts";

/** Returns the facts of a raw event. If its reader throws, the event is quarantined and the batch goes on. */
export function readRawEvent(event: Pick<RawEvent, "gateway" | "body">): Reading {
  if (event.body === null) return { kind: "facts", facts: [], isPrivate: true };
  try {
    return event.gateway === "waha" ? readWaha(event.body) : readChatExport(event.body);
  } catch {
    return {
      kind: "quarantined",
      reason: "malformed_payload",
      isPrivate: event.gateway === "waha",
    };
  }
}
