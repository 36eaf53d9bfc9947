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

/** Returns the identifiers in these addresses. A device number after a colon is not part of the account. */
export function toIdentifiers(addresses: readonly (string | undefined)[]): readonly string[] {
  const found = addresses.flatMap((address) => {
    const match = /^(\d{1,30})(?::\d+)?@(c\.us|s\.whatsapp\.net|lid)$/.exec(address ?? "");
    const digits = match?.[1] ?? "";
    if (digits === "") return [];
    return [match?.[2] === "lid" ? lidIdentifier(digits) : phoneIdentifier(digits)];
  });
  return [...new Set(found)].sort();
}
