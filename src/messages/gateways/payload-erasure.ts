/**
 * Takes erased persons out of the body of a raw event, whatever else it has.
 *
 * A body of WAHA that is from the person becomes a stub: its session, and that something came. A body of others stays, without his addresses and
 * without the objects that are about him: an entry of a list of members, a quoted message. What others wrote is not searched.
 *
 * Invariant: the reader finds in the new body what was kept of the old one, so a replay ends in the same state.
 *
 * Example: Marc answers Lena, who was erased. His message stays. Of `replyTo`, which has her number and what she wrote, only the
 * raw id stays.
 */
import { isDeepStrictEqual } from "node:util";
import { lidIdentifier, phoneIdentifier } from "../contacts/contact.ts";
import type { GatewayFact, HeardFact, RevokeFact } from "../gateway-event.ts";
import { isOccurrenceFact } from "../occurrences/report.ts";
import {
  at,
  isErased,
  type Json,
  parseExactly,
  parseObject,
  textAt,
  toList,
  toObject,
  writeHeard,
} from "./payload.ts";
import { readListedMessage } from "./waha.ts";
import { parseMessageId, SERVERS, toIdentifier, toRawId } from "./waha-fields.ts";

/** What was kept of the facts of a body, what was dropped, and who was erased. */
interface BodyErasure {
  readonly facts: readonly GatewayFact[];
  readonly dropped: readonly GatewayFact[];
  /** True if the message that the event is about is his, also if the event is from another person. */
  readonly isHisMessage: boolean;
  isErased(identifier: string): boolean;
}

const ADDRESS = new RegExp(`(?<!\\d)(\\d{1,30})(?:\\.\\d+)?(?::\\d+)?@(${SERVERS})`, "g");
const NUMBER = /"\+?(\d{7,15})"/g;

/** Returns every identifier in the body, wherever it is. */
export function identifiersInBody(body: Uint8Array): ReadonlySet<string> {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1");
  const found = new Set<string>();
  for (const [, digits = "", server] of text.matchAll(ADDRESS))
    for (const identifier of namedBy(digits, server)) found.add(identifier);
  for (const [, digits = ""] of text.matchAll(NUMBER)) found.add(phoneIdentifier(digits));
  return found;
}

/** Returns the new body; null if nothing of it can be kept, and undefined if there is nothing to take out. */
export function eraseInWaha(body: Uint8Array, erasure: BodyErasure): Buffer | null | undefined {
  const read = parseObject(body);
  if (read === undefined) return null;
  if (isErased(read)) return undefined;
  const exact = parseExactly(new TextDecoder().decode(body));
  const root = toObject(exact.value) ?? {};
  const heard = erasure.facts.filter((fact) => fact.kind === "heard");
  const isFromPerson = isFrom(root, erasure);
  const left = isFromPerson
    ? toStub(root, erasure.facts)
    : strip(withoutHis(root, read, erasure), erasure);
  if (!isFromPerson && isDeepStrictEqual(left, root)) return undefined;
  return Buffer.from(exact.print({ ...toObject(left), ...writeHeard(heard) }));
}

/** True if the event is from the person. An event of the gateway about a group is from no one. */
function isFrom(root: Json, { facts, dropped, isErased: isHim }: BodyErasure): boolean {
  if (textAt(root, "assay_pull") !== undefined) return false;
  if (dropped.some(isOccurrenceFact)) return true;
  const named = facts.find(isOccurrenceFact);
  if (named !== undefined && named.kind !== "revoke") return false;
  if (named !== undefined && named.authorIds.length > 0) return false;
  if (textAt(root, "event")?.startsWith("group.v2.") === true) return false;
  const payload = at(root, "payload");
  const after = at(payload, "after");
  const data = at(payload, "_data");
  const frames = [payload, after, data, at(data, "key"), at(data, "Info"), at(data, "id")];
  return frames.some((frame) => isAbout(toObject(frame) ?? {}, isHim));
}

/** The session and its account stay, as every event has them. A revocation of another's message stays too, without its author. */
function toStub(root: Json, facts: readonly GatewayFact[]): Json {
  const revoke = facts.find((fact): fact is RevokeFact => fact.kind === "revoke");
  const names = ["event", "session", "engine", "timestamp", "me", "environment"];
  const envelope = Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(root, name) ? [[name, root[name]]] : [])),
  );
  const timestamp = at(root, "payload", "timestamp");
  if (revoke === undefined) return { assay_erased: true, ...envelope, payload: { timestamp } };
  const after = { id: `false_${revoke.group}_${revoke.rawId}`, from: revoke.group };
  return { ...envelope, payload: { timestamp, revokedMessageId: revoke.rawId, after } };
}

/**
 * Without what is his although it does not name him: listed messages, and the text of a message that was revoked. `read` is the
 * body as readers see it.
 */
function withoutHis(root: Json, read: Json, { dropped, isHisMessage }: BodyErasure): Json {
  const data = at(root, "data");
  if (textAt(root, "assay_pull") === "messages" && Array.isArray(data)) {
    const envelope = { session: textAt(root, "session") ?? "", ownIds: [] };
    const isHis = (item: unknown) =>
      readListedMessage(item, envelope).some((fact) =>
        dropped.some((other) => isDeepStrictEqual(fact, other)),
      );
    const items = toList(at(read, "data"));
    return { ...root, data: data.filter((_, index) => !isHis(items[index])) };
  }
  if (textAt(root, "assay_pull") === "window") {
    const isHis = (group: unknown, rawId: unknown) =>
      dropped.some((f) => isOccurrenceFact(f) && f.group === group && f.rawId === rawId);
    const left = (item: unknown, name: string) =>
      toList(at(item, name)).filter((rawId) => !isHis(at(item, "group"), rawId));
    const items = toList(data).map((item) => ({
      ...toObject(item),
      missing: left(item, "missing"),
      listed: left(item, "listed"),
    }));
    return { ...root, data: items };
  }
  const payload = toObject(at(root, "payload"));
  if (!isHisMessage || payload === undefined) return root;
  const { before: _, ...others } = payload;
  return { ...root, payload: others };
}

