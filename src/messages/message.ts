import { createHash } from "node:crypto";
import { MINUTE_MS } from "../base/clock.ts";
import { toStableId } from "../base/ids.ts";
import { textIdentity } from "../base/text.ts";

export function groupIdOf(gatewayGroupId: string): string {
  return toStableId("group", gatewayGroupId);
}

export function sessionIdOf(gatewayName: string): string {
  return toStableId("session", gatewayName);
}

/** Returns the SHA-256, in hex, of the characters that identify a text; undefined if there are none. */
export function identitySha256(text: string): string | undefined {
  const identity = textIdentity(text);
  return identity === "" ? undefined : sha256(identity);
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * The same for all posts of one text by one contact; if the sender is unknown, for all such posts in one group. A post
 * without a text is a message of its own.
 */
export function canonicalMessageIdOf(message: {
  readonly contactId: string | null;
  readonly groupId: string;
  readonly occurrenceId: string;
  readonly identitySha256: string | null;
}): string {
  const { contactId, groupId, occurrenceId, identitySha256 } = message;
  if (identitySha256 === null) return toStableId("message of occurrence", occurrenceId);
  return contactId === null
    ? toStableId("message of group", groupId, identitySha256)
    : toStableId("message", contactId, identitySha256);
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
