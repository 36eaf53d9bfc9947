/** How WAHA writes ids, addresses and texts, which differs from engine to engine. */
import { isStorableText } from "../../base/text.ts";
import { lidIdentifier, phoneIdentifier } from "../contacts/contact.ts";
import { at, textAt, toObject } from "./payload.ts";

/**
 * `{true|false}_{chat}_{raw id}[_{participant}]`. The raw id is the same in every session that received the message.
 */
export interface MessageId {
  readonly chat: string;
  readonly rawId: string;
  readonly participant?: string;
}

const ID_LENGTH_MAX = 200;

export function parseMessageId(text: string | undefined): MessageId | undefined {
  const [own, chat, rawId, participant] = (text ?? "").slice(0, ID_LENGTH_MAX * 3).split("_");
  if ((own !== "true" && own !== "false") || !chat || !rawId || !isRawId(rawId)) return undefined;
  return { chat, rawId, ...(participant ? { participant } : {}) };
}

/** Some engines send the raw id, others the full id. */
export function toRawId(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const rawId = parseMessageId(text)?.rawId ?? text;
  return isRawId(rawId) && !rawId.includes("_") ? rawId : undefined;
}

/** The sender's client chooses it, so it may be anything. */
function isRawId(text: string): boolean {
  return text.length <= ID_LENGTH_MAX && isStorableText(text);
}

export function isGroup(chat: string | undefined): chat is string {
  return chat !== undefined && chat.length <= ID_LENGTH_MAX && /^[0-9-]+@g\.us$/.test(chat);
}

/** Returns the identifiers in these addresses. A device number after a colon is not part of the account. */
export function toIdentifiers(addresses: readonly (string | undefined)[]): readonly string[] {
  const found = addresses.flatMap((address) => {
    const [, digits, server] =
      /^(\d{1,30})(?::\d+)?@(c\.us|s\.whatsapp\.net|lid)$/.exec(address ?? "") ?? [];
    return digits === undefined ? [] : [toIdentifier(digits, server)];
  });
  return [...new Set(found)].sort();
}

/** Every server of WhatsApp but that of LIDs has phone numbers. */
export function toIdentifier(digits: string, server: string | undefined): string {
  return server === "lid" ? lidIdentifier(digits) : phoneIdentifier(digits);
}

/** The engines that run WhatsApp Web in a browser. */
export const PAGE_ENGINES: ReadonlySet<string> = new Set(["WEBJS", "WPP"]);

/** The types whose `body` is no written text. A contact card has the number of another person. */
const TYPES_WITHOUT_TEXT: ReadonlySet<string> = new Set([
  ...["location", "live_location", "product", "order", "payment", "groups_v4_invite"],
  ...["newsletter_admin_invite", "vcard", "multi_vcard", "sticker", "audio", "ptt", "ptv"],
]);

/** The first bytes of a JPEG, PNG, WebP or GIF in base64. */
const PICTURE =
  /^(?:data:image\/[\w.+-]{1,40};base64,)?(?:\/9j\/|iVBORw0KGgo|UklGR|R0lGOD)[\w+/-]*={0,2}$/;

/**
 * What a person wrote, in an event of WAHA. Returns undefined if the message has something else than a text, and an empty
 * text if it has nothing.
 *
 * On engines that run WhatsApp Web (WEBJS, WPP), `body` is whatever the page keeps under that name: the text of a chat
 * message, but also the thumbnail of a place or a product as base64, or a contact card. `_data` is the page's own record
 * of the message, and its `type` says what `body` is. The other engines have no `_data.type`.
 *
 * Example: a dealer shares a place. `_data.type` is `location`, and `body` is the map: `/9j/4AAQSkZJRg…`. Letters and
 * digits in it look like brands and prices, so it must not be read.
 */
export function writtenText(record: unknown): string | undefined {
  const data = at(record, "_data");
  if (TYPES_WITHOUT_TEXT.has(textAt(data, "type") ?? "")) return undefined;
  const body = textAt(record, "body") ?? "";
  if (!PICTURE.test(body)) return body;
  // A picture whose file is not there yet: the page has no media, and its thumbnail is the body.
  const caption = textAt(data, "caption");
  return caption === undefined || PICTURE.test(caption) ? undefined : caption;
}

/**
 * The same for an edit. WEBJS reports every change of `body` and of `caption`, with the new value as `body`. The message
 * that it has beside it has the caption if there is media, and otherwise the text.
 */
export function editedText(payload: unknown, engine: string | undefined): string | undefined {
  const message = toObject(at(payload, "_data", "message"));
  const hasMessage = message !== undefined && Object.hasOwn(message, "body");
  return writtenText(hasMessage && PAGE_ENGINES.has(engine ?? "") ? message : payload);
}
