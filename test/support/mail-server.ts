import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { SMTPServer } from "smtp-server";

export interface MailServer {
  /** For `ASSAY_SMTP_URL`, without a name and password. */
  readonly url: string;
  readonly received: { readonly from: string; readonly to: string[]; readonly raw: string }[];
}

/** A real SMTP server. `refuse` returns the code with which it refuses a recipient. */
export async function startMailServer(
  t: TestContext,
  refuse: (at: number) => number | undefined = () => undefined,
): Promise<MailServer> {
  const received: MailServer["received"] = [];
  let recipientCount = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onRcptTo: (_address, _session, done) => {
      recipientCount += 1;
      const code = refuse(recipientCount);
      done(code === undefined ? null : Object.assign(new Error("no"), { responseCode: code }));
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
  await once(server.server, "listening");
  t.after(() => new Promise<void>((settle) => server.close(() => settle())));
  return { url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, received };
}
