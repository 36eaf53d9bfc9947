import { cutText, isStorableText } from "../../base/text.ts";
import type {
  CheckFact,
  Content,
  GatewayFact,
  HeardFact,
  QuarantineReason,
  Reading,
  SessionFact,
} from "../gateway-event.ts";
import type { IgnoredKind } from "./content.ts";
import {
  at,
  isErased,
  type Json,
  parseObject,
  readHeard,
  readUnreadable,
  textAt,
  timeAt,
  toList,
  toObject,
  whyNoObject,
} from "./payload.ts";
import {
  type Envelope,
  type MessageReading,
  NAME_LENGTH_MAX,
  readEdit,
  readGroup,
  readMessage,
  readRevoke,
  toGroupFacts,
  toIdentityFacts,
  toKindName,
} from "./waha-facts.ts";
import { isGroup, toIdentifiers, toRawId } from "./waha-fields.ts";

/** Known events without anything that we need, and what they are. */
const IGNORED: Readonly<Record<string, IgnoredKind>> = {
  "message.reaction": "reaction",
  "message.ack": "receipt",
  "message.ack.group": "receipt",
  "message.waiting": "encrypted",
  "presence.update": "presence",
  "poll.vote": "vote",
  "poll.vote.failed": "vote",
  "chat.archive": "chat",
  "call.received": "call",
  "call.accepted": "call",
  "call.rejected": "call",
  "label.upsert": "label",
  "label.deleted": "label",
  "label.chat.added": "label",
  "label.chat.deleted": "label",
  "event.response": "vote",
  "event.response.failed": "vote",
  "engine.event": "engine",
  // The same as the events of `group.v2`.
  "group.join": "old_event",
  "group.leave": "old_event",
  "group.v2.leave": "left_group",
  "state.change": "engine",
};

/** People who ask to join a group. Versions of the gateway name it in several ways. */
const JOIN_REQUEST = /^group\.(?:v2\.)?[\w.-]{0,40}request[\w.-]{0,40}$/;

/** Session names at the gateway have at most 54 characters. */
const SESSION_LENGTH_MAX = 100;

/** Reads one webhook body of WAHA, from any of its engines, or one answer that we requested from it. */
export function readWaha(body: Uint8Array): Reading {
  const root = parseObject(body);
  // Nothing proves that it is about a group, nor that it has no secret of the gateway.
  if (root === undefined) return { ...quarantined(whyNoObject(body)), isPrivate: true };
  return { ...withHeard(readRoot(root), root), isPrivate: !mayStore(root) };
}

function withHeard(content: Content, root: Json): Content {
  const heard = readHeard(root);
  return content.kind !== "facts" || heard.length === 0
    ? content
    : facts([...content.facts, ...heard]);
}

function readRoot(root: Json): Content {
  const unreadable = readUnreadable(root);
  if (unreadable !== undefined) return quarantined(unreadable);
  if (textAt(root, "assay_pull") !== undefined) return readPull(root);
  if (isNoEvent(root)) return quarantined("not_an_event");
  const event = textAt(root, "event");
  const session = textAt(root, "session");
  const payload = toObject(at(root, "payload"));
  if (event === undefined || session === undefined || payload === undefined) return facts([]);
  if (session.length > SESSION_LENGTH_MAX || !isStorableText(session)) {
    return quarantined("malformed_payload");
  }
  return readEvent({ event, payload, root }, envelopeOf(root, session));
}

/** True if the body lacks what every event has, and is none of ours either. */
export function isNoEvent(root: Json): boolean {
  if (isErased(root) || textAt(root, "assay_pull") !== undefined) return false;
  const names = ["event", "session"];
  return (
    names.some((name) => textAt(root, name) === undefined) ||
    toObject(at(root, "payload")) === undefined
  );
}

interface Event {
  readonly event: string;
  readonly payload: Json;
  readonly root: Json;
}

