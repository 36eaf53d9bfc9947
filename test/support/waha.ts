import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { createWahaClient, type WahaClient } from "../../src/messages/gateways/waha-client.ts";
import type { Answer, TestApp } from "./test-app.ts";

/** Bodies in the format that WAHA posts. Persons and numbers are invented (Ofcom's 07700 900xxx). */
export interface WahaSession {
  readonly name: string;
  readonly engine: "GOWS" | "WEBJS" | "NOWEB" | "WPP";
  readonly phone: string;
  readonly lid: string;
}

interface WahaSender {
  readonly phone: string;
  readonly lid: string;
  readonly name: string;
}

/** How a session identifies the sender: by phone, by LID, by both, or not at all. */
export type Addressing = "phone" | "lid" | "both" | "none";

interface WahaMessage {
  readonly session: WahaSession;
  readonly group: string;
  readonly rawId: string;
  readonly sender: WahaSender;
  readonly addressing?: Addressing;
  readonly text: string;
  readonly atS: number;
  readonly hasMedia?: boolean;
  readonly isOwn?: boolean;
  readonly event?: "message" | "message.any";
  /** The raw id of the message that it quotes. */
  readonly replyTo?: string | undefined;
}

export const SESSION_A: WahaSession = {
  name: "recv-hk-1",
  engine: "GOWS",
  phone: "447700900101",
  lid: "199900000000901",
};

export const SESSION_B: WahaSession = {
  name: "recv-ny-2",
  engine: "WEBJS",
  phone: "447700900102",
  lid: "199900000000902",
};

export const GROUP = "120363000000000101@g.us";

export const SENDER: WahaSender = {
  phone: "447700900123",
  lid: "199900000000201",
  name: "Kenji M.",
};

export function aMessageEvent(message: Partial<WahaMessage> = {}) {
  const full = { ...A_MESSAGE, ...message };
  const { session, isOwn = false } = full;
  return envelope(session, full.atS * 1000 + 900, full.event ?? "message.any", {
    id: [isOwn, full.group, full.rawId, ...participantOf(full)].join("_"),
    timestamp: full.atS,
    from: full.group,
    fromMe: isOwn,
    source: "app",
    to: full.group,
    participant: participantOf(full)[0] ?? null,
    body: full.text,
    hasMedia: full.hasMedia ?? false,
    media: null,
    ack: 1,
    ackName: "SERVER",
    replyTo: full.replyTo === undefined ? null : quoteOf(full),
    _data: { ...dataOf(full), ...pageQuoteOf(full) },
  });
}

export function anEditEvent(
  edit: {
    readonly session?: WahaSession;
    readonly group?: string;
    readonly rawId: string;
    readonly text: string;
    readonly atS: number;
  } & Author,
) {
  const session = edit.session ?? SESSION_A;
  const group = edit.group ?? GROUP;
  const author = authorOf(session, edit);
  return envelope(session, edit.atS * 1000, "message.edited", {
    id: ["false", group, `EDIT${edit.rawId}${edit.atS}`, ...participantOf(author)].join("_"),
    timestamp: edit.atS,
    from: group,
    fromMe: false,
    participant: participantOf(author)[0] ?? null,
    body: edit.text,
    editedMessageId: edit.rawId,
    hasMedia: false,
    _data: dataOf(author),
  });
}

export function aRevokeEvent(
  revoke: {
    readonly session?: WahaSession;
    readonly group?: string;
    readonly rawId: string;
    readonly atS: number;
  } & Author,
) {
  const session = revoke.session ?? SESSION_A;
  const group = revoke.group ?? GROUP;
  const author = authorOf(session, revoke);
  return envelope(session, revoke.atS * 1000, "message.revoked", {
    revokedMessageId: revoke.rawId,
    before: null,
    after: {
      id: ["false", group, `REVOKE${revoke.rawId}`, ...participantOf(author)].join("_"),
      timestamp: revoke.atS,
      from: group,
      fromMe: false,
      body: null,
    },
    _data: dataOf(author),
  });
}

export function aStatusEvent(status: {
  readonly session?: WahaSession;
  readonly status: string;
  readonly atMs: number;
}) {
  const session = status.session ?? SESSION_A;
  return envelope(session, status.atMs, "session.status", {
    name: session.name,
    status: status.status,
    statuses: [{ status: status.status, timestamp: status.atMs }],
    data: null,
  });
}

export function aGroupEvent(group: {
  readonly session?: WahaSession;
  readonly group?: string;
  readonly name: string;
  readonly atMs: number;
}) {
  return envelope(group.session ?? SESSION_A, group.atMs, "group.v2.update", {
    timestamp: group.atMs,
    group: { id: group.group ?? GROUP, subject: group.name },
    _data: {},
  });
}

