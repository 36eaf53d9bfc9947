/**
 * Reads the content of a message as WhatsApp Web keeps it in its page, for the engines that run it in a browser (WEBJS, WPP).
 *
 * `type` says what a message is. `body` is whatever the page keeps under that name: the text of a chat message, but also the
 * thumbnail of a place or a product as base64, or a contact card.
 *
 * Example: a dealer shares a place. `type` is `location`, and `body` is the map: `/9j/4AAQSkZJRg…`. Letters and digits in it
 * look like brands and prices, so it must not be read.
 */
import {
  composed,
  type IgnoredKind,
  type MessageContent,
  type PostContent,
  priceLine,
  productLines,
} from "./content.ts";
import { at, textAt, toList } from "./payload.ts";
import { readList } from "./proto-content.ts";

/** Returns undefined if the record is not one of WhatsApp Web: those of other engines have no type. */
export function readPage(record: unknown): MessageContent | undefined {
  const type = textAt(record, "type");
  if (type === undefined) return undefined;
  if (type === "revoked") {
    const rawId = textAt(record, "protocolMessageKey", "id") ?? textAt(record, "id", "id");
    return rawId === undefined ? { kind: "ignored", as: "notice" } : { kind: "revoke", rawId };
  }
  if (TWIN.test(textAt(record, "associationType") ?? "")) return { kind: "ignored", as: "hd_twin" };
  const ignored = IGNORED.get(type);
  if (ignored !== undefined) return { kind: "ignored", as: ignored };
  const post = READERS[type]?.(record);
  if (post === undefined) return { kind: "unknown", name: type };
  return post.text === "" && !WITH_THUMBNAIL.has(type) ? { ...post, isComposed: false } : post;
}

/** The types with something to read whose `body` is a picture. */
const WITH_THUMBNAIL: ReadonlySet<string> = new Set(["product", "order"]);

/** The second upload of a picture or video, in a better quality. */
const TWIN = /_DUAL_UPLOAD$/i;

const IGNORED: ReadonlyMap<string, IgnoredKind> = new Map(
  Object.entries({
    album_head: ["album"],
    answer: [
      ...["list_response", "buttons_response", "template_button_reply", "interactive_response"],
      ...["native_flow_response", "question_response"],
    ],
    bot: ["rich_response", "bot_plugin"],
    call: ["call_log", "scheduled_call", "call"],
    contact_card: ["vcard", "multi_vcard"],
    encrypted: ["ciphertext", "biz_content_placeholder", "secret_encrypted", "unknown"],
    invitation: ["groups_v4_invite", "newsletter_admin_invite", "newsletter_follower_invite"],
    kept: ["keep_in_chat"],
    notice: [
      ...["e2e_notification", "notification", "notification_template", "gp2", "protocol", "debug"],
      ...["group_notification", "broadcast_notification", "newsletter_notification"],
      ...["request_phone_number", "ephemeral_setting", "message_history_bundle", "hosted_biz"],
      ...["group_status_mention", "status_notification", "limit_sharing"],
    ],
    payment: ["payment"],
    pin: ["pinned_message", "pin_in_chat", "pin_message"],
    place: ["location", "live_location"],
    reaction: ["reaction", "reaction_enc"],
    sticker: ["sticker", "sticker-pack", "sticker_pack"],
    voice: ["audio", "ptt"],
    vote: ["poll_update", "poll_vote", "poll_result_snapshot", "event_response"],
  } satisfies Partial<Record<IgnoredKind, readonly string[]>>).flatMap(([as, types]) =>
    types.map((type) => [type, as as IgnoredKind] as const),
  ),
);

const READERS: Readonly<Record<string, (record: unknown) => PostContent>> = {
  chat: readText,
  comment: readText,
  oversized: readText,
  image: readMedia,
  video: readMedia,
  gif: readMedia,
  ptv: readMedia,
  document: readMedia,
  product: readProduct,
  order: readOrder,
  list: (record) => readList(at(record, "list")),
  interactive: readInteractive,
  native_flow: readInteractive,
  hsm: readInteractive,
  poll_creation: (record) => ({ ...readText(record), text: textAt(record, "pollName") ?? "" }),
  event_creation: readMeeting,
  scheduled_event_creation: readMeeting,
};

function readText(record: unknown): PostContent {
  const text = withoutPicture(textAt(record, "body"), textAt(record, "caption")) ?? "";
  return { kind: "post", text, isComposed: false, hasMedia: false };
}

function readMedia(record: unknown): PostContent {
  const text = withoutPicture(textAt(record, "caption")) ?? "";
  return { kind: "post", text, isComposed: false, hasMedia: true };
}

function readProduct(record: unknown): PostContent {
  const amounts = [at(record, "salePriceAmount1000"), at(record, "priceAmount1000")];
  const lines = productLines({
    title: textAt(record, "title"),
    description: textAt(record, "description"),
    price: priceLine(textAt(record, "currencyCode"), ...amounts),
    note: withoutPicture(textAt(record, "caption"), textAt(record, "body")),
  });
  return composed(lines, { hasMedia: true });
}

function readOrder(record: unknown): PostContent {
  const lines = [
    textAt(record, "orderTitle"),
    textAt(record, "message"),
    priceLine(textAt(record, "totalCurrencyCode"), at(record, "totalAmount1000")),
  ];
  return composed(lines, { hasMedia: false });
}

/** A carousel has its cards beside the text. */
function readInteractive(record: unknown): PostContent {
  const header = at(record, "interactiveHeader") ?? at(record, "header");
  const cards = [
    ...toList(at(record, "carouselCards")),
    ...toList(at(record, "interactivePayload", "cards")),
    ...toList(at(record, "carouselMessage", "cards")),
  ].map(readInteractive);
  const body = withoutPicture(
    textAt(record, "caption"),
    textAt(record, "body"),
    textAt(record, "body", "text"),
  );
  const lines = [textAt(header, "title") ?? textAt(record, "title"), body];
  const own = composed(lines, { hasMedia: textAt(record, "mimetype") !== undefined });
  const text = [own.text, ...cards.map((card) => card.text)].filter((part) => part !== "");
  return { ...own, text: text.join("\n\n") };
}

function readMeeting(record: unknown): PostContent {
  const name = textAt(record, "eventName") ?? withoutPicture(textAt(record, "body"));
  const description = textAt(record, "eventDescription") ?? textAt(record, "description");
  return composed([name, description], { hasMedia: false });
}

/** The first bytes of a JPEG, PNG, WebP or GIF in base64. */
const PICTURE =
  /^(?:data:image\/[\w.+-]{1,40};base64,)?(?:\/9j\/|iVBORw0KGgo|UklGR|R0lGOD)[\w+/-]*={0,2}$/;

/** Returns true for a picture in base64, which is no text on any engine. */
export function isPicture(text: string): boolean {
  return PICTURE.test(text);
}

/** Returns the first of the texts that is one. */
function withoutPicture(...texts: readonly (string | undefined)[]): string | undefined {
  return texts.find((text) => text !== undefined && !isPicture(text));
}