function readEvent({ event, payload, root }: Event, envelope: Envelope): Content {
  const sessionFact = toSessionFact(at(root, "me"), envelope, timeAt(payload, "timestamp"));
  if (isErased(root)) return facts([sessionFact]);
  switch (event) {
    case "message":
    case "message.any":
      return toReading(readMessage(payload, envelope), sessionFact);
    case "message.edited":
      return toReading(readEdit(payload, envelope), sessionFact);
    case "message.revoked":
      return toReading(readRevoke(payload, envelope), sessionFact);
    case "session.status":
      return facts([readStatus(payload, sessionFact, root)]);
    case "group.v2.update":
    case "group.v2.join":
    case "group.v2.participants":
      return facts([sessionFact, ...readGroup({ event, payload }, envelope)]);
    default:
      return readOther(event, sessionFact);
  }
}

/** An event that says nothing that we keep. */
function readOther(event: string, sessionFact: SessionFact): Content {
  const known = Object.hasOwn(IGNORED, event) ? IGNORED[event] : undefined;
  const as = known ?? (JOIN_REQUEST.test(event) ? "join_request" : undefined);
  if (as === undefined) return quarantined(`unknown_event: ${toKindName(event)}`);
  return facts([sessionFact, { kind: "heard", ignoredAs: as }]);
}

function toReading(reading: MessageReading, sessionFact: SessionFact): Content {
  if (reading.kind === "refused") return quarantined(reading.reason);
  return facts([
    sessionFact,
    reading.kind === "fact" ? reading.fact : toHeard(reading, sessionFact.name),
  ]);
}

/** A message that is none of ours to keep still shows that its session receives. */
function toHeard(
  { as, group, sentAtMs }: Extract<MessageReading, { kind: "ignored" }>,
  session: string,
): HeardFact {
  return {
    kind: "heard",
    ignoredAs: as,
    ...(group === undefined ? {} : { group }),
    ...(sentAtMs === undefined ? {} : { session, sentAtMs }),
  };
}

function envelopeOf(root: Json, session: string): Envelope {
  const engine = storable(textAt(root, "engine") ?? textAt(root, "environment", "engine"));
  const atMs = timeAt(root, "timestamp");
  return {
    session,
    ...(engine === undefined ? {} : { engine }),
    ...(atMs === undefined ? {} : { atMs }),
    ownIds: ownIdsOf(at(root, "me")),
  };
}

function storable(text: string | undefined): string | undefined {
  return text !== undefined && isStorableText(text) ? text : undefined;
}

function ownIdsOf(me: unknown): readonly string[] {
  return toIdentifiers([textAt(me, "id"), textAt(me, "lid"), textAt(me, "jid")]);
}

/** Every event contains its session and the account of the session. */
function toSessionFact(me: unknown, envelope: Envelope, otherTimeMs?: number): SessionFact {
  const label = textAt(me, "pushName");
  return {
    kind: "session",
    name: envelope.session,
    atMs: envelope.atMs ?? otherTimeMs ?? 0,
    ...(envelope.engine === undefined ? {} : { engine: cutText(envelope.engine, NAME_LENGTH_MAX) }),
    ...(label !== undefined && isStorableText(label)
      ? { label: cutText(label, NAME_LENGTH_MAX) }
      : {}),
    identifiers: envelope.ownIds,
  };
}

function readStatus(payload: Json, sessionFact: SessionFact, root: Json): SessionFact {
  const text = textAt(payload, "status");
  if (text === undefined || !isStorableText(text)) return sessionFact;
  const times = toList(at(payload, "statuses"))
    .filter((entry) => at(entry, "status") === text)
    .flatMap((entry) => timeAt(entry, "timestamp") ?? []);
  const isRestricted =
    at(payload, "data", "reachoutTimelock", "isActive") === true || isLocked(at(root, "me"));
  const atMs = times.length > 0 ? Math.max(...times) : sessionFact.atMs;
  return { ...sessionFact, status: { text: cutText(text, NAME_LENGTH_MAX), atMs, isRestricted } };
}

function isLocked(me: unknown): boolean {
  return at(me, "reachoutTimelock", "isActive") === true;
}

