import { type LocalTime, MINUTE_MS } from "../../base/clock.ts";
import { isStorableText, toDigits, withoutNul } from "../../base/text.ts";
import { nameIdentifier, phoneIdentifier } from "../contacts/contact.ts";
import type { GatewayFact, Reading } from "../gateway-event.ts";
import { occurrenceTextKey } from "../message.ts";
import { at, isErased, readHeard, textAt, timeAt, toObject } from "./payload.ts";
import { isGroup } from "./waha-fields.ts";

/** One message of an exported chat, in the form that `import chat` stores. */
interface ChatExportEvent {
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

/** An export has dates in the order of the phone's language, and does not say which that is. */
export const DATE_ORDERS = ["day-first", "month-first", "year-first"] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

interface ChatExportOptions {
  readonly group: string;
  /** The gateway's id of the group, if the group is declared. */
  readonly groupId?: string;
  /** If absent, it is recognised from the dates; without a sign, the day is first. */
  readonly dateOrder?: DateOrder;
  /** An export has local times and does not name their zone. `previousMs` is the time of the entry before. */
  toUtcMs(local: LocalTime, previousMs?: number): number;
}

interface Entry {
  readonly stamp: Stamp;
  readonly sender: string;
  readonly lines: string[];
}

interface Stamp {
  readonly date: readonly [number, number, number];
  readonly isYearFirst: boolean;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** Invisible characters for text direction, which exports put around names, numbers and notes. */
const INVISIBLE = /[\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu;
/** iOS: `[20/08/2026, 09:15:30] `. Android: `20/08/2026, 09:15 - `. Separators depend on the language. */
const HEAD =
  /^\[?(\d{1,4})[./-](\d{1,2})[./-](\d{1,4}),? (?:klo |um |at )?(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?: ([ap])\.? ?m\.?)?(?:\] | - |\] ?)/iu;
const OMITTED =
  /^(?:<[^<>]{1,60}(?:omitted|weggelassen|weggelaten|omis|omitido|omesso|attached|anhang|bijgevoegd)[^<>]{0,60}>|(?:image|video|audio|sticker|GIF|document|Contact card|Bild|Video|afbeelding|immagine|imagen|imagem) (?:omitted|weggelassen|weggelaten|absente|omitida|omesso|ocultada))$/iu;
const ATTACHED =
  /^(?:<attached: [^<>]{1,200}>|[^\s]{1,200}\.(?:jpg|jpeg|png|webp|mp4|opus|pdf) \([^()]{1,60}\))$/iu;
const EDITED =
  / ?<[^<>]{1,60}(?:edited|bearbeitet|bewerkt|modifié|editado|modificato)[^<>]{0,30}>$/iu;
const DELETED =
  /^(?:This message was deleted|You deleted this message|Diese Nachricht wurde gelöscht|Dit bericht is verwijderd)\.?$/iu;

/** Returns the messages of a WhatsApp export. Skips system notes and deleted messages. */
export function parseChatExport(
  text: string,
  options: ChatExportOptions,
): readonly ChatExportEvent[] {
  const entries = toEntries(text);
  const order = options.dateOrder ?? findOrder(entries) ?? "day-first";
  const repeats = new Map<string, number>();
  let previousMs: number | undefined;
  return entries.flatMap((entry) => {
    const sentAtMs = options.toUtcMs(toLocal(entry.stamp, order), previousMs);
    previousMs = sentAtMs;
    const message = toMessage(entry);
    if (message === undefined) return [];
    const sender = toSender(entry.sender);
    const key = JSON.stringify([sender, Math.floor(sentAtMs / MINUTE_MS), message.text]);
    const repeat = repeats.get(key) ?? 0;
    repeats.set(key, repeat + 1);
    return [
      {
        assay_chat_export: 1,
        group: options.group,
        ...(options.groupId === undefined ? {} : { group_id: options.groupId }),
        ...sender,
        sent_at_ms: sentAtMs,
        text: message.text,
        has_media: message.hasMedia,
        repeat,
      } as const,
    ];
  });
}

/** A line without a date and time continues the message above it. */
function toEntries(text: string): readonly Entry[] {
  const entries: Entry[] = [];
  for (const raw of text.split(/\r?\n/)) {
    // Exports have a narrow or non-breaking space before AM and PM.
    const line = raw.replace(INVISIBLE, "").replace(/[\u00A0\u202F]/gu, " ");
    const head = HEAD.exec(line);
    if (head === null) {
      entries.at(-1)?.lines.push(line);
      continue;
    }
    const rest = line.slice(head[0].length);
    const colon = rest.indexOf(": ");
    // iOS writes system notes with the name of the group or a member as sender, and an invisible character at the start.
    const body = rest.slice(colon + 2);
    const isNote = colon < 0 || (raw.includes(": \u200E") && !isMediaNote(body));
    entries.push({
      stamp: toStamp(head),
      sender: isNote ? "" : rest.slice(0, colon),
      lines: [body],
    });
  }
  return entries;
}

function isMediaNote(text: string): boolean {
  return OMITTED.test(text) || ATTACHED.test(text) || DELETED.test(text);
}

function toMessage(
  entry: Entry,
): { readonly text: string; readonly hasMedia: boolean } | undefined {
  if (entry.sender === "") return undefined;
  const [first = "", ...more] = entry.lines;
  if (DELETED.test(first.trim())) return undefined;
  const hasMedia = OMITTED.test(first.trim()) || ATTACHED.test(first.trim());
  const lines = hasMedia ? more : [first, ...more];
  return { text: lines.join("\n").trim().replace(EDITED, ""), hasMedia };
}

/** `+44 7700 900123` is a phone number. `~ Name` is a sender who is not in the address book. */
function toSender(sender: string): { sender_phone: string } | { sender_name: string } {
  const name = sender.trim();
  if (/^\+[\d\s()-]{6,30}$/u.test(name)) return { sender_phone: toDigits(name) };
  return { sender_name: name.replace(/^~\s*/u, "") };
}

function toStamp(head: RegExpExecArray): Stamp {
  const [, first = "", second = "", third = "", hour = "", minute = "", seconds = "0", half] = head;
  const hours = Number(hour) % 12;
  return {
    date: [Number(first), Number(second), Number(third)],
    isYearFirst: first.length === 4,
    hour: half === undefined ? Number(hour) : half.toLowerCase() === "p" ? hours + 12 : hours,
    minute: Number(minute),
    second: Number(seconds),
  };
}

/**
 * Returns true if the dates can be read with the day or the month first, and the difference matters: no part is above 12,
 * and some date has a day that is not the number of its month.
 */
export function isDateOrderUnclear(text: string): boolean {
  const entries = toEntries(text);
  const isDifferent = ({ stamp }: Entry) => !stamp.isYearFirst && stamp.date[0] !== stamp.date[1];
  return findOrder(entries) === undefined && entries.some(isDifferent);
}

/** Returns true if every date exists in this order. */
export function fitsDateOrder(text: string, order: DateOrder): boolean {
  return toEntries(text).every(({ stamp }) => {
    const { month, day } = toLocal(stamp, order);
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
  });
}

/** The same order applies to the whole file. A part above 12 is no month. */
function findOrder(entries: readonly Entry[]): DateOrder | undefined {
  const dates = entries.filter(({ stamp }) => !stamp.isYearFirst).map(({ stamp }) => stamp.date);
  if (dates.some(([, second]) => second > 12)) return "month-first";
  return dates.some(([first]) => first > 12) ? "day-first" : undefined;
}

function toLocal({ date, isYearFirst, ...time }: Stamp, order: DateOrder): LocalTime {
  const [first, second, third] = date;
  if (isYearFirst || order === "year-first") {
    return { year: toYear(first), month: second, day: third, ...time };
  }
  const year = toYear(third);
  return order === "day-first"
    ? { year, month: second, day: first, ...time }
    : { year, month: first, day: second, ...time };
}

function toYear(year: number): number {
  return year < 100 ? 2000 + year : year;
}
