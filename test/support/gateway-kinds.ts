/**
 * Every kind of message, as each engine records it. `docs/gateways.md` has the same table for people, and a test compares both
 * with what the service does.
 */
type Proto = Readonly<Record<string, unknown>>;
type PageRecord = { readonly type: string } & Proto;

export interface MessageKind {
  readonly name: string;
  /** WhatsApp's own content, as Baileys writes it. Absent if the engines never send it. */
  readonly proto?: Proto;
  /** The record of WhatsApp Web. */
  readonly page?: PageRecord;
  /** What the gateway makes of it. */
  readonly body?: string;
  readonly hasMedia?: boolean;
  /** `post`, `post without a text`, `edit`, `revocation`, or `ignored` or `quarantine` with the reason. */
  readonly outcome: string;
}

/** What every post with a text offers. */
export const OFFER = "WTS Rolex 126610LN 2023 full set 9,500 EUR";
export const OFFER_PRICE_MINOR = 950_000;
/** The message that edits and revocations are about. */
export const TARGET = "TARGET";

const KEY = { remoteJid: "120363000000000101@g.us", fromMe: true, id: TARGET };
const IMAGE = { mimetype: "image/jpeg", height: 1600, width: 1200, jpegThumbnail: "/9j/4A==" };
const THUMBNAIL = "/9j/4AAQSkZJRgABAQAAAQABAAD/126610LN/15000EUR/2wBDAAYEBQYF";
const PRODUCT = {
  title: "Rolex 126610LN 2023",
  description: "full set, unworn",
  currencyCode: "EUR",
  priceAmount1000: "9500000",
};
const VCARD = "BEGIN:VCARD\nVERSION:3.0\nFN:Rolex 126610LN 15000 EUR\nEND:VCARD";
const EDIT = {
  protocolMessage: {
    key: KEY,
    type: "MESSAGE_EDIT",
    editedMessage: { conversation: OFFER },
    timestampMs: "1787217390000",
  },
};

const wrapped = (name: string, message: Proto): Proto => ({ [name]: { message } });
const associated = (associationType: string) => ({
  messageContextInfo: { messageAssociation: { associationType, parentMessageKey: KEY } },
});
const post = (name: string, rest: Omit<MessageKind, "name" | "outcome">): MessageKind => ({
  name,
  ...rest,
  outcome: "post",
});
const ignored = (
  as: string,
  name: string,
  proto: string | Proto | undefined,
  page?: string | PageRecord,
): MessageKind => ({
  name,
  ...(proto === undefined ? {} : { proto: typeof proto === "string" ? { [proto]: {} } : proto }),
  ...(page === undefined ? {} : { page: typeof page === "string" ? { type: page } : page }),
  outcome: `ignored: ${as}`,
});

