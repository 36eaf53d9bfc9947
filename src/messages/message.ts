import { createHash } from "node:crypto";
import { toStableId } from "../base/ids.ts";
import { textIdentity } from "../base/text.ts";

export function groupIdOf(gatewayGroupId: string): string {
  return toStableId("group", gatewayGroupId);
}

export function sessionIdOf(gatewayName: string): string {
  return toStableId("session", gatewayName);
}

/** One message in one group: never the participant and never the gateway's event id, which differ between sessions. */
export function occurrenceIdOf(gatewayGroupId: string, rawId: string): string {
  return toStableId("occurrence", gatewayGroupId, rawId);
}

/** SHA-256 of what makes the text the same message, in hex; undefined when nothing of it counts. */
export function identitySha256(text: string): string | undefined {
  const identity = textIdentity(text);
  return identity === "" ? undefined : sha256(identity);
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** One text by one contact; a message without a text that counts is canonical by its own occurrence. */
export function canonicalMessageIdOf(message: {
  readonly contactId: string;
  readonly occurrenceId: string;
  readonly identitySha256: string | null;
}): string {
  return message.identitySha256 === null
    ? toStableId("message of occurrence", message.occurrenceId)
    : toStableId("message", message.contactId, message.identitySha256);
}

const MINUTE_MS = 60_000;

/** Stands in for the raw id where a source has none: sender, minute, what the text says, and which repeat of it. */
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
