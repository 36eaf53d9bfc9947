import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { createWahaClient } from "../../src/messages/gateways/waha-client.ts";

const BYTES_MAX = 1_000_000;

test("an answer is read up to the bound and no further, and is not asked for again", async (t) => {
  const state = { requests: 0, sentBytes: 0 };
  const url = await serve(t, (response) => {
    state.requests += 1;
    const chunk = Buffer.alloc(64 * 1024, " ");
    // Without an end and without a Content-Length: only the reader can stop it.
    const send = (): void => {
      while (!response.destroyed) {
        state.sentBytes += chunk.length;
        if (!response.write(chunk)) break;
      }
    };
    response.on("drain", send);
    send();
  });
  const client = createWahaClient({ url, answerBytesMax: BYTES_MAX, retryDelayMs: 1 });

  await assert.rejects(client.listSessions(), {
    message: `the gateway answered more than ${BYTES_MAX} bytes to /api/sessions`,
  });

  assert.equal(state.requests, 1);
  // The rest was in the buffers of the two sockets.
  assert.ok(state.sentBytes < 32 * BYTES_MAX, `${state.sentBytes}`);
});

test("an answer of exactly the bound is read, also if its characters arrive in pieces", async (t) => {
  const text = JSON.stringify([{ name: "Zürich ⌚".repeat(1_000) }]);
  const bytes = Buffer.from(text);
  const url = await serve(t, (response) => {
    for (let at = 0; at < bytes.length; at += 1_001) response.write(bytes.subarray(at, at + 1_001));
    response.end();
  });

  const answer = await createWahaClient({ url, answerBytesMax: bytes.length }).listSessions();

  assert.deepEqual(answer, JSON.parse(text));
});

test("an answer that is no JSON is not quoted in the error, which is logged and stored", async (t) => {
  const url = await serve(t, (response) => response.end("CANARY, not JSON"));

  const asked = createWahaClient({ url, retryDelayMs: 1 }).listSessions();

  await assert.rejects(asked, { message: "the gateway's answer to /api/sessions is no JSON" });
});

async function serve(t: TestContext, answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_request, response) => answer(response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
