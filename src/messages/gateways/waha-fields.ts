/** How WAHA writes ids and addresses, which differs from engine to engine. */
import { isStorableText } from "../../base/text.ts";
import { lidIdentifier, phoneIdentifier } from "../contacts/contact.ts";

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
