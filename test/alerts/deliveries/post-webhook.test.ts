import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { test } from "node:test";
import { postWebhook } from "../../../src/alerts/deliveries/post-webhook.ts";

test("an attempt ends if the target asks for another protocol or disconnects at once", async (t) => {
  const answers = [
    "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: foo\r\n\r\n",
    "",
  ];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(answers.shift() ?? ""));
  });
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  t.after(() => server.close());
  const post = {
    url: `HTTP://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    headers: {},
    body: "{}",
    isPrivateAllowed: true,
    timeoutMs: 5_000,
    signal: new AbortController().signal,
  };

  const upgraded = await postWebhook(post);
  const closed = await postWebhook(post);

  assert.deepEqual(upgraded, { kind: "answered", status: 101 });
  assert.equal(closed.kind, "failed");
});
