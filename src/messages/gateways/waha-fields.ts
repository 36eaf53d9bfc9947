/** How WAHA writes ids and addresses, which differs from engine to engine. */
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

/** Wrappers of a message, such as those of disappearing messages, are one in another. */
const WRAPPERS_MAX = 4;

/** Returns the raw id of the message that this one replies to. WEBJS has it in the page's record only. */
export function quotedRawId(payload: unknown): string | undefined {
  return (
    toRawId(textAt(payload, "replyTo", "id")) ??
    toRawId(textAt(payload, "_data", "quotedStanzaID")) ??
    quotedIn(at(payload, "_data", "message"), WRAPPERS_MAX) ??
    quotedIn(at(payload, "_data", "Message"), WRAPPERS_MAX)
  );
}

/** NOWEB and GOWS: each kind of content has its own member, with the quote beside the text. */
function quotedIn(message: unknown, depthMax: number): string | undefined {
  for (const content of Object.values(toObject(message) ?? {})) {
    const quote = at(content, "contextInfo");
    const id = toRawId(textAt(quote, "stanzaId") ?? textAt(quote, "stanzaID"));
    if (id !== undefined) return id;
    const inner = depthMax > 0 ? quotedIn(at(content, "message"), depthMax - 1) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** The sender's client chooses it, so it may be anything. */
function isRawId(text: string): boolean {
  return text.length <= ID_LENGTH_MAX && isStorableText(text);
}

export function isGroup(chat: string | undefined): chat is string {
  return chat !== undefined && chat.length <= ID_LENGTH_MAX && /^[0-9-]+@g\.us$/.test(chat);
}

/** The servers of persons, as a part of a pattern. `hosted` has the accounts of firms that Meta hosts. */
export const SERVERS = "c\\.us|s\\.whatsapp\\.net|lid|hosted\\.lid|hosted";
const ADDRESS = new RegExp(`^(\\d{1,30})(?::\\d+)?@(${SERVERS})$`);

/** Returns the identifiers in these addresses. A device number after a colon is not part of the account. */
export function toIdentifiers(addresses: readonly (string | undefined)[]): readonly string[] {
  const found = addresses.flatMap((address) => {
    const [, digits, server] = ADDRESS.exec(address ?? "") ?? [];
    return digits === undefined ? [] : [toIdentifier(digits, server)];
  });
  return [...new Set(found)].sort();
}

/** Every server of WhatsApp but those of LIDs has phone numbers. */
export function toIdentifier(digits: string, server: string | undefined): string {
  return server?.endsWith("lid") === true ? lidIdentifier(digits) : phoneIdentifier(digits);
}