/** Says that the LID is an admin of the group, or is none any more. NOWEB calls one who was demoted an admin too. */
export function anAdminEvent(admin: {
  readonly session?: WahaSession;
  readonly group?: string;
  readonly type?: "promote" | "demote" | "leave";
  readonly lid: string;
  readonly atMs: number;
}) {
  const { session = SESSION_A, type = "promote" } = admin;
  const isPlain = type === "demote" && session.engine !== "NOWEB";
  return envelope(session, admin.atMs, "group.v2.participants", {
    type,
    // WEBJS sends seconds.
    timestamp: session.engine === "WEBJS" ? Math.floor(admin.atMs / 1000) : admin.atMs,
    group: { id: admin.group ?? GROUP },
    participants: [
      {
        id: `${admin.lid}@lid`,
        role: type === "leave" ? "left" : isPlain ? "participant" : "admin",
      },
    ],
    _data: {},
  });
}

/** The session joins a group, and the event has all members. The session's account is one of them. */
export function aJoinEvent(join: {
  readonly session?: WahaSession;
  readonly group?: string;
  readonly adminLids: readonly string[];
  readonly atMs: number;
}) {
  const session = join.session ?? SESSION_A;
  const members = [
    { id: `${session.phone}@c.us`, role: "participant" },
    ...join.adminLids.map((lid) => ({ id: `${lid}@lid`, role: "superadmin" })),
  ];
  return envelope(session, join.atMs, "group.v2.join", {
    timestamp: join.atMs,
    group: { id: join.group ?? GROUP, participants: members },
    _data: {},
  });
}

/** What a fetched window says of one group: which stored messages it lacks, and which missing ones it has. */
export function aWindow(window: {
  readonly session?: WahaSession;
  readonly group?: string;
  readonly missing?: readonly string[];
  readonly listed?: readonly string[];
  readonly atMs: number;
}) {
  const { session = SESSION_A, group = GROUP, missing = [], listed = [], atMs } = window;
  return {
    timestamp: atMs,
    assay_pull: "window",
    session: session.name,
    engine: session.engine,
    chat: "all",
    from_ms: atMs - 3_600_000,
    to_ms: atMs - 120_000,
    at_ms: atMs,
    data: [{ group, missing, listed }],
  };
}

export function envelope(session: WahaSession, atMs: number, event: string, payload: object) {
  return {
    id: `evt_${atMs}${event}`,
    timestamp: atMs,
    event,
    session: session.name,
    engine: session.engine,
    metadata: {},
    me: { id: `${session.phone}@c.us`, pushName: session.name, lid: `${session.lid}@lid` },
    payload,
    environment: { version: "2026.7.1", engine: session.engine, tier: "CORE" },
  };
}

const A_MESSAGE: WahaMessage = {
  session: SESSION_A,
  group: GROUP,
  rawId: "3A5B0C1D2E3F40516273",
  sender: SENDER,
  text: "WTS 126610LN 2024 full set HKD 98,500",
  atS: 1_787_217_330,
};

/** Who edited or revoked a message; the usual sender, by LID, unless told otherwise. */
interface Author {
  readonly author?: WahaSender;
  readonly addressing?: Addressing;
}

type Addressed = Pick<WahaMessage, "session" | "sender" | "addressing">;

function authorOf(
  session: WahaSession,
  { author = SENDER, addressing = "lid" }: Author,
): Addressed {
  return { session, sender: author, addressing };
}

/** Returns one address, or none. */
function participantOf({ sender, addressing = "both" }: Addressed): readonly string[] {
  if (addressing === "none") return [];
  return [addressing === "phone" ? `${sender.phone}@c.us` : `${sender.lid}@lid`];
}

/** The engine's own record, which has the sender's other address and name. */
function dataOf({ session, sender, addressing = "both" }: Addressed): object {
  const other = addressing === "both" ? `${sender.phone}@s.whatsapp.net` : "";
  if (session.engine === "GOWS") return { Info: { SenderAlt: other, PushName: sender.name } };
  if (session.engine === "NOWEB") return { key: { participantAlt: other }, pushName: sender.name };
  return {
    notifyName: sender.name,
    ...(addressing === "both" ? { author: `${sender.phone}@c.us` } : {}),
  };
}

/** WEBJS names the quoted message in the page's record only. */
function quoteOf({ session, replyTo }: WahaMessage): object {
  return session.engine === "WEBJS" ? { body: "(quoted)" } : { id: replyTo, body: "(quoted)" };
}

function pageQuoteOf({ session, replyTo }: WahaMessage): object {
  return session.engine === "WEBJS" && replyTo !== undefined ? { quotedStanzaID: replyTo } : {};
}

