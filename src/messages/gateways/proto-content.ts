/**
 * Reads the content of a message as WhatsApp itself defines it, with one member for each kind: `conversation`, `imageMessage`,
 * `productMessage` … NOWEB (Baileys) and GOWS (whatsmeow) have it in JSON, and differ only in how they write it.
 *
 * Go writes `ID` and `timestampMS` where Baileys writes `id` and `timestampMs`, numbers where Baileys writes the names of
 * values, and puts a member of a one-of into an object that is named after the one-of: `Header: { ImageMessage }`. So names
 * are compared without case, and members with a capital letter are looked through.
 *
 * A kind can be wrapped in others, in any depth: `ephemeralMessage: { message: { viewOnceMessage: { message: … } } }`. What has
 * a message inside is a wrapper, also one that is not known yet.
 */
import {
  composed,
  type EditContent,
  type IgnoredKind,
  joinLines,
  type MessageContent,
  type PostContent,
  priceLine,
  productLines,
  toNumber,
} from "./content.ts";
import { timeAt, toList, toObject } from "./payload.ts";

export function readProto(message: unknown): MessageContent {
  const { name, value, wrappers, association } = unwrap(message);
  if (name === undefined) return { kind: "absent" };
  if (isTwin(association, wrappers)) return { kind: "ignored", as: "hd_twin" };
  const kind = name.toLowerCase();
  if (kind === "protocolmessage") return readProtocol(value);
  const ignored = IGNORED.get(kind);
  if (ignored !== undefined) return { kind: "ignored", as: ignored };
  const post = READERS[kind]?.(value);
  if (post === undefined) return { kind: "unknown", name };
  // The gateway may know a text in it that is not known here.
  return post.text === "" ? { ...post, isComposed: false } : post;
}

/** Returns the raw id of the message that this one replies to or comments on. */
export function readProtoQuote(message: unknown): string | undefined {
  const { value, commentedOn } = unwrap(message);
  return textOf(value, "contextInfo", "stanzaId") ?? commentedOn;
}

/** What the record of a message says about its picture. */
export interface PictureContent {
  /** Base64. */
  readonly thumbnail: string | undefined;
  /** Raw id of the head of the album. */
  readonly albumRawId: string | undefined;
}

/** Returns undefined if the message is no picture, if it is a second upload, and if it may be looked at only once. */
export function readProtoPicture(message: unknown): PictureContent | undefined {
  const { name, value, wrappers, association } = unwrap(message);
  const kind = name?.toLowerCase();
  const isImage = /^image\//.test(textOf(value, "mimetype") ?? "");
  if (kind !== "imagemessage" && !(kind === "documentmessage" && isImage)) return undefined;
  const isOnce = wrappers.some((wrapper) => wrapper.startsWith("viewonce"));
  if (isOnce || member(value, "viewOnce") === true || isTwin(association, wrappers))
    return undefined;
  const isInAlbum = ALBUM.has(member(association, "associationType"));
  return {
    thumbnail: textOf(value, "jpegThumbnail"),
    albumRawId: isInAlbum ? textOf(association, "parentMessageKey", "id") : undefined,
  };
}

/** Members that say something about a message, and are none. */
const BESIDE: ReadonlySet<string> = new Set([
  ...["messagecontextinfo", "senderkeydistributionmessage", "devicelistmetadata"],
  ...["fastratchetkeysenderkeydistributionmessage", "reportingtokeninfo"],
]);

/** No message has as many wrappers. */
const WRAPPERS_MAX = 20;

interface Unwrapped {
  /** Undefined if the message has no content. */
  readonly name: string | undefined;
  readonly value: unknown;
  /** In lower case. */
  readonly wrappers: readonly string[];
  /** How the message belongs to another one. */
  readonly association: unknown;
  /** Raw id of the message that a comment is about. */
  readonly commentedOn: string | undefined;
}

function unwrap(message: unknown): Unwrapped {
  const wrappers: string[] = [];
  let association: unknown;
  let commentedOn: string | undefined;
  let current = message;
  for (;;) {
    association ??= member(current, "messageContextInfo", "messageAssociation");
    const entries = Object.entries(toObject(current) ?? {}).filter(([, item]) => item != null);
    const [name, value] = entries.find(([key]) => !BESIDE.has(key.toLowerCase())) ?? [];
    if (name === undefined) {
      // Keys for later messages come alone, too.
      const [only] = entries.filter(([key]) => key.toLowerCase().includes("senderkey"));
      return { name: only?.[0], value: only?.[1], wrappers, association, commentedOn };
    }
    const inner = toObject(member(value, "message"));
    if (inner === undefined || wrappers.length === WRAPPERS_MAX) {
      return { name, value, wrappers, association, commentedOn };
    }
    commentedOn ??= textOf(value, "targetMessageKey", "id");
    wrappers.push(name.toLowerCase());
    current = inner;
  }
}