/** Objects that say what happened. They lose a member that names the person; any other object about him goes as a whole. */
const FRAMES: ReadonlySet<string> = new Set(["payload", "after", "_data", "key", "Info", "group"]);
/** Members that say whom an object is about. */
const ABOUT: ReadonlySet<string> = new Set([
  ...["id", "_serialized", "jid", "JID", "lid", "LID", "pn", "phoneNumber", "PhoneNumber"],
  ...["participant", "participantAlt", "author", "sender", "Sender", "SenderAlt", "user"],
]);
/** Members with what people wrote. The account of a session, `me`, is ours and stays too. */
const WRITTEN: ReadonlySet<string> = new Set([
  ...["body", "text", "caption", "conversation", "title", "description", "name", "subject"],
]);

function strip(root: Json, { isErased: isHim }: Pick<BodyErasure, "isErased">): unknown {
  const visit = (value: unknown, isFrame: boolean): unknown => {
    if (typeof value === "string")
      return namesPerson(value, isHim) ? undefined : cutId(value, isHim);
    if (Array.isArray(value))
      return value.map((item) => visit(item, false)).filter((item) => item !== undefined);
    const object = toObject(value);
    if (object === undefined) return value;
    if (!isFrame && isAbout(object, isHim)) return undefined;
    const isQuote = Object.entries(object).some(
      ([name, item]) => name.startsWith("quoted") && isOf(item, isHim),
    );
    const members = Object.entries(object).flatMap(([name, item]): readonly [string, unknown][] => {
      if (namesPerson(name, isHim)) return [];
      if (isQuote && name.startsWith("quoted") && name !== "quotedStanzaID") return [];
      const isKept = name === "me" || (WRITTEN.has(name) && typeof item === "string");
      if (isKept) return [[name, item]];
      const left = visit(item, isFrame && FRAMES.has(name));
      const kept = left ?? idOfQuote(name, item);
      return kept === undefined ? [] : [[name, kept]];
    });
    return Object.fromEntries(members);
  };
  return visit(root, true);
}

/** The member of a quote that has the id of the quoted message. */
const QUOTE_IDS: Readonly<Record<string, readonly string[]>> = {
  replyTo: ["id"],
  contextInfo: ["stanzaId", "stanzaID"],
};

/** What stays of a message of his that another quotes. */
function idOfQuote(name: string, quote: unknown): Json | undefined {
  for (const member of QUOTE_IDS[name] ?? []) {
    const rawId = toRawId(textAt(quote, member));
    if (rawId !== undefined) return { [member]: rawId };
  }
  return undefined;
}

type IsPerson = (identifier: string) => boolean;

function isAbout(object: Json, isHim: IsPerson): boolean {
  return Object.entries(object).some(([name, value]) => ABOUT.has(name) && isOf(value, isHim));
}

/** The value is his address, or the id of a message of his, in any of the forms of the engines. */
function isOf(value: unknown, isHim: IsPerson): boolean {
  const text = typeof value === "string" ? value : textAt(value, "_serialized");
  return text !== undefined && (namesPerson(text, isHim) || cutId(text, isHim) !== text);
}

const WHOLE_ADDRESS = new RegExp(`^(\\d{1,30})(?:\\.\\d+)?(?::\\d+)?@(${SERVERS})$`);
const WHOLE_NUMBER = /^\+?(\d{7,15})$/;

function namesPerson(text: string, isHim: IsPerson): boolean {
  const [, digits, server] = WHOLE_ADDRESS.exec(text) ?? WHOLE_NUMBER.exec(text) ?? [];
  return digits !== undefined && namedBy(digits, server).some(isHim);
}

/** The gateway writes the LID of an account that Meta hosts as if it was a number. */
function namedBy(digits: string, server: string | undefined): readonly string[] {
  const identifier = toIdentifier(digits, server);
  return server === "c.us" ? [identifier, lidIdentifier(digits)] : [identifier];
}

/** The id of a message ends with its sender, who is left out if he is erased. */
function cutId(text: string, isHim: IsPerson): string {
  const participant = parseMessageId(text)?.participant;
  if (participant === undefined || !namesPerson(participant, isHim)) return text;
  return text.slice(0, text.length - participant.length - 1);
}

/** Returns the message of an exported chat without its sender and text: which group it was in, and when. */
export function eraseInChatExport(
  body: Uint8Array,
  heard: readonly HeardFact[],
): Buffer | undefined {
  const root = toObject(JSON.parse(new TextDecoder().decode(body)));
  if (isErased(root)) return undefined;
  const names = ["assay_chat_export", "group", "group_id", "sent_at_ms"];
  const kept = Object.fromEntries(
    names.flatMap((name) => {
      const value = at(root, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return Buffer.from(JSON.stringify({ assay_erased: true, ...kept, ...writeHeard(heard) }));
}
