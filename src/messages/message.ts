import { createHash } from "node:crypto";
import { toStableId } from "../base/ids.ts";
import { textIdentity } from "../base/text.ts";
import { MINUTE_MS } from "../base/time.ts";

export function groupIdOf(gatewayGroupId: string): string {
  return toStableId("group", gatewayGroupId);
}

export function sessionIdOf(gatewayName: string): string {
  return toStableId("session", gatewayName);
}

/** The participant and the gateway's event id are not part of it, because they differ between sessions. */
export function occurrenceIdOf(gatewayGroupId: string, rawId: string): string {
  return toStableId("occurrence", gatewayGroupId, rawId);
}

/** Returns the SHA-256, in hex, of the characters that identify a text; undefined if there are none. */
export function identitySha256(text: string): string | undefined {
  const identity = textIdentity(text);
  return identity === "" ? undefined : sha256(identity);
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The same for all posts of one text by one contact. A post without such a text is a message of its own. */
export function canonicalMessageIdOf(message: {
  readonly contactId: string;
  readonly occurrenceId: string;
  readonly identitySha256: string | null;
}): string {
  return message.identitySha256 === null
    ? toStableId("message of occurrence", message.occurrenceId)
    : toStableId("message", message.contactId, message.identitySha256);
}

/** Replaces the raw id where the source has none. Made from sender, minute, text and the number of the repeat. */
export function occurrenceTextKey(message: {
  readonly sender: string;
  readonly sentAtMs: number;
  readonly text: string;
  readonly repeat: number;
}): string {
  const minute = Math.floor(message.sentAtMs / MINUTE_MS);
  const parts = [
    message.sender,
    String(minute),
    textIdentity(message.text),
    String(message.repeat),
  ];
  return sha256(parts.join("\u0000")).slice(0, 32);
}
