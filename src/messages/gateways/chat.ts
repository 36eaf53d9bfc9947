import { isStorableText, withoutNul } from "../../base/text.ts";
import { nameIdentifier, phoneIdentifier } from "../contacts/contact.ts";
import type { GatewayFact, Reading } from "../gateway-event.ts";
import { occurrenceTextKey } from "../message.ts";
import { isErased, readHeard } from "./heard.ts";
import { at, textAt, timeAt, toObject } from "./json.ts";
import { isGroup } from "./waha-ids.ts";

/** One message of an exported chat, in the form that `import chat` stores. */
export interface ChatExportEvent {
  readonly assay_chat_export: 1;
  readonly group: string;
  /** The gateway's id of a declared group. Absent: the group is known by its name only. */
  readonly group_id?: string;
  readonly sender_name?: string;
  readonly sender_phone?: string;
  readonly sent_at_ms: number;
  readonly text: string;
  readonly has_media: boolean;
  /** Counts equal messages of one sender in one minute, from 0. */
  readonly repeat: number;
}

/** Returns the key of a group that is known only by its name. It never equals a group id of a gateway. */
export function exportedGroup(name: string): string {
  return `chat:${name}`;
}

/** Exports have no message ids, so the id is made from sender, minute, text and repeat. */
export function readChatExport(body: Uint8Array): Reading {
  const root = toObject(JSON.parse(new TextDecoder().decode(body)));
  const name = textAt(root, "group");
  const sentAtMs = timeAt(root, "sent_at_ms");
  const text = withoutNul(textAt(root, "text") ?? "");
  if (name === undefined || sentAtMs === undefined) {
    return { kind: "quarantined", reason: "malformed_payload", isPrivate: false };
  }
  if (!isStorableText(text) || !isStorableText(name)) {
    return { kind: "quarantined", reason: "unstorable_text", isPrivate: false };
  }
  const groupId = textAt(root, "group_id");
  const group = isGroup(groupId) ? groupId : exportedGroup(name);
  // Time 0, so that a name from a gateway is always newer.
  const named = isGroup(groupId) ? [] : [{ kind: "group", group, name, atMs: 0 } as const];
  if (isErased(root)) {
    return { kind: "facts", facts: [...named, ...readHeard(root)], isPrivate: false };
  }
  const phone = textAt(root, "sender_phone");
  const senderName = textAt(root, "sender_name");
  const sender =
    phone === undefined ? nameIdentifier(group, senderName ?? "") : phoneIdentifier(phone);
  const facts: readonly GatewayFact[] = [
    ...named,
    {
      kind: "message",
      group,
      rawId: occurrenceTextKey({ sender, sentAtMs, text, repeat: Number(at(root, "repeat") ?? 0) }),
      senderIds: [sender],
      ...(senderName === undefined ? {} : { senderName }),
      isOwn: false,
      text,
      hasMedia: at(root, "has_media") === true,
      sentAtMs,
    },
  ];
  return { kind: "facts", facts, isPrivate: false };
}
