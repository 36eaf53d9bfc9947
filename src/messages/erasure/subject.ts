/**
 * A subject is what an erasure remembers: an identifier of a person (see contact.ts), or something that leads to him though it does not
 * name him. Only keyed hashes of subjects are stored.
 *
 * - `message`: a raw id that he used. Edits, revocations and sightings of it that name no sender are his.
 * - `sighting`: the same text in the same second. A session that knows him by another identifier reports it so, and thereby links
 *   that identifier to him.
 * - `admin`: he was an admin of the group, so his revocations of messages of others still count.
 */
import { identitySha256 } from "../message.ts";

export function messageSubject(groupId: string, rawId: string): string {
  return `message:${groupId}\t${rawId}`;
}

/** Returns the group and the raw id; undefined if the subject is not a message. */
export function parseMessageSubject(
  subject: string,
): { readonly groupId: string; readonly rawId: string } | undefined {
  if (!subject.startsWith("message:")) return undefined;
  const [groupId = "", rawId = ""] = subject.slice("message:".length).split("\t");
  return { groupId, rawId };
}

export function sightingSubject(sighting: {
  readonly groupId: string;
  readonly rawId: string;
  readonly second: number;
  readonly text: string;
}): string {
  const { groupId, rawId, second, text } = sighting;
  return `sighting:${groupId}\t${rawId}\t${second}\t${identitySha256(text) ?? ""}`;
}

export function adminSubject(groupId: string, identifier: string): string {
  return `admin:${groupId}\t${identifier}`;
}

/** Returns the group's key and the name; undefined if the subject is not a name. */
export function parseNameSubject(
  subject: string,
): { readonly group: string; readonly name: string } | undefined {
  if (!subject.startsWith("name:")) return undefined;
  const [group = "", ...name] = subject.slice("name:".length).split("\t");
  return { group, name: name.join("\t") };
}