/** Also the film of a picture that moves. */
const TWIN = /_DUAL_UPLOAD$|^MOTION_PHOTO$/;
const ALBUM: ReadonlySet<unknown> = new Set(["MEDIA_ALBUM", 1]);

/**
 * The second upload of a picture or video, in a better quality. Pictures of an album come in the same wrapper, and are
 * pictures of their own.
 */
function isTwin(association: unknown, wrappers: readonly string[]): boolean {
  const type = member(association, "associationType");
  if (textOf(association, "parentMessageKey", "id") === undefined || ALBUM.has(type)) return false;
  return wrappers.includes("associatedchildmessage") || TWIN.test(String(type));
}

/** Kinds without anything that a person offers. */
const IGNORED: ReadonlyMap<string, IgnoredKind> = new Map(
  Object.entries({
    album_head: ["albumMessage"],
    // A choice among words of another person.
    answer: [
      ...["buttonsResponseMessage", "listResponseMessage", "templateButtonReplyMessage"],
      ...["interactiveResponseMessage", "questionResponseMessage", "statusQuestionAnswerMessage"],
    ],
    bot: ["richResponseMessage", "botTaskMessage"],
    call: [
      ...["call", "callLogMesssage", "callLogMessage", "bcallMessage"],
      ...["scheduledCallCreationMessage", "scheduledCallEditMessage"],
    ],
    contact_card: ["contactMessage", "contactsArrayMessage"],
    encrypted: ["secretEncryptedMessage", "encCommentMessage", "placeholderMessage"],
    invitation: [
      ...["groupInviteMessage", "newsletterAdminInviteMessage", "paymentInviteMessage"],
      ...["newsletterFollowerInviteMessage", "newsletterFollowerInviteMessageV2"],
    ],
    kept: ["keepInChatMessage"],
    notice: [
      ...["senderKeyDistributionMessage", "fastRatchetKeySenderKeyDistributionMessage", "chat"],
      ...["requestPhoneNumberMessage", "messageHistoryBundle", "messageHistoryNotice"],
      ...["stickerSyncRmrMessage", "statusNotificationMessage", "statusQuotedMessage"],
      ...["limitSharingMessage", "statusMentionMessage", "groupStatusMentionMessage"],
    ],
    payment: [
      ...["sendPaymentMessage", "requestPaymentMessage", "declinePaymentRequestMessage"],
      ...["cancelPaymentRequestMessage", "invoiceMessage"],
    ],
    pin: ["pinInChatMessage"],
    place: ["locationMessage", "liveLocationMessage"],
    reaction: ["reactionMessage", "encReactionMessage", "statusStickerInteractionMessage"],
    sticker: ["stickerMessage", "stickerPackMessage", "lottieStickerMessage"],
    voice: ["audioMessage"],
    vote: [
      ...["pollUpdateMessage", "pollResultSnapshotMessage", "pollResultSnapshotMessageV3"],
      ...["encEventResponseMessage", "eventResponseMessage"],
    ],
  } satisfies Partial<Record<IgnoredKind, readonly string[]>>).flatMap(([as, names]) =>
    names.map((name) => [name.toLowerCase(), as as IgnoredKind] as const),
  ),
);

/** Kinds with something to read, in lower case. */
const READERS: Readonly<Record<string, (value: unknown) => PostContent>> = {
  conversation: (value) => plain(typeof value === "string" ? value : undefined),
  extendedtextmessage: (value) => plain(textOf(value, "text")),
  imagemessage: readMedia,
  videomessage: readMedia,
  ptvmessage: readMedia,
  documentmessage: readMedia,
  productmessage: readProduct,
  ordermessage: (value) =>
    composed(
      [
        textOf(value, "orderTitle"),
        textOf(value, "message"),
        priceLine(textOf(value, "totalCurrencyCode"), member(value, "totalAmount1000")),
      ],
      { hasMedia: false },
    ),
  interactivemessage: readInteractive,
  buttonsmessage: (value) =>
    composed([textOf(value, "text"), textOf(value, "contentText")], { hasMedia: hasMedia(value) }),
  listmessage: readList,
  templatemessage: readTemplate,
  highlystructuredmessage: (value) => readTemplate(member(value, "hydratedHsm")),
  eventmessage: (value) =>
    composed([textOf(value, "name"), textOf(value, "description")], { hasMedia: false }),
  ...Object.fromEntries(
    ["", "V2", "V3", "V4", "V5", "V6"].map((version) => [
      `pollcreationmessage${version.toLowerCase()}`,
      // The options are answers of others.
      (value: unknown) => plain(textOf(value, "name")),
    ]),
  ),
};