export const MESSAGE_KINDS: readonly MessageKind[] = [
  post("text", {
    proto: { conversation: OFFER },
    page: { type: "chat", body: OFFER },
    body: OFFER,
  }),
  post("text with a link, a mention or a quote", {
    proto: { extendedTextMessage: { text: OFFER, title: "Rolex 126610LN for 99,999 EUR" } },
    page: { type: "chat", body: OFFER, title: "Rolex 126610LN for 99,999 EUR" },
    body: OFFER,
  }),
  post("picture with a caption", {
    proto: { imageMessage: { ...IMAGE, caption: OFFER } },
    page: { type: "image", body: THUMBNAIL, caption: OFFER },
    body: OFFER,
    hasMedia: true,
  }),
  {
    name: "picture without a caption",
    proto: { imageMessage: IMAGE },
    page: { type: "image", body: THUMBNAIL },
    hasMedia: true,
    outcome: "post without a text",
  },
  {
    name: "picture of an album",
    proto: {
      ...associated("MEDIA_ALBUM"),
      ...wrapped("associatedChildMessage", { imageMessage: IMAGE }),
    },
    hasMedia: true,
    outcome: "post without a text",
  },
  post("video with a caption", {
    proto: { videoMessage: { mimetype: "video/mp4", caption: OFFER } },
    page: { type: "video", body: THUMBNAIL, caption: OFFER },
    body: OFFER,
    hasMedia: true,
  }),
  {
    name: "video note",
    proto: { ptvMessage: { mimetype: "video/mp4" } },
    page: { type: "ptv" },
    hasMedia: true,
    outcome: "post without a text",
  },
  post("document with a caption", {
    proto: wrapped("documentWithCaptionMessage", {
      documentMessage: { fileName: "stock.pdf", caption: OFFER },
    }),
    page: { type: "document", body: THUMBNAIL, caption: OFFER, filename: "stock.pdf" },
    body: OFFER,
    hasMedia: true,
  }),
  post("disappearing message", {
    proto: wrapped("ephemeralMessage", { extendedTextMessage: { text: OFFER } }),
    page: { type: "chat", body: OFFER, isEphemeral: true },
    body: OFFER,
  }),
  post("view once", {
    proto: wrapped("viewOnceMessage", { imageMessage: { ...IMAGE, caption: OFFER } }),
    page: { type: "image", caption: OFFER, isViewOnce: true },
    body: OFFER,
    hasMedia: true,
  }),
  post("view once, second form", {
    proto: wrapped("viewOnceMessageV2", { imageMessage: { ...IMAGE, caption: OFFER } }),
    body: OFFER,
    hasMedia: true,
  }),
  post("view once, third form", {
    proto: wrapped("viewOnceMessageV2Extension", { videoMessage: { caption: OFFER } }),
    hasMedia: true,
  }),
  post("several wrappers", {
    proto: wrapped(
      "ephemeralMessage",
      wrapped("viewOnceMessage", wrapped("futureMessage", { conversation: OFFER })),
    ),
  }),
  post("mention of a group", {
    proto: wrapped("groupMentionedMessage", { extendedTextMessage: { text: OFFER } }),
    page: { type: "chat", body: OFFER, groupMentions: [] },
  }),
  post("question to a bot", {
    proto: wrapped("botInvokeMessage", { extendedTextMessage: { text: OFFER } }),
  }),
  post("item of a catalogue", {
    proto: { productMessage: { product: { productImage: IMAGE, ...PRODUCT } } },
    page: { type: "product", body: THUMBNAIL, ...PRODUCT, priceAmount1000: 9_500_000 },
  }),
  post("item of a catalogue with a text beside it", {
    proto: {
      productMessage: { product: { ...PRODUCT, priceAmount1000: "9900000" }, body: OFFER },
    },
    page: { type: "product", ...PRODUCT, priceAmount1000: 9_900_000, caption: OFFER },
  }),
  post("order", {
    proto: { orderMessage: { orderTitle: "Order", message: OFFER, itemCount: 1 } },
    page: { type: "order", body: THUMBNAIL, orderTitle: "Order", message: OFFER },
  }),
  post("interactive message", {
    proto: {
      interactiveMessage: {
        header: { title: "Rolex 126610LN", imageMessage: IMAGE },
        body: { text: "2023 full set 9,500 EUR" },
        footer: { text: "ask for 1,000 more" },
        nativeFlowMessage: { buttons: [{ name: "quick_reply" }] },
      },
    },
    page: {
      type: "interactive",
      interactiveHeader: { title: "Rolex 126610LN" },
      body: "2023 full set 9,500 EUR",
      footer: "ask for 1,000 more",
    },
  }),
  post("carousel", {
    proto: {
      interactiveMessage: {
        body: { text: "Stock" },
        carouselMessage: {
          cards: [
            {
              header: { title: "Rolex 126610LN", imageMessage: IMAGE },
              body: { text: "2023 full set 9,500 EUR" },
            },
          ],
        },
      },
    },
  }),
  post("buttons", {
    proto: {
      buttonsMessage: { imageMessage: IMAGE, contentText: OFFER, footerText: "ask", buttons: [] },
    },
    page: { type: "chat", body: OFFER, isDynamicReplyButtonsMsg: true },
  }),
  post("list", {
    proto: {
      listMessage: {
        title: "Stock",
        buttonText: "See",
        sections: [{ title: "Rolex", rows: [{ title: "126610LN 2023 full set 9,500 EUR" }] }],
      },
    },
    page: {
      type: "list",
      body: "",
      list: {
        title: "Stock",
        sections: [{ title: "Rolex", rows: [{ title: "126610LN 2023 full set 9,500 EUR" }] }],
      },
    },
  }),
  post("template", {
    proto: { templateMessage: { hydratedTemplate: { hydratedContentText: OFFER } } },
    page: { type: "hsm", body: OFFER },
  }),
  post("poll", {
    proto: { pollCreationMessageV3: { name: OFFER, options: [{ optionName: "10,000 EUR" }] } },
    page: { type: "poll_creation", pollName: OFFER, pollOptions: [{ name: "10,000 EUR" }] },
  }),
  post("date", {
    proto: { eventMessage: { name: "Watch fair", description: OFFER, startTime: "1800000000" } },
    page: { type: "event_creation", eventName: "Watch fair", eventDescription: OFFER },
  }),
  post("comment", {
    proto: { commentMessage: { message: { conversation: OFFER }, targetMessageKey: KEY } },
    page: { type: "comment", body: OFFER },
  }),
  {
    name: "edit in a wrapper that the gateway does not know",
    proto: wrapped("futureMessage", EDIT),
    outcome: "edit",
  },
  {
    name: "revocation in a wrapper",
    proto: wrapped("ephemeralMessage", { protocolMessage: { key: KEY, type: "REVOKE" } }),
    outcome: "revocation",
  },
  {
    name: "revoked message",
    page: { type: "revoked", protocolMessageKey: { id: TARGET } },
    outcome: "revocation",
  },
  ignored(
    "hd_twin",
    "second upload of a picture, in a better quality",
    {
      ...associated("HD_IMAGE_DUAL_UPLOAD"),
      ...wrapped("associatedChildMessage", { imageMessage: { ...IMAGE, caption: OFFER } }),
    },
    { type: "image", caption: OFFER, associationType: "HD_IMAGE_DUAL_UPLOAD" },
  ),
  ignored("album_head", "head of an album", { albumMessage: { expectedImageCount: 3 } }, "album"),
  ignored("pin", "pin", { pinInChatMessage: { key: KEY, type: "PIN_FOR_ALL" } }, "pinned_message"),
  ignored("kept", "kept message", { keepInChatMessage: { key: KEY } }, "keep_in_chat"),
  ignored("sticker", "sticker", { stickerMessage: { mimetype: "image/webp" } }, "sticker"),
  ignored("sticker", "moving sticker", wrapped("lottieStickerMessage", { stickerMessage: {} })),
  ignored("sticker", "pack of stickers", "stickerPackMessage", "sticker-pack"),
  ignored("voice", "voice message", { audioMessage: { ptt: true } }, "ptt"),
  ignored("voice", "sound", { audioMessage: { ptt: false } }, "audio"),
  ignored(
    "place",
    "place",
    { locationMessage: { name: "Rolex 126610LN 15000 EUR" } },
    {
      type: "location",
      body: THUMBNAIL,
    },
  ),
  ignored("place", "live place", "liveLocationMessage", "live_location"),
  ignored(
    "contact_card",
    "contact card",
    { contactMessage: { vcard: VCARD } },
    {
      type: "vcard",
      body: VCARD,
    },
  ),
  ignored("contact_card", "several contact cards", "contactsArrayMessage", "multi_vcard"),
  ignored(
    "invitation",
    "invitation to a group",
    { groupInviteMessage: { groupName: "Rolex 126610LN 15000 EUR", caption: "join" } },
    { type: "groups_v4_invite", body: THUMBNAIL },
  ),
  ignored(
    "invitation",
    "invitation to a channel",
    "newsletterAdminInviteMessage",
    "newsletter_admin_invite",
  ),
  ignored("payment", "payment", "sendPaymentMessage", "payment"),
  ignored("payment", "request for a payment", "requestPaymentMessage"),
  ignored("payment", "invoice", "invoiceMessage"),
  ignored("call", "call", "callLogMesssage", "call_log"),
  ignored("call", "planned call", "scheduledCallCreationMessage"),
  ignored(
    "answer",
    "pressed button",
    { buttonsResponseMessage: { selectedDisplayText: OFFER } },
    {
      type: "buttons_response",
      body: OFFER,
    },
  ),
  ignored(
    "answer",
    "chosen row of a list",
    { listResponseMessage: { title: OFFER } },
    {
      type: "list_response",
      body: OFFER,
    },
  ),
  ignored("reaction", "reaction", { reactionMessage: { text: "👍", key: KEY } }, "reaction"),
  ignored("reaction", "encrypted reaction", "encReactionMessage"),
  ignored("vote", "vote", { pollUpdateMessage: { pollCreationMessageKey: KEY } }, "poll_update"),
  ignored("vote", "answer to a date", "encEventResponseMessage", "event_response"),
  ignored("encrypted", "encrypted change", "secretEncryptedMessage"),
  ignored("encrypted", "message that is not decrypted", "placeholderMessage", "ciphertext"),
  ignored("notice", "keys", "senderKeyDistributionMessage", "e2e_notification"),
  ignored(
    "notice",
    "change of a setting",
    { protocolMessage: { key: KEY, type: "EPHEMERAL_SETTING", ephemeralExpiration: 86_400 } },
    "protocol",
  ),
  ignored("notice", "request for a number", "requestPhoneNumberMessage", "request_phone_number"),
  ignored("notice", "notice of the group", undefined, {
    type: "notification_template",
    body: "126610LN 15000 EUR changed",
  }),
  ignored("notice", "members of the group", undefined, "gp2"),
  ignored("bot", "answer of a bot", "richResponseMessage", "rich_response"),
  ignored("empty", "message without anything", {}, { type: "chat", body: "" }),
  {
    name: "kind that no reader knows",
    proto: { telepathyMessage: { thought: OFFER } },
    page: { type: "telepathy" },
    outcome: "quarantine: unknown_message",
  },
];

