/** What a payload of WAHA says about one message, edit or revocation, or about a group and its members. */
import { cutText, isStorableText, withoutNul } from "../../base/text.ts";
import { pairOf } from "../contacts/contact.ts";
import type {
  AdminFact,
  EditFact,
  GatewayFact,
  GroupFact,
  IdentityFact,
  MessageFact,
  QuarantineReason,
  RevokeFact,
} from "../gateway-event.ts";
import type { IgnoredKind } from "./content.ts";
import { at, type Json, textAt, timeAt, toList, toObject } from "./payload.ts";
import { contentText, type EventTime, readContent, readEdited, readQuote } from "./waha-content.ts";
import { isGroup, type MessageId, parseMessageId, toIdentifiers, toRawId } from "./waha-fields.ts";

/** The result of reading an event about a message. */
export type MessageReading =
  | { readonly kind: "fact"; readonly fact: MessageFact | EditFact | RevokeFact }
  | {
      readonly kind: "ignored";
      readonly as: IgnoredKind;
      /** Absent if the chat is not a group. */
      readonly group?: string;
      /** Absent if it is no message. */
      readonly sentAtMs?: number;
    }
  | { readonly kind: "refused"; readonly reason: QuarantineReason };

export interface Envelope extends EventTime {
  readonly session: string;
  /** The identifiers of the session's own account. */
  readonly ownIds: readonly string[];
}

/** WhatsApp itself allows 65,536 characters. */
const TEXT_LENGTH_MAX = 100_000;
export const NAME_LENGTH_MAX = 200;

export function readMessage(payload: Json, envelope: Envelope): MessageReading {
  const id = parseMessageId(textAt(payload, "id"));
  if (id === undefined) return refused("malformed_payload");
  const { chat: group, rawId } = id;
  if (!isGroup(group)) return { kind: "ignored", as: "private_chat" };
  const sentAtMs = timeAt(payload, "timestamp");
  if (sentAtMs === undefined) return refused("malformed_payload");
  const content = readContent(payload);
  // The gateway posts these as messages if they are wrapped.
  if (content.kind === "revoke") {
    const revokedId = toRawId(content.rawId);
    const authorIds = authorIdsOf(payload, id, envelope);
    return revokedId === undefined
      ? refused("malformed_payload")
      : revoked({ group, rawId: revokedId, authorIds }, envelope);
  }
  if (content.kind === "edit") return readEdit(payload, envelope);
  if (content.kind === "ignored") return { kind: "ignored", as: content.as, group, sentAtMs };
  const text = readText(contentText(payload, content));
  if (typeof text !== "string") return text;
  const hasMedia =
    at(payload, "hasMedia") === true || (content.kind === "post" && content.hasMedia);
  if (text.trim() === "" && !hasMedia) {
    if (content.kind === "unknown") return refused(`unknown_message: ${toKindName(content.name)}`);
    return { kind: "ignored", as: "empty", group, sentAtMs };
  }
  const isOwn = at(payload, "fromMe") === true;
  const senderName = nameOf(payload);
  const replyTo = readQuote(payload);
  return {
    kind: "fact",
    fact: {
      kind: "message",
      group,
      rawId,
      senderIds: senderIdsOf(payload, id.participant, isOwn ? envelope.ownIds : []),
      ...(senderName === undefined || isOwn ? {} : { senderName }),
      isOwn,
      text,
      hasMedia,
      sentAtMs,
      ...(replyTo === undefined ? {} : { replyTo }),
      session: envelope.session,
    },
  };
}

/** Names come from the gateway, and are stored and shown. */
export function toKindName(name: string): string {
  return /^[\w.:-]{1,60}$/.test(name) ? name : "other";
}

