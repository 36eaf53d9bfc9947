/** What is in a message, in our own terms, from whichever engine. `docs/gateways.md` has the table of all kinds. */

/** Why an event gives no message. The words are stored and counted, see `ignored_event`. */
export const IGNORED_KINDS = [
  // Messages.
  ...(["album_head", "answer", "bot", "call", "contact_card", "empty", "encrypted"] as const),
  ...(["hd_twin", "invitation", "kept", "notice", "payment", "pin", "place"] as const),
  ...(["private_chat", "reaction", "sticker", "thumbnail", "voice", "vote"] as const),
  // Other events.
  ...(["chat", "engine", "join_request", "label", "left_group", "old_event", "presence"] as const),
  ...(["receipt"] as const),
] as const;

export type IgnoredKind = (typeof IGNORED_KINDS)[number];

export type MessageContent =
  | PostContent
  | { readonly kind: "revoke"; readonly rawId: string }
  | EditContent
  | { readonly kind: "ignored"; readonly as: IgnoredKind }
  /** No reader knows it. */
  | { readonly kind: "unknown"; readonly name: string }
  /** The engine has no record of it. */
  | { readonly kind: "absent" };

export interface PostContent {
  readonly kind: "post";
  readonly text: string;
  /**
   * The text is put together from several members. The gateway's own text has less, and differs between its versions, so it
   * does not count.
   */
  readonly isComposed: boolean;
  /** It has a picture, a video or a document. */
  readonly hasMedia: boolean;
}

export interface EditContent {
  readonly kind: "edit";
  /** Id of the message that was edited. */
  readonly rawId: string;
  /** What it has now. */
  readonly content: MessageContent;
  /** When the sender edited it, by his own clock. */
  readonly editedAtMs?: number;
}

/** A post whose text is put together from lines. Those that are missing are left out. */
export function composed(
  lines: readonly (string | undefined)[],
  { hasMedia }: Pick<PostContent, "hasMedia">,
): PostContent {
  return { kind: "post", text: joinLines(lines), isComposed: true, hasMedia };
}

export function joinLines(lines: readonly (string | undefined)[], separator = "\n"): string {
  return lines.filter((line) => line !== undefined && line.trim() !== "").join(separator);
}

/** An item of a catalogue. */
export interface Product {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly price: string | undefined;
  /** What was written beside it. */
  readonly note: string | undefined;
}

/**
 * Returns an item as lines: its title, its description and its price. If what was written beside it names the item too, then
 * that alone is the offer: with both there would be two listings of one watch.
 *
 * Example: "Rolex 126610LN", "2023 full set" and HKD 92,970, with "Rolex 126610LN, 2023 full set, EUR 10,330" beside it, is
 * one watch for EUR 10,330. With "Available in Hong Kong" beside it, it is one watch for HKD 92,970.
 */
export function productLines({ title, description, price, note }: Product): readonly string[] {
  const words = wordsOf(note);
  const isNamed = title !== undefined && [...wordsOf(title)].every((word) => words.has(word));
  const lines = isNamed ? [note] : [note, title, description, price];
  return lines.filter((line) => line !== undefined);
}

function wordsOf(text: string | undefined): ReadonlySet<string> {
  return new Set((text ?? "").toLowerCase().match(/[\p{Letter}\p{Number}]+/gu));
}

/**
 * Returns a line such as `EUR 10,320`; undefined if the item has no price. The first amount that is there counts, in thousandths
 * of the currency.
 */
export function priceLine(
  currency: string | undefined,
  ...amounts1000: readonly unknown[]
): string | undefined {
  const amount = amounts1000.map((thousandths) => toNumber(thousandths) / 1000).find((a) => a > 0);
  if (currency === undefined || amount === undefined) return undefined;
  const digits = Number.isInteger(amount) ? 0 : 2;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return `${currency} ${amount.toLocaleString("en-US", options)}`;
}

/** A 64-bit number is a number, a text, or its two halves. */
export function toNumber(value: unknown): number {
  if (typeof value === "number" || typeof value === "string") return Number(value);
  const { low, high } = (value ?? {}) as { low?: unknown; high?: unknown };
  return typeof low === "number" && typeof high === "number"
    ? high * 2 ** 32 + (low >>> 0)
    : Number.NaN;
}
