import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { test } from "node:test";
import { EMAIL } from "../../../src/alerts/deliveries/channels/email.ts";
import { startMailServer } from "../../support/deliveries.ts";
import { countDependants } from "../../support/test-app.ts";

const TARGET = { kind: "email", url: null, secret: null, recipient: "desk@example.org" } as const;
const MESSAGE = { title: "Rolex: 1 EUR", text: "a text", isTitleNeeded: true };

test("the name and password of the address are used, and a wrong password is 535", async (t) => {
  const mail = await startMailServer(t, { password: "p@ss word" });
  const attempt = attemptWith();

  const right = await EMAIL.send(TARGET, MESSAGE, {
    ...attempt,
    smtpUrl: mail.url.replace("//", "//desk:p%40ss%20word@"),
  });
  const wrong = await EMAIL.send(TARGET, MESSAGE, {
    ...attempt,
    smtpUrl: mail.url.replace("//", "//desk:geheim@"),
  });

  assert.deepEqual(right, { kind: "answered", status: 250 });
  assert.deepEqual(wrong, { kind: "answered", status: 535 });
  assert.equal(mail.received.length, 1);
  assert.equal(countDependants(attempt.signal), 0);
});

test("smtps is encrypted, and a certificate that no authority signed is refused", async (t) => {
  const mail = await startMailServer(t, { isTls: true });

  const result = await EMAIL.send(TARGET, MESSAGE, { ...attemptWith(), smtpUrl: mail.url });

  assert.equal(result.kind, "failed");
  assert.deepEqual(mail.received, []);
});

test("names in a title cannot add a header, and odd letters arrive", async (t) => {
  const mail = await startMailServer(t);
  const title = "Ünïcode ⌚\r\nBcc: evil@example.org\r\n\r\nbody";

  await EMAIL.send(TARGET, { ...MESSAGE, title }, { ...attemptWith(), smtpUrl: mail.url });

  const [letter] = mail.received;
  assert.deepEqual(letter?.to, ["desk@example.org"]);
  const head = letter?.raw.split("\r\n\r\n")[0] ?? "";
  assert.doesNotMatch(head, /^bcc:/im);
  assert.match(head, /^Subject: =\?UTF-8\?/m);
});

test("a server that never answers ends the attempt in time, a stop ends it at once, and nothing listens is a failure", async (t) => {
  const silent = createServer(() => undefined);
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  t.after(() => silent.close());
  const smtpUrl = `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const stopping = new AbortController();

  const late = await EMAIL.send(TARGET, MESSAGE, { ...attemptWith(), smtpUrl, timeoutMs: 100 });
  const stopped = EMAIL.send(TARGET, MESSAGE, {
    ...attemptWith(),
    smtpUrl,
    signal: stopping.signal,
  });
  await once(silent, "connection");
  stopping.abort();
  const refused = await EMAIL.send(TARGET, MESSAGE, {
    ...attemptWith(),
    smtpUrl: "smtp://127.0.0.1:1",
  });

  assert.deepEqual(late, { kind: "failed", reason: "no answer in 100 ms" });
  assert.deepEqual(await stopped, { kind: "stopped" });
  assert.deepEqual(refused, { kind: "failed", reason: "ECONNREFUSED" });
});

function attemptWith() {
  return {
    isPrivateAllowed: false,
    smtpFrom: "assay@example.org",
    timeoutMs: 10_000,
    signal: new AbortController().signal,
  };
}
