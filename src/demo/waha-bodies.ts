import { createHash } from "node:crypto";
import type { DemoDealer, DemoGroup, DemoSession } from "./dealers.ts";
import type { DemoMessage } from "./posts.ts";

/** The engines of WAHA. Each writes the same facts in its own format. */
export type Engine = "GOWS" | "NOWEB" | "WEBJS" | "WPP";

/** The session that reports an event, with the engine that it used at that time. */
export interface Reporter {
  readonly session: DemoSession;
  readonly engine: Engine;
}

export interface WebhookBody {
  /** When the gateway sent the event. */
  readonly atMs: number;
  readonly body: object;
}

export function toMessageBody(
  reporter: Reporter,
  message: DemoMessage,
  isOwn = false,
): WebhookBody {
  const { engine } = reporter;
  const participant = participantOf(engine, message.dealer);
  const { gatewayGroupId: group } = message.group;
  const seconds = message.atMs / 1000;
  const payload = {
    id: `${isOwn}_${group}_${message.rawId}_${participant}`,
    timestamp: seconds,
    from: group,
    fromMe: isOwn,
    source: isOwn ? "api" : "app",
    to: engine === "GOWS" ? participant : group,
    participant,
    body: message.text,
    hasMedia: message.hasMedia,
    media: message.hasMedia ? { url: null, filename: null, mimetype: "image/jpeg" } : null,
    ack: 1,
    ackName: "SERVER",
    location: null,
    vCards: engine === "WEBJS" || engine === "WPP" ? [] : null,
    replyTo: message.replyTo === undefined ? null : quoteOf(engine, message.replyTo, participant),
    _data: engineData(engine, message, participant),
  };
  return envelope(reporter, {
    atMs: message.atMs + 700 + (message.atMs % 900),
    event: engine === "GOWS" || isOwn ? "message.any" : "message",
    payload,
  });
}

export function toEditBody(
  reporter: Reporter,
  message: DemoMessage,
  edit: { readonly text: string; readonly atMs: number },
): WebhookBody {
  const { engine } = reporter;
  const participant = participantOf(engine, message.dealer);
  const { gatewayGroupId: group } = message.group;
  // The browser engines repeat the id and the time of the message. The others send an event with its own id.
  const isBrowser = engine === "WEBJS" || engine === "WPP";
  const actionId = isBrowser ? message.rawId : actionIdOf("edit", message.rawId);
  return envelope(reporter, {
    atMs: edit.atMs,
    event: "message.edited",
    payload: {
      id: `false_${group}_${actionId}_${participant}`,
      timestamp: (isBrowser ? message.atMs : edit.atMs) / 1000,
      from: group,
      fromMe: false,
      participant,
      body: edit.text,
      editedMessageId: message.rawId,
      hasMedia: message.hasMedia,
      media: null,
      _data: {},
    },
  });
}

export function toRevokeBody(reporter: Reporter, message: DemoMessage, atMs: number): WebhookBody {
  const { engine } = reporter;
  const participant = participantOf(engine, message.dealer);
  const { gatewayGroupId: group } = message.group;
  const isBrowser = engine === "WEBJS" || engine === "WPP";
  const target = { id: `false_${group}_${message.rawId}_${participant}`, body: message.text };
  return envelope(reporter, {
    atMs,
    event: "message.revoked",
    payload: {
      ...(isBrowser ? {} : { revokedMessageId: message.rawId }),
      before: isBrowser ? target : null,
      after: {
        id: `false_${group}_${isBrowser ? message.rawId : actionIdOf("revoke", message.rawId)}_${participant}`,
        timestamp: Math.floor(atMs / 1000),
        from: group,
        fromMe: false,
        participant,
        body: null,
      },
      _data: {},
    },
  });
}

export function toStatusBody(reporter: Reporter, status: string, atMs: number): WebhookBody {
  return envelope(reporter, {
    atMs,
    event: "session.status",
    payload: {
      name: reporter.session.name,
      status,
      statuses: [{ status, timestamp: atMs }],
      data: null,
    },
  });
}

export function toGroupBody(reporter: Reporter, group: DemoGroup, atMs: number): WebhookBody {
  const { gatewayGroupId: id, name } = group;
  const shown =
    reporter.engine === "GOWS"
      ? { JID: id, Name: name }
      : reporter.engine === "NOWEB"
        ? { id, subject: name }
        : { id: { _serialized: id }, name };
  return envelope(reporter, {
    atMs,
    event: "group.v2.update",
    payload: { timestamp: atMs, group: shown, _data: {} },
  });
}

function envelope(
  { session, engine }: Reporter,
  event: { readonly atMs: number; readonly event: string; readonly payload: object },
): WebhookBody {
  const digest = createHash("sha256")
    .update(`${session.name}/${event.event}/${event.atMs}/${JSON.stringify(event.payload)}`)
    .digest("hex");
  return {
    atMs: event.atMs,
    body: {
      id: `evt_${digest.slice(0, 26)}`,
      timestamp: event.atMs,
      event: event.event,
      session: session.name,
      engine,
      metadata: {},
      me: { id: `${session.phone}@c.us`, pushName: session.label, lid: `${session.lid}@lid` },
      payload: event.payload,
      environment: { version: "2026.7.1", engine, tier: "CORE" },
    },
  };
}

/** The newer engines identify people by LID. The browser engines use the phone number if they know it. */
function participantOf(engine: Engine, dealer: DemoDealer): string {
  const usesPhone = (engine === "WEBJS" || engine === "WPP") && !dealer.isHidden;
  return usesPhone ? `${dealer.phone}@c.us` : `${dealer.lid}@lid`;
}

/** The browser engines name the quoted message only in their own record. */
function quoteOf(
  engine: Engine,
  { rawId, text }: { readonly rawId: string; readonly text: string },
  participant: string,
): object {
  if (engine === "WEBJS" || engine === "WPP")
    return { body: text, _data: { type: "chat", body: text } };
  return { id: rawId, participant, body: text, _data: { conversation: text } };
}

function engineData(engine: Engine, message: DemoMessage, participant: string): object {
  const { dealer } = message;
  const other = dealer.isHidden ? "" : `${dealer.phone}@s.whatsapp.net`;
  const { gatewayGroupId: group } = message.group;
  switch (engine) {
    case "GOWS":
      return {
        Info: { Chat: group, ID: message.rawId, SenderAlt: other, PushName: dealer.name },
      };
    case "NOWEB":
      return {
        key: { remoteJid: group, id: message.rawId, participant, participantAlt: other },
        pushName: dealer.name,
      };
    default:
      return {
        id: { remote: group, id: message.rawId },
        author: participant,
        notifyName: dealer.name,
        ...(message.replyTo === undefined
          ? {}
          : {
              quotedMsg: { type: "chat", body: message.replyTo.text },
              quotedStanzaID: message.replyTo.rawId,
              quotedParticipant: participant,
            }),
      };
  }
}

function actionIdOf(kind: string, rawId: string): string {
  return `3A${createHash("sha256").update(`${kind}/${rawId}`).digest("hex").slice(0, 18).toUpperCase()}`;
}
