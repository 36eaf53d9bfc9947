/** The content of a message or an edit in an event of WAHA, from the record of its engine. */
import { DAY_MS } from "../../base/clock.ts";
import type { MessageContent } from "./content.ts";
import { isPicture, readPage } from "./page-content.ts";
import { at, type Json, textAt, timeAt, toObject } from "./payload.ts";
import { readProto, readProtoQuote } from "./proto-content.ts";
import { toRawId } from "./waha-fields.ts";

/** What the engine recorded: WhatsApp Web `_data`, GOWS `_data.Message`, NOWEB `_data.message`. */
export function readContent(record: Json): MessageContent {
  const data = at(record, "_data");
  const content = readPage(data) ?? readProto(at(data, "Message") ?? at(data, "message"));
  // Baileys writes what the group did, such as a new member, as a message without content.
  const isNotice = content.kind === "absent" && at(data, "messageStubType") != null;
  return isNotice ? { kind: "ignored", as: "notice" } : content;
}

/** Returns the raw id of the message that this one replies to. WEBJS and WPP have it in the page's record only. */
export function readQuote(record: Json): string | undefined {
  const data = at(record, "_data");
  return (
    toRawId(textAt(record, "replyTo", "id")) ??
    toRawId(textAt(data, "quotedStanzaID")) ??
    toRawId(readProtoQuote(at(data, "Message") ?? at(data, "message")))
  );
}

/** What people wrote. The gateway's own text counts, unless the engine's record has more of it, or it is a picture. */
export function contentText(record: unknown, content: MessageContent): string {
  const recorded = content.kind === "post" ? content : undefined;
  if (recorded?.isComposed === true) return recorded.text;
  const body = textAt(record, "body");
  return body === undefined || isPicture(body) ? (recorded?.text ?? "") : body;
}

/** From which engine an event came, and when. */
export interface EventTime {
  readonly engine?: string;
  readonly atMs?: number;
}

/** What an edit says. */
interface Edit {
  /** Undefined if nothing is known about it: only the thumbnail of a picture changed, or the content cannot be read. */
  readonly text: string | undefined;
  /** The message that was edited, if the content says it. */
  readonly rawId: string | undefined;
  readonly editedAtMs: number | undefined;
}

export function readEdited(payload: Json, event: EventTime): Edit {
  const { record, content, rawId, ownTimeMs } = findEdited(payload);
  const text = contentText(record, content);
  const isKnown = saysText(payload, { record, content, text });
  return {
    text: isKnown ? text : undefined,
    rawId,
    editedAtMs: editTime(payload, event, ownTimeMs),
  };
}

interface Edited {
  /** Has the text as `body`. */
  readonly record: Json;
  readonly content: MessageContent;
  /** The message that was edited, if the content says it. */
  readonly rawId?: string;
  /** When the sender edited it, by his own clock. */
  readonly ownTimeMs?: number | undefined;
}

/**
 * WEBJS reports every change of `body` and of `caption`, with the new value as `body`. The message that it has beside it has
 * the caption if there is media, and otherwise the text.
 */
function findEdited(payload: Json): Edited {
  const message = toObject(at(payload, "_data", "message"));
  if (message !== undefined && Object.hasOwn(message, "body")) {
    const content = readPage(at(message, "_data")) ?? { kind: "absent" };
    const ownTimeMs =
      timeAt(message, "_data", "latestEditSenderTimestampMs") ??
      timeAt(message, "latestEditSenderTimestampMs");
    return { record: message, content, ownTimeMs };
  }
  const content = readContent(payload);
  if (content.kind !== "edit") return { record: payload, content };
  const { content: edited, rawId, editedAtMs: ownTimeMs } = content;
  return { record: payload, content: edited, rawId, ownTimeMs };
}

function saysText(
  payload: Json,
  { record, content, text }: Pick<Edited, "record" | "content"> & { readonly text: string },
): boolean {
  if (content.kind === "ignored") return false;
  const isComposed = content.kind === "post" && content.isComposed;
  if (isComposed && isPicture(textAt(payload, "body") ?? "")) return false;
  const body = at(record, "body");
  if (text !== "" || body === "") return true;
  return content.kind === "post" && typeof body !== "string";
}

/** The engines that run WhatsApp Web in a browser. */
const PAGE_ENGINES: ReadonlySet<string> = new Set(["WEBJS", "WPP"]);

/**
 * The sender's own time is the same in all engines, so it decides which of two edits is newer. It counts unless it lies a day
 * outside of what the event says. Otherwise the time of the edit counts; on the engines of WhatsApp Web, an edit has
 * the time of its message, so the time of the event is used instead.
 */
function editTime(
  payload: Json,
  { engine, atMs }: EventTime,
  ownTimeMs: number | undefined,
): number | undefined {
  const messageTimeMs = timeAt(payload, "timestamp");
  const isPage = PAGE_ENGINES.has(engine ?? "");
  const reportedMs = (isPage ? atMs : messageTimeMs) ?? atMs ?? messageTimeMs;
  if (ownTimeMs === undefined || reportedMs === undefined) return reportedMs;
  const earliestMs = (messageTimeMs ?? reportedMs) - DAY_MS;
  const latestMs = (atMs ?? reportedMs) + DAY_MS;
  return ownTimeMs >= earliestMs && ownTimeMs <= latestMs ? ownTimeMs : reportedMs;
}
