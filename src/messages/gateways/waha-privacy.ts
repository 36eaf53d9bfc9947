import { at, type Json, textAt, toObject } from "./json.ts";

/** A group id, or the id of a message in a group. */
const IN_GROUP = /^(?:(?:true|false)_)?[0-9-]{1,200}@g\.us(?:_|$)/;
/** Members of a message that say where it belongs. Its text, a reply or an invitation may name a group too. */
const ADDRESSES = ["id", "from", "to", "chatId", "participant"];
/** More values than an event has. The rest is not searched. */
const VALUES_MAX = 20_000;

/**
 * Returns true if the body may be stored: it is about a group, or about no chat at all. Anything else may be from a private
 * chat, so its body is deleted as soon as it is read, even if it cannot be read.
 */
export function mayStore(root: Json | undefined, body: Uint8Array): boolean {
  if (root === undefined) return /[0-9]@g\.us/.test(Buffer.from(body).toString("latin1"));
  const event = textAt(root, "event") ?? "";
  if (textAt(root, "assay_pull") !== undefined || event === "session.status") return true;
  const payload = at(root, "payload");
  if (!event.startsWith("message")) return namesGroup(payload);
  return [payload, at(payload, "after"), at(payload, "before")].some((message) =>
    ADDRESSES.some((name) => IN_GROUP.test(textAt(message, name) ?? "")),
  );
}

function namesGroup(value: unknown): boolean {
  const waiting: unknown[] = [value];
  for (let count = 0; count < VALUES_MAX && waiting.length > 0; count += 1) {
    const next = waiting.pop();
    if (typeof next === "string" && IN_GROUP.test(next)) return true;
    if (Array.isArray(next)) waiting.push(...next.slice(0, VALUES_MAX));
    else waiting.push(...Object.values(toObject(next) ?? {}));
  }
  return false;
}