function plain(text: string | undefined, has = false): PostContent {
  return { kind: "post", text: text ?? "", isComposed: false, hasMedia: has };
}

function readMedia(value: unknown): PostContent {
  return plain(textOf(value, "caption"), true);
}

function readProduct(value: unknown): PostContent {
  // Or the whole catalogue.
  const product = member(value, "product") ?? member(value, "catalog");
  const amounts = [member(product, "salePriceAmount1000"), member(product, "priceAmount1000")];
  const lines = productLines({
    title: textOf(product, "title"),
    description: textOf(product, "description"),
    price: priceLine(textOf(product, "currencyCode"), ...amounts),
    note: textOf(value, "body"),
  });
  const image = member(product, "productImage") ?? member(product, "catalogImage");
  return composed(lines, { hasMedia: image !== undefined });
}

/** A header and a text, and perhaps cards of the same form. */
function readInteractive(value: unknown): PostContent {
  const header = member(value, "header");
  const cards = toList(member(value, "carouselMessage", "cards")).map(readInteractive);
  const own = joinLines([
    textOf(header, "title"),
    textOf(header, "subtitle"),
    textOf(value, "body", "text"),
  ]);
  const text = joinLines([own, ...cards.map((card) => card.text)], "\n\n");
  const has = hasMedia(header) || cards.some((card) => card.hasMedia);
  return { kind: "post", text, isComposed: true, hasMedia: has };
}

/** WhatsApp Web has the same object in its record. */
export function readList(value: unknown): PostContent {
  const rows = toList(member(value, "sections")).flatMap((section) => [
    textOf(section, "title"),
    ...toList(member(section, "rows")).flatMap((row) => [
      textOf(row, "title"),
      textOf(row, "description"),
    ]),
  ]);
  const lines = [textOf(value, "title"), textOf(value, "description"), ...rows];
  return composed(lines, { hasMedia: false });
}

function readTemplate(value: unknown): PostContent {
  const interactive = member(value, "interactiveMessageTemplate");
  if (interactive !== undefined) return readInteractive(interactive);
  const template = member(value, "hydratedTemplate") ?? member(value, "hydratedFourRowTemplate");
  const lines = [textOf(template, "hydratedTitleText"), textOf(template, "hydratedContentText")];
  return composed(lines, { hasMedia: hasMedia(template) });
}

function hasMedia(value: unknown): boolean {
  const names = ["imageMessage", "videoMessage", "documentMessage"];
  return names.some((name) => member(value, name) !== undefined);
}

/** A message about another one. */
function readProtocol(value: unknown): MessageContent {
  const type = member(value, "type");
  const rawId = textOf(value, "key", "id");
  if (rawId === undefined) return { kind: "ignored", as: "notice" };
  if (type === "REVOKE" || type === 0) return { kind: "revoke", rawId };
  if (type === "MESSAGE_EDIT" || type === 14) return readEdited(value, rawId);
  return { kind: "ignored", as: "notice" };
}

function readEdited(value: unknown, rawId: string): EditContent {
  const editedAtMs = timeAt({ atMs: toNumber(member(value, "timestampMs")) }, "atMs");
  return {
    kind: "edit",
    rawId,
    content: readProto(member(value, "editedMessage")),
    ...(editedAtMs === undefined ? {} : { editedAtMs }),
  };
}

function textOf(value: unknown, ...names: readonly string[]): string | undefined {
  const found = member(value, ...names);
  return typeof found === "string" && found !== "" ? found : undefined;
}

/** Returns the value at a path of names, in the writing of either engine. */
function member(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((current, name) => findMember(current, name), value);
}

function findMember(value: unknown, name: string): unknown {
  const object = toObject(value);
  if (object === undefined) return undefined;
  if (Object.hasOwn(object, name)) return object[name] ?? undefined;
  const entries = Object.entries(object);
  const folded = name.toLowerCase();
  const [, found] = entries.find(([key]) => key.toLowerCase() === folded) ?? [];
  if (found != null) return found;
  for (const [key, item] of entries) {
    if (!/^[A-Z]/.test(key)) continue;
    const inside = Object.entries(toObject(item) ?? {}).find(
      ([inner]) => inner.toLowerCase() === folded,
    );
    if (inside?.[1] != null) return inside[1];
  }
  return undefined;
}
