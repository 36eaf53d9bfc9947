import { createHash } from "node:crypto";
import type { DemoDealer, DemoGroup, DemoSession } from "./dealers.ts";
import type { DemoMessage } from "./posts.ts";

/** The engines that WAHA runs sessions on; each of them writes the same facts in its own way. */
export type Engine = "GOWS" | "NOWEB" | "WEBJS" | "WPP";

/** A session as it was when it saw something. */
export interface Witness {
  readonly session: DemoSession;
  readonly engine: Engine;
}

export interface WebhookBody {
  /** When the gateway sent it. */
  readonly atMs: number;
  readonly body: object;
}

export function toMessageBody(witness: Witness, message: DemoMessage, isOwn = false): WebhookBody {
  const { engine } = witness;
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
    replyTo: null,
    _data: engineData(engine, message, participant),
  };
  return envelope(witness, {
    atMs: message.atMs + 700 + (message.atMs % 900),
    event: engine === "GOWS" || isOwn ? "message.any" : "message",
    payload,
  });
}

export function toEditBody(
  witness: Witness,
  message: DemoMessage,
  edit: { readonly text: string; readonly atMs: number },
): WebhookBody {
  const { engine } = witness;
  const participant = participantOf(engine, message.dealer);
  const { gatewayGroupId: group } = message.group;
  // The browser engines repeat the id and the time of the message; the others send an action of its own.
  const isBrowser = engine === "WEBJS" || engine === "WPP";
  const actionId = isBrowser ? message.rawId : actionIdOf("edit", message.rawId);
  return envelope(witness, {
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

export function toRevokeBody(witness: Witness, message: DemoMessage, atMs: number): WebhookBody {
  const { engine } = witness;
  const participant = participantOf(engine, message.dealer);
  const { gatewayGroupId: group } = message.group;
  const isBrowser = engine === "WEBJS" || engine === "WPP";
  const target = { id: `false_${group}_${message.rawId}_${participant}`, body: message.text };
  return envelope(witness, {
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

export function toStatusBody(witness: Witness, status: string, atMs: number): WebhookBody {
  return envelope(witness, {
    atMs,
    event: "session.status",
    payload: {
      name: witness.session.name,
      status,
      statuses: [{ status, timestamp: atMs }],
      data: null,
    },
  });
}

export function toGroupBody(witness: Witness, group: DemoGroup, atMs: number): WebhookBody {
  const { gatewayGroupId: id, name } = group;
  const shown =
    witness.engine === "GOWS"
      ? { JID: id, Name: name }
      : witness.engine === "NOWEB"
        ? { id, subject: name }
        : { id: { _serialized: id }, name };
  return envelope(witness, {
    atMs,
    event: "group.v2.update",
    payload: { timestamp: atMs, group: shown, _data: {} },
  });
}

function envelope(
  { session, engine }: Witness,
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

/** The newer engines address people by their LID, the browser engines by their number, where they know it. */
function participantOf(engine: Engine, dealer: DemoDealer): string {
  const isByPhone = (engine === "WEBJS" || engine === "WPP") && !dealer.isHidden;
  return isByPhone ? `${dealer.phone}@c.us` : `${dealer.lid}@lid`;
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
      };
  }
}

function actionIdOf(kind: string, rawId: string): string {
  return `3A${createHash("sha256").update(`${kind}/${rawId}`).digest("hex").slice(0, 18).toUpperCase()}`;
}
