import type { RawEvent } from "../intake/raw-event-store.ts";
import type { Reading } from "./gateway-event.ts";
import { readChatExport } from "./gateways/chat-export.ts";
import { readWaha } from "./gateways/waha.ts";

/** An event before or after it was stored; without a body if that was deleted. */
type ReadableEvent = Pick<RawEvent, "gateway"> & { readonly body: Uint8Array | null };

/** Returns the facts of a raw event. If its reader throws, the event is quarantined and the batch goes on. */
export function readRawEvent(event: ReadableEvent): Reading {
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