/** What becomes of other events that are about a group, and of those about a session. */
export const EVENT_KINDS: Readonly<Record<string, string>> = {
  "message.edited": "edit",
  "message.revoked": "revocation",
  "message.reaction": "ignored: reaction",
  "message.ack": "ignored: receipt",
  "message.ack.group": "ignored: receipt",
  "message.waiting": "ignored: encrypted",
  "session.status": "read: the state of the session",
  "group.v2.join": "read: the name of the group, its members and admins",
  "group.v2.update": "read: the name of the group, its members and admins",
  "group.v2.participants": "read: the name of the group, its members and admins",
  "group.v2.leave": "ignored: left_group",
  "group.v2.join.request": "ignored: join_request",
  "group.join": "ignored: old_event",
  "group.leave": "ignored: old_event",
  "poll.vote": "ignored: vote",
  "poll.vote.failed": "ignored: vote",
  "event.response": "ignored: vote",
  "event.response.failed": "ignored: vote",
  "presence.update": "ignored: presence",
  "call.received": "ignored: call",
  "call.accepted": "ignored: call",
  "call.rejected": "ignored: call",
  "chat.archive": "ignored: chat",
  "label.upsert": "ignored: label",
  "label.deleted": "ignored: label",
  "label.chat.added": "ignored: label",
  "label.chat.deleted": "ignored: label",
  "engine.event": "ignored: engine",
  "state.change": "ignored: engine",
};