export function readEdit(payload: Json, envelope: Envelope): MessageReading {
  const id = parseMessageId(textAt(payload, "id"));
  const group = id?.chat ?? textAt(payload, "from");
  if (group !== undefined && !isGroup(group)) return { kind: "ignored", as: "private_chat" };
  const edited = readEdited(payload, envelope);
  const rawId = toRawId(textAt(payload, "editedMessageId") ?? edited.rawId) ?? id?.rawId;
  const { editedAtMs } = edited;
  if (group === undefined || rawId === undefined || editedAtMs === undefined) {
    return refused("malformed_payload");
  }
  if (edited.text === undefined) return { kind: "ignored", as: "thumbnail", group };
  const text = readText(edited.text);
  if (typeof text !== "string") return text;
  const authorIds = authorIdsOf(payload, id, envelope);
  return { kind: "fact", fact: { kind: "edit", group, rawId, authorIds, text, editedAtMs } };
}

/** The id of the revocation contains the chat. On WEBJS it is also the only id of the revoked message. */
export function readRevoke(payload: Json, envelope: Envelope): MessageReading {
  const after = parseMessageId(textAt(payload, "after", "id"));
  const before = parseMessageId(textAt(payload, "before", "id"));
  const group = after?.chat ?? before?.chat ?? textAt(payload, "after", "from");
  if (group !== undefined && !isGroup(group)) return { kind: "ignored", as: "private_chat" };
  const rawId = toRawId(textAt(payload, "revokedMessageId")) ?? before?.rawId ?? after?.rawId;
  if (group === undefined || rawId === undefined) return refused("malformed_payload");
  const data = at(payload, "_data") ?? at(payload, "after", "_data");
  const action = { ...toObject(at(payload, "after")), _data: data };
  return revoked({ group, rawId, authorIds: authorIdsOf(action, after, envelope) }, envelope);
}

