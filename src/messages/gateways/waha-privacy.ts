import { isErased } from "./heard.ts";
import { at, type Json, textAt, toObject } from "./json.ts";

/** A group id, or the id of a message in a group. */
const IN_GROUP = /^(?:(?:true|false)_)?[0-9-]{1,200}@g\.us(?:_[^\s_]{1,200}){0,2}$/;
/** Members that say which chat something belongs to. Other texts may mention any group. */
const ADDRESSES: ReadonlySet<string> = new Set([
  ...["id", "ids", "_serialized", "from", "to", "chat", "Chat", "chatId", "group", "groupId"],
  ...["jid", "JID", "remote", "remoteJid", "participant"],
]);
/** Members with what people wrote, quoted or forwarded, such as an invitation to a group. */
const CONTENTS: ReadonlySet<string> = new Set([
  ...["body", "text", "caption", "message", "Message", "replyTo", "contextInfo", "quotedMsg"],
]);
/** The same in a body that is no JSON. */
const ADDRESS_IN_TEXT = /"(?:id|from|to|chatId)"\s*:\s*"[^"]{0,60}[0-9]@g\.us/;
/** More values than an event has. The rest is not searched. */
const VALUES_MAX = 100_000;

/**
 * Returns true if the body may be stored: it is about a group, or about no chat at all. Anything else may be from a private
 * chat, so its body is deleted as soon as it is read, even if it cannot be read.
 */
export function mayStore(root: Json | undefined, body: Uint8Array): boolean {
  if (root === undefined) return ADDRESS_IN_TEXT.test(Buffer.from(body).toString("latin1"));
  const event = textAt(root, "event") ?? "";
  if (textAt(root, "assay_pull") !== undefined || event === "session.status") return true;
  if (isErased(root)) return true;
  const payload = at(root, "payload");
  const places = [payload, at(payload, "after"), at(payload, "before"), at(payload, "group")];
  if (places.some(isAddressedToGroup)) return true;
  return !event.startsWith("message") && namesGroup(payload);
}

function isAddressedToGroup(value: unknown): boolean {
  const id = at(value, "id");
  const texts = ["from", "to", "chatId", "participant", "JID"].map((name) => at(value, name));
  return [id, textAt(id, "_serialized"), ...texts].some(isInGroup);
}

function isInGroup(value: unknown): boolean {
  return typeof value === "string" && value.length <= 700 && IN_GROUP.test(value);
}

/** Searches members with addresses at any depth, but not in what people wrote. */
function namesGroup(root: unknown): boolean {
  const waiting: { readonly name: string; readonly value: unknown }[] = [{ name: "", value: root }];
  for (let count = 0; count < VALUES_MAX; count += 1) {
    const next = waiting.pop();
    if (next === undefined) return false;
    if (ADDRESSES.has(next.name) && isInGroup(next.value)) return true;
    for (const member of membersOf(next)) {
      if (waiting.length < VALUES_MAX && !CONTENTS.has(member.name)) waiting.push(member);
    }
  }
  return false;
}

function membersOf({ name, value }: { readonly name: string; readonly value: unknown }) {
  if (Array.isArray(value)) return value.map((item: unknown) => ({ name, value: item }));
  return Object.entries(toObject(value) ?? {}).map(([key, item]) => ({ name: key, value: item }));
}