/** Reads an answer that we requested. Like every event it was stored before, in an envelope of our own. */
function readPull(root: Json): Content {
  const atMs = timeAt(root, "at_ms");
  if (atMs === undefined) return quarantined("not_an_event");
  const session = textAt(root, "session") ?? "";
  const data = at(root, "data");
  const items = Array.isArray(data) ? data : Object.values(toObject(data) ?? {});
  switch (at(root, "assay_pull")) {
    case "sessions":
      return facts(items.flatMap((item) => readListedSession(item, atMs)));
    case "groups":
      return facts(items.flatMap((item) => toGroupFacts(item, atMs)));
    case "lids":
      return facts(toIdentityFacts(items, atMs));
    case "messages":
      return readListedMessages(items, { session, ownIds: [] });
    case "window":
      return facts(items.flatMap((item) => readWindow(item, { session, atMs })));
    default:
      return quarantined("unknown_event: assay_pull");
  }
}

function readListedSession(item: unknown, atMs: number): readonly SessionFact[] {
  const session = textAt(item, "name");
  const status = textAt(item, "status");
  if (session === undefined || !isStorableText(session)) return [];
  const engine = storable(textAt(item, "engine", "engine"));
  const me = at(item, "me");
  const envelope = {
    session,
    atMs,
    ownIds: ownIdsOf(me),
    ...(engine === undefined ? {} : { engine }),
  };
  const sessionFact = toSessionFact(me, envelope);
  if (status === undefined || !isStorableText(status)) return [sessionFact];
  return [{ ...sessionFact, status: { text: status, atMs, isRestricted: isLocked(me) } }];
}

/** One message that cannot be read does not keep back others. */
function readListedMessages(items: readonly unknown[], envelope: Envelope): Content {
  const readings = items.map((item) => readItem(item, envelope));
  const [first] = readings;
  if (readings.length === 1 && first?.kind === "refused") return quarantined(first.reason);
  return facts(readings.flatMap((reading) => toListedFacts(reading, envelope)));
}

export function readListedMessage(item: unknown, envelope: Envelope): readonly GatewayFact[] {
  return toListedFacts(readItem(item, envelope), envelope);
}

function toListedFacts(
  reading: MessageReading | undefined,
  envelope: Envelope,
): readonly GatewayFact[] {
  if (reading?.kind === "ignored") return [toHeard(reading, envelope.session)];
  if (reading?.kind !== "fact") return [];
  return [reading.fact.kind === "message" ? { ...reading.fact, isListed: true } : reading.fact];
}

function readItem(item: unknown, envelope: Envelope): MessageReading | undefined {
  const payload = toObject(item);
  return payload === undefined ? undefined : readMessage(payload, envelope);
}

/** What a fetched window says of one group, see `sync/check-window.ts`. */
function readWindow(
  item: unknown,
  { session, atMs }: { readonly session: string; readonly atMs: number },
): readonly CheckFact[] {
  const group = textAt(item, "group");
  if (!isGroup(group) || session === "" || !isStorableText(session)) return [];
  const read = (name: "missing" | "listed") =>
    toList(at(item, name)).flatMap((id): readonly CheckFact[] => {
      const rawId = typeof id === "string" ? toRawId(id) : undefined;
      if (rawId === undefined) return [];
      const isListed = name === "listed";
      return [{ kind: "check", group, rawId, session, isListed, atMs, authorIds: [] }];
    });
  return [...read("missing"), ...read("listed")];
}

function facts(list: readonly GatewayFact[]): Content {
  return { kind: "facts", facts: list };
}

function quarantined(reason: QuarantineReason): Content {
  return { kind: "quarantined", reason };
}

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
/** More values than an event has. The rest is not searched. */
const VALUES_MAX = 100_000;

/**
 * Returns true if the body may be stored: it is about a group, or about no chat at all, or only says why it was left out. Anything
 * else may be from a private chat, so its body is deleted as soon as it is read, even if it cannot be read.
 */
function mayStore(root: Json): boolean {
  const event = textAt(root, "event") ?? "";
  if (textAt(root, "assay_pull") !== undefined || event === "session.status") return true;
  if (isErased(root) || readUnreadable(root) !== undefined) return true;
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
