import { cutText, isStorableText, withoutNul } from "../../base/text.ts";
import type { EditFact, MessageFact, QuarantineReason, RevokeFact } from "../gateway-event.ts";
import { at, type Json, textAt, timeAt, toObject } from "./json.ts";
import { isGroup, type MessageId, parseMessageId, toIdentifiers, toRawId } from "./waha-ids.ts";
import { editedText, PAGE_ENGINES, writtenText } from "./waha-text.ts";

/** The result of reading an event about a message. */
export type MessageReading<Fact> =
  | { readonly kind: "fact"; readonly fact: Fact }
  /** The chat is not a group. */
  | { readonly kind: "private" }
  /** Nothing changed that we keep. */
  | { readonly kind: "nothing" }
  | { readonly kind: "refused"; readonly reason: QuarantineReason };

export interface Envelope {
  readonly session: string;
  readonly engine?: string;
  readonly atMs?: number;
  /** The identifiers of the session's own account. */
  readonly ownIds: readonly string[];
}

/** WhatsApp itself allows 65,536 characters. */
const TEXT_LENGTH_MAX = 100_000;
const NAME_LENGTH_MAX = 200;

export function readMessage(payload: Json, envelope: Envelope): MessageReading<MessageFact> {
  const id = parseMessageId(textAt(payload, "id"));
  if (id === undefined) return refused("malformed_payload");
  if (!isGroup(id.chat)) return { kind: "private" };
  const sentAtMs = timeAt(payload, "timestamp");
  if (sentAtMs === undefined) return refused("malformed_payload");
  const text = readText(writtenText(payload) ?? "");
  if (typeof text !== "string") return text;
  const isOwn = at(payload, "fromMe") === true;
  const senderName = nameOf(payload);
  return {
    kind: "fact",
    fact: {
      kind: "message",
      group: id.chat,
      rawId: id.rawId,
      senderIds: senderIdsOf(payload, id.participant, isOwn ? envelope.ownIds : []),
      ...(senderName === undefined || isOwn ? {} : { senderName }),
      isOwn,
      text,
      hasMedia: at(payload, "hasMedia") === true,
      sentAtMs,
      session: envelope.session,
    },
  };
}

export function readEdit(payload: Json, envelope: Envelope): MessageReading<EditFact> {
  const id = parseMessageId(textAt(payload, "id"));
  const group = id?.chat ?? textAt(payload, "from");
  if (group !== undefined && !isGroup(group)) return { kind: "private" };
  const rawId = toRawId(textAt(payload, "editedMessageId")) ?? id?.rawId;
  // On some engines an edit has the time of the original message, so the time of the event is used instead.
  const ownTimeMs = PAGE_ENGINES.has(envelope.engine ?? "")
    ? envelope.atMs
    : timeAt(payload, "timestamp");
  const editedAtMs = ownTimeMs ?? envelope.atMs ?? timeAt(payload, "timestamp");
  if (group === undefined || rawId === undefined || editedAtMs === undefined) {
    return refused("malformed_payload");
  }
  const written = editedText(payload, envelope.engine);
  // The thumbnail of a picture changed, and its caption stays.
  if (written === undefined) return { kind: "nothing" };
  const text = readText(written);
  if (typeof text !== "string") return text;
  const authorIds = authorIdsOf(payload, id, envelope);
  return { kind: "fact", fact: { kind: "edit", group, rawId, authorIds, text, editedAtMs } };
}

/** The id of the revocation contains the chat. On WEBJS it is also the only id of the revoked message. */
export function readRevoke(payload: Json, envelope: Envelope): MessageReading<RevokeFact> {
  const after = parseMessageId(textAt(payload, "after", "id"));
  const before = parseMessageId(textAt(payload, "before", "id"));
  const group = after?.chat ?? before?.chat ?? textAt(payload, "after", "from");
  if (group !== undefined && !isGroup(group)) return { kind: "private" };
  const rawId = toRawId(textAt(payload, "revokedMessageId")) ?? before?.rawId ?? after?.rawId;
  if (group === undefined || rawId === undefined) return refused("malformed_payload");
  const action = { ...toObject(at(payload, "after")), _data: at(payload, "_data") };
  const authorIds = authorIdsOf(action, after, envelope);
  return { kind: "fact", fact: { kind: "revoke", group, rawId, authorIds } };
}

function readText(
  written: string,
): string | { readonly kind: "refused"; readonly reason: QuarantineReason } {
  const text = withoutNul(written);
  if (text.length > TEXT_LENGTH_MAX) return refused("too_large");
  return isStorableText(text) ? text : refused("unstorable_text");
}

/** Returns who edited or revoked a message, from the record of that action. */
function authorIdsOf(
  action: Json,
  id: MessageId | undefined,
  envelope: Envelope,
): readonly string[] {
  const isOwn = at(action, "fromMe") === true;
  return senderIdsOf(action, id?.participant, isOwn ? envelope.ownIds : []);
}

/**
 * Returns the sender's LID and phone number, as far as the event names them. If it names two of a kind, our own account
 * counts first, and then the one that WAHA calls the participant.
 */
function senderIdsOf(
  payload: Json,
  participant: string | undefined,
  ownIds: readonly string[],
): readonly string[] {
  const addresses = [
    textAt(payload, "participant") ?? participant,
    textAt(payload, "_data", "Info", "SenderAlt"),
    textAt(payload, "_data", "key", "participantAlt"),
    textAt(payload, "_data", "author"),
  ];
  const ids = [...ownIds, ...addresses.flatMap((address) => toIdentifiers([address]))];
  const lid = ids.find((identifier) => identifier.startsWith("lid:"));
  const phone = ids.find((identifier) => identifier.startsWith("phone:"));
  return [lid, phone].filter((identifier) => identifier !== undefined);
}

function nameOf(payload: Json): string | undefined {
  const name =
    textAt(payload, "_data", "Info", "PushName") ??
    textAt(payload, "_data", "pushName") ??
    textAt(payload, "_data", "notifyName");
  return name !== undefined && isStorableText(name) ? cutText(name, NAME_LENGTH_MAX) : undefined;
}

function refused(reason: QuarantineReason) {
  return { kind: "refused", reason } as const;
}