function revoked(
  what: Pick<RevokeFact, "group" | "rawId" | "authorIds">,
  { atMs }: Envelope,
): MessageReading {
  return {
    kind: "fact",
    fact: { kind: "revoke", ...what, ...(atMs === undefined ? {} : { atMs }) },
  };
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
 * counts first, and then what the engine itself says. What WAHA makes of that can be wrong: it writes the LID of an account
 * that Meta hosts as if it was a number.
 */
function senderIdsOf(
  payload: Json,
  participant: string | undefined,
  ownIds: readonly string[],
): readonly string[] {
  const data = at(payload, "_data");
  const own = toIdentifiers([textAt(data, "Info", "Sender") ?? textAt(data, "key", "participant")]);
  const said = textAt(payload, "participant") ?? participant;
  const addresses = [
    ...(own.length > 0 ? [] : [said]),
    textAt(data, "Info", "SenderAlt"),
    textAt(data, "key", "participantAlt"),
    textAt(data, "author") ?? textAt(data, "author", "_serialized"),
    said,
  ];
  const named = [...own, ...addresses.flatMap((address) => toIdentifiers([address]))];
  const lids = new Set(named.filter((identifier) => identifier.startsWith("lid:")));
  const isLid = (identifier: string) => lids.has(identifier.replace("phone:", "lid:"));
  const ids = [...ownIds, ...named];
  const lid = ids.find((identifier) => identifier.startsWith("lid:"));
  const phone = ids.find((identifier) => identifier.startsWith("phone:") && !isLid(identifier));
  return [lid, phone].filter((identifier) => identifier !== undefined);
}

/** The name that the sender chose, else his username: people without a number are known by it. */
function nameOf(payload: Json): string | undefined {
  const data = at(payload, "_data");
  const username = textAt(data, "key", "participantUsername");
  const name =
    textAt(data, "Info", "PushName") ??
    textAt(data, "pushName") ??
    textAt(data, "notifyName") ??
    (username === undefined ? undefined : `@${username}`);
  return name !== undefined && isStorableText(name) ? cutText(name, NAME_LENGTH_MAX) : undefined;
}

function refused(reason: QuarantineReason) {
  return { kind: "refused", reason } as const;
}

/** Reads the name of a group, which identifiers belong to the same member, and who is an admin. */
export function readGroup(
  { event, payload }: { readonly event: string; readonly payload: Json },
  envelope: Envelope,
): readonly GatewayFact[] {
  const atMs = timeAt(payload, "timestamp") ?? envelope.atMs ?? 0;
  const group = at(payload, "group");
  const listed = [...toList(at(group, "participants")), ...toList(at(group, "Participants"))];
  const members = [...toList(at(payload, "participants")), ...listed];
  return [
    ...toGroupFacts(group, atMs),
    ...toIdentityFacts(members, atMs),
    ...toAdminFacts(members, {
      group: groupOf(group),
      type: textAt(payload, "type"),
      // Only the event of joining has all members. One without any says nothing.
      isWhole: event === "group.v2.join" && listed.length > 0,
      atMs: envelope.atMs ?? timeAt(payload, "timestamp"),
    }),
  ];
}

/** Returns the ids in a list of groups, which is an array, or with NOWEB an object. */
export function listedGroups(answer: unknown): readonly string[] {
  const items = Array.isArray(answer) ? answer : Object.values(toObject(answer) ?? {});
  return items.flatMap((item) => {
    const id = groupOf(item);
    return isGroup(id) ? [id] : [];
  });
}

/** NOWEB `id`, GOWS `JID`, WEBJS `id._serialized`. */
function groupOf(group: unknown): string | undefined {
  return textAt(group, "id") ?? textAt(group, "JID") ?? textAt(group, "id", "_serialized");
}

/** The name is `subject` with NOWEB, `Name` with GOWS and `name` with WEBJS. */
export function toGroupFacts(group: unknown, atMs: number): readonly GroupFact[] {
  const id = groupOf(group);
  const name = textAt(group, "subject") ?? textAt(group, "Name") ?? textAt(group, "name");
  if (!isGroup(id) || name === undefined || !isStorableText(name)) return [];
  return [{ kind: "group", group: id, name: cutText(name, NAME_LENGTH_MAX), atMs }];
}

export function toIdentityFacts(
  members: readonly unknown[],
  atMs: number,
): readonly IdentityFact[] {
  return members.flatMap((member) => {
    const identifiers = memberIdsOf(member);
    return pairOf(identifiers) === undefined
      ? []
      : [{ kind: "identity", identifiers, atMs } as const];
  });
}

function toAdminFacts(
  members: readonly unknown[],
  of: {
    readonly group: string | undefined;
    readonly type: string | undefined;
    readonly isWhole: boolean;
    readonly atMs: number | undefined;
  },
): readonly AdminFact[] {
  const { group, atMs } = of;
  if (!isGroup(group)) return [];
  const fact = { kind: "admin", group, ...(atMs === undefined ? {} : { atMs }) } as const;
  const named = members.flatMap((member): readonly AdminFact[] => {
    const role = roleOf(member, of.type);
    const identifiers = memberIdsOf(member);
    return role === undefined || identifiers.length === 0
      ? []
      : [{ ...fact, identifiers, ...role }];
  });
  return of.isWhole ? [...named, { ...fact, identifiers: [], isAdmin: false }] : named;
}

/** NOWEB says `role: "admin"` of a member who was demoted, so what happened counts first. Undefined: nothing is said. */
function roleOf(
  member: unknown,
  type: string | undefined,
): Pick<AdminFact, "isAdmin" | "wasAdmin"> | undefined {
  switch (type) {
    case "promote":
      return { isAdmin: true };
    case "demote":
      return { isAdmin: false, wasAdmin: true };
    case "leave":
    case "remove":
      return { isAdmin: false };
    default:
      return isAdmin(member) ? { isAdmin: true } : undefined;
  }
}

function memberIdsOf(member: unknown): readonly string[] {
  const names = ["id", "lid", "pn", "phoneNumber", "JID", "LID", "PhoneNumber"];
  return toIdentifiers([
    ...names.map((name) => textAt(member, name)),
    textAt(member, "id", "_serialized"),
  ]);
}

const ADMIN_ROLES: ReadonlySet<unknown> = new Set(["admin", "superadmin"]);

/** WAHA `role`; NOWEB `admin`; GOWS `IsAdmin`; WEBJS `isAdmin`. */
function isAdmin(member: unknown): boolean {
  const flags = ["IsAdmin", "IsSuperAdmin", "isAdmin", "isSuperAdmin"];
  return (
    ADMIN_ROLES.has(at(member, "role")) ||
    ADMIN_ROLES.has(at(member, "admin")) ||
    flags.some((flag) => at(member, flag) === true)
  );
}
