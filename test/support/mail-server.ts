import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { SMTPServer } from "smtp-server";

export interface MailServer {
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