/** Which members Go puts into an object named after their one-of. */
const ONE_OFS: Readonly<Record<string, readonly [oneOf: string, members: readonly string[]]>> = {
  buttonsMessage: ["Header", ["imageMessage", "text"]],
  header: ["Media", ["imageMessage"]],
  interactiveMessage: ["InteractiveMessage", ["nativeFlowMessage", "carouselMessage"]],
};
const GO_VALUES: Readonly<Record<string, number>> = {
  REVOKE: 0,
  EPHEMERAL_SETTING: 3,
  MESSAGE_EDIT: 14,
  MEDIA_ALBUM: 1,
  HD_IMAGE_DUAL_UPLOAD: 10,
  PIN_FOR_ALL: 1,
};
/** The wrappers that whatsmeow takes off itself. */
const GO_UNWRAPS = /^(?:ephemeral|viewOnce|documentWithCaption)/;

/** Writes content as GOWS does. */
export function inGo(value: unknown, of = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => inGo(item, of));
  if (typeof value === "string") {
    const number = GO_VALUES[value] ?? (/^\d{7,}$/.test(value) ? Number(value) : undefined);
    return number ?? value;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const [name, inner] = entries.length === 1 ? (entries[0] ?? []) : [];
  if (name !== undefined && GO_UNWRAPS.test(name)) {
    return inGo((inner as { readonly message: unknown }).message);
  }
  const [oneOf, members] = ONE_OFS[of] ?? ["", []];
  const inside = entries.filter(([key]) => members.includes(key));
  const beside = entries.filter(([key]) => !members.includes(key));
  const capital = (key: string) => `${key.charAt(0).toUpperCase()}${key.slice(1)}`;
  return Object.fromEntries([
    ...beside.map(([key, item]) => [goName(key), inGo(item, key)]),
    ...(inside.length === 0
      ? []
      : [
          [oneOf, Object.fromEntries(inside.map(([key, item]) => [capital(key), inGo(item, key)]))],
        ]),
  ]);
}

function goName(name: string): string {
  return name
    .replace(/^(?:id|url)$/, (word) => word.toUpperCase())
    .replace(/^jpeg/, "JPEG")
    .replace(/(?:Id|Ms|Jid)$/, (word) => word.toUpperCase());
}
