/**
 * Sends an e-mail with nodemailer (https://nodemailer.com/smtp/ and https://nodemailer.com/message/). The connection is
 * our own socket, so that it can be closed when the time is up: nodemailer cannot abort.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createTransport } from "nodemailer";
import { isEmail, isLoopback } from "../../../base/address.ts";
import type { PostResult } from "../delivery.ts";
import type { Notification } from "../notification.ts";
import type { Address, Attempt, Channel, ChannelOptions, Refusal } from "./channel.ts";

/** The codes of Node and nodemailer, such as ECONNREFUSED and EAUTH. */
const ERROR_CODE = /^[A-Z0-9_]{1,60}$/;
const NO_SERVER = "no mail server";

export const EMAIL = {
  members: {
    to: {
      column: "recipient",
      lengthMax: 320,
      findProblem: (value) =>
        isEmail(value) ? undefined : "must be one e-mail address, without a name",
    },
  },
  send: sendEmail,
  // It has no secret.
  secretServerOf: () => undefined,
  findRefusal: refuseWithoutServer,
  help: {
    [NO_SERVER]: "set ASSAY_SMTP_URL and ASSAY_SMTP_FROM where the worker runs",
    "535": "the mail server refused the name or password in ASSAY_SMTP_URL",
  },
} as const satisfies Channel;

function refuseWithoutServer(
  _: Address,
  { smtpUrl, smtpFrom }: ChannelOptions,
): Refusal | undefined {
  if (smtpUrl !== undefined && smtpFrom !== undefined) return undefined;
  const setting = smtpUrl === undefined ? "ASSAY_SMTP_URL" : "ASSAY_SMTP_FROM";
  return { member: "to", reason: NO_SERVER, setting };
}

async function sendEmail(
  { recipient }: Address,
  notification: Notification,
  { smtpUrl, smtpFrom, timeoutMs, signal }: Attempt,
): Promise<PostResult> {
  if (smtpUrl === undefined || smtpFrom === undefined) {
    return { kind: "failed", reason: NO_SERVER };
  }
  const server = parseServer(smtpUrl);
  const socket = connect({ host: server.host, port: server.port });
  // Also after nodemailer has ended: an error without a listener would end the process.
  socket.on("error", () => undefined);
  const state = { isLate: false };
  const end = (): void => {
    socket.destroy(new Error("ended"));
  };
  const timer = setTimeout(() => {
    state.isLate = true;
    end();
  }, timeoutMs);
  signal.addEventListener("abort", end);
  try {
    if (signal.aborted) return { kind: "stopped" };
    await once(socket, "connect");
    const status = await sendOn(socket, server, toMail(notification, { smtpFrom, recipient }));
    return { kind: "answered", status };
  } catch (error) {
    if (signal.aborted) return { kind: "stopped" };
    if (state.isLate) return { kind: "failed", reason: `no answer in ${timeoutMs} ms` };
    return toResult(error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
    socket.destroy();
  }
}

interface MailServer {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  readonly auth?: { readonly user: string; readonly pass: string };
}

function parseServer(smtpUrl: string): MailServer {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const isTls = protocol === "smtps:";
  const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (isTls ? 465 : 587) : Number(port),
    isTls,
    ...(username === "" ? {} : { auth }),
  };
}

/** Header values are encoded by nodemailer, and have no line breaks anyway. */
function toMail(
  { title, text, link }: Notification,
  { smtpFrom, recipient }: { readonly smtpFrom: string; readonly recipient: string | null },
) {
  return {
    from: { name: "Assay", address: smtpFrom },
    to: { name: "", address: recipient ?? "" },
    subject: title,
    text: link === undefined || text.includes(link) ? `${text}\n` : `${text}\n\n${link}\n`,
    // So that nothing answers automatically (RFC 3834).
    headers: { "auto-submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

async function sendOn(
  socket: Socket,
  { host, port, isTls, auth }: MailServer,
  mail: ReturnType<typeof toMail>,
): Promise<number> {
  const transport = createTransport({
    host,
    port,
    secure: isTls,
    connection: socket,
    // A password never crosses the network unencrypted.
    requireTLS: auth !== undefined && !isTls && !isLoopback(host),
    ...(auth === undefined ? {} : { auth }),
  });
  try {
    const { response } = await transport.sendMail(mail);
    return Number(/^\d{3}/.exec(response)?.[0] ?? 250);
  } finally {
    transport.close();
  }
}

/** Returns a code, never the server's text, which may contain addresses. */
function toResult(error: unknown): PostResult {
  const { responseCode, code } = (error ?? {}) as { responseCode?: unknown; code?: unknown };
  if (typeof responseCode === "number") return { kind: "answered", status: responseCode };
  const reason = typeof code === "string" && ERROR_CODE.test(code) ? code : "failed";
  return { kind: "failed", reason };
}
