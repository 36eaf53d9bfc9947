import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { SMTPServer } from "smtp-server";
import { type SenderOptions, startSender } from "../../src/alerts/deliveries/send-deliveries.ts";
import { describeListings } from "../../src/api/v2/market/listing-body.ts";
import { createLogger } from "../../src/base/log.ts";
import { createMetrics } from "../../src/base/metrics.ts";
import type { Database, DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { insertRows } from "./rows.ts";
import { createTestClock, NOW_MS } from "./test-app.ts";

interface MailServer {
  /** For `ASSAY_SMTP_URL`, without a name and password. */
  readonly url: string;
  readonly received: { readonly from: string; readonly to: string[]; readonly raw: string }[];
}

interface MailServerOptions {
  /** The code with which it refuses recipients. */
  readonly refusal?: number;
  /** If given, a client must log in with it. */
  readonly password?: string;
  /** Speaks TLS from the start, with a certificate that no authority signed. */
  readonly isTls?: boolean;
}

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface WebhookTarget {
  readonly url: string;
  readonly received: Received[];
}

export const KEY = Buffer.from("a key of twenty-four byt");

const SECRET = `whsec_${KEY.toString("base64")}`;

/** Times from now at which a claim ends: senders make leases of different lengths. A retry of an earlier attempt may be due then too. */
export const LEASE = { leastMs: 60_000, mostMs: 60_999 };

/** A sender on a test database. `wake` makes it look for work at once. */
export function send(t: TestContext, pool: DatabasePool, options: Partial<SenderOptions> = {}) {
  let wake: () => void = () => undefined;
  const sender = startSender({
    db: pool,
    clock: createTestClock(),
    feed: {
      isLive: () => true,
      subscribe: (_topic, onChange) => {
        wake = onChange;
      },
      close: async () => undefined,
    },
    log: createLogger("silent"),
    metrics: createMetrics(),
    describeListings,
    isPrivateAllowed: true,
    ...options,
  });
  t.after(() => sender.stop());
  return { stop: () => sender.stop(), wake: () => wake() };
}

/** A target of the kind `standard`, unless `columns` say otherwise. */
export async function aTarget(
  db: Database,
  url: string | null,
  columns: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const id = randomUUID();
  const row = {
    id,
    name: id,
    url,
    secret: SECRET,
    created_at_ms: NOW_MS,
    updated_at_ms: NOW_MS,
    ...columns,
  };
  await db.execute(insertRows("webhook_target", [row]));
  return id;
}

export async function countBy(db: Database, status: string): Promise<number> {
  const rows = await db.query(sql`select from webhook_delivery where status = ${status}`);
  return rows.length;
}

/** A server that receives webhooks. `answer` decides what it does with each one, by its number. */
export async function startWebhookTarget(
  t: TestContext,
  answer: (response: ServerResponse, at: number) => void = (response) => response.end(),
): Promise<WebhookTarget> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { headers, url: path = "" } = request;
    received.push({ path, headers, body: Buffer.concat(chunks).toString() });
    answer(response, received.length);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received };
}

/** A real SMTP server. */
export async function startMailServer(
  t: TestContext,
  { refusal, password, isTls = false }: MailServerOptions = {},
): Promise<MailServer> {
  const received: MailServer["received"] = [];
  const server = new SMTPServer({
    secure: isTls,
    authOptional: password === undefined,
    disabledCommands: ["STARTTLS"],
    onAuth: (auth, _session, done) => {
      if (auth.password === password) done(null, { user: auth.username ?? "" });
      else done(new Error("wrong password"));
    },
    logger: false,
    onRcptTo: (_address, _session, done) => {
      done(
        refusal === undefined ? null : Object.assign(new Error("no"), { responseCode: refusal }),
      );
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? "" : (mailFrom?.address ?? ""),
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
  });
  server.listen(0, "127.0.0.1");
  // A client that refuses the certificate is no fault of the server.
  server.on("error", () => undefined);
  await once(server.server, "listening");
  t.after(() => new Promise<void>((settle) => server.close(() => settle())));
  return {
    url: `${isTls ? "smtps" : "smtp"}://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
  };
}