/** A local server that answers as WAHA does: lists of sessions, groups and messages, with its paging and time filter. */
export interface WahaGateway {
  readonly client: WahaClient;
  readonly url: string;
  /** The paths of all requests so far, with their queries. */
  readonly requests: string[];
  readonly messages: ReturnType<typeof aMessageEvent>["payload"][];
  status: string;
  /** False: the session was deleted. */
  isListed: boolean;
  groups: readonly string[];
  /** Raw ids that the gateway has and cannot convert: it leaves them out of a page. */
  readonly unreadable: Set<string>;
  /** Returns the status of the response to a path; 200 answers as usual. */
  respond: (path: string) => number;
  add(message: Partial<WahaMessage>): void;
  /** As engines with a store do when a message is revoked. */
  remove(rawId: string): void;
}

export async function openWahaGateway(
  t: TestContext,
  session: WahaSession = SESSION_A,
): Promise<WahaGateway> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://gateway");
    gateway.requests.push(`${url.pathname}${url.search}`);
    response.statusCode = gateway.respond(url.pathname);
    response.end(
      JSON.stringify(response.statusCode === 200 ? answerTo(gateway, session, url) : {}),
    );
  });
  server.listen(0, "127.0.0.1");
  await new Promise((settle) => server.once("listening", settle));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const gateway: WahaGateway = {
    client: createWahaClient({ url, timeoutMs: 5_000, retryDelayMs: 1 }),
    url,
    requests: [],
    messages: [],
    status: "WORKING",
    isListed: true,
    groups: [GROUP],
    unreadable: new Set(),
    respond: () => 200,
    add: (message) => gateway.messages.push(aMessageEvent({ session, ...message }).payload),
    remove: (rawId) => {
      const at = gateway.messages.findIndex((message) => rawIdOf(message) === rawId);
      if (at >= 0) gateway.messages.splice(at, 1);
    },
  };
  return gateway;
}

function answerTo(gateway: WahaGateway, session: WahaSession, url: URL): unknown {
  if (url.pathname === "/api/sessions" && !gateway.isListed) return [];
  if (url.pathname === "/api/sessions") {
    const me = { id: `${session.phone}@c.us`, pushName: "Desk" };
    return [{ name: session.name, status: gateway.status, me, engine: { engine: session.engine } }];
  }
  if (url.pathname.endsWith("/groups")) return gateway.groups.map((JID) => ({ JID, Name: JID }));
  const chat = /\/chats\/([^/]+)\/messages$/.exec(decodeURIComponent(url.pathname))?.[1];
  if (chat === undefined) return [];
  const number = (name: string) => Number(url.searchParams.get(name));
  const order = url.searchParams.get("sortOrder") === "desc" ? -1 : 1;
  const timeOf = ({ timestamp }: { timestamp?: number }) => timestamp ?? 0;
  return gateway.messages
    .filter(({ from }: { from?: string }) => chat === "all" || from === chat)
    .filter((message) => timeOf(message) >= number("filter.timestamp.gte"))
    .toSorted((left, right) => order * (timeOf(left) - timeOf(right)))
    .slice(number("offset"), number("offset") + number("limit"))
    .filter((message) => !gateway.unreadable.has(rawIdOf(message)));
}

function rawIdOf({ id }: { id?: string }): string {
  return id?.split("_")[2] ?? "";
}

let postCount = 0;

/** As the gateway posts it: the demo takes unsigned events from programs on this machine. */
export async function postMessage(
  service: { readonly url: string },
  text: string,
  sender?: WahaMessage["sender"],
): Promise<void> {
  await postEvent(service, newMessage(text, sender));
}

/** A message of now. */
export function newMessage(text: string, sender?: WahaMessage["sender"]) {
  postCount += 1;
  return aMessageEvent({
    text,
    rawId: `3EB0CONSOLE${postCount}`,
    atS: Math.floor(Date.now() / 1000),
    ...(sender === undefined ? {} : { sender }),
  });
}

/** Posts an event; with a key, signed as WAHA does. */
export async function postEvent(
  service: { readonly url: string },
  event: unknown,
  hmacKey?: string,
): Promise<void> {
  const body = JSON.stringify(event);
  const response = await fetch(`${service.url}/v2/webhooks/waha`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(hmacKey === undefined
        ? {}
        : { "x-webhook-hmac": createHmac("sha512", hmacKey).update(body).digest("hex") }),
    },
    body,
  });
  assert.equal(response.ok, true, await response.text());
}

/** Posts a JSON body with the app's token or another one. */
export async function post(
  app: TestApp,
  url: string,
  body: unknown,
  token = app.token,
): Promise<Pick<Answer, "status" | "body">> {
  const response = await app.app.inject({
    method: "POST",
    url,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    payload: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.statusCode, body: JSON.parse(response.body) };
}
