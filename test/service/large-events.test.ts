import assert from "node:assert/strict";
import { connect } from "node:net";
import { type TestContext, test } from "node:test";
import { openStubborn } from "../support/faults/stubborn-client.ts";
import { startAssay } from "../support/run-assay.ts";
import { until } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";

const COUNT = process.env["ASSAY_TEST_LONG"] === "1" ? 120 : 40;
const MIB = 1024 * 1024;
const BODY_BYTES = 15 * MIB;
const GROWTH_MAX_MB = 400;
const KEY = "my-secret-key";

test("an event without a signature is refused before its body is sent", async (t) => {
  const { port } = await startSigned(t);

  const client = await openStubborn(t, port, { bytes: headOf("") });

  await until(() => client.received().includes("}}"));
  assert.match(client.received(), /^HTTP\/1.1 401 /);
  assert.match(client.received(), /connection: close/i);
});

test("many large events with forged signatures at once cost little memory", async (t) => {
  const { url, port } = await startSigned(t);
  const beforeMb = await residentMb(url);
  let peakMb = beforeMb;
  const chunk = Buffer.alloc(MIB, "x");
  const head = headOf(`X-Webhook-Hmac: ${"0".repeat(128)}\r\n`);
  const sockets = Array.from({ length: COUNT }, () => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined).resume();
    socket.write(head);
    // All but the last byte, so that no body is ever complete.
    for (let at = 0; at < BODY_BYTES / MIB; at += 1) {
      socket.write(at === 0 ? chunk.subarray(1) : chunk);
    }
    return socket;
  });

  const deadlineMs = performance.now() + 60_000;
  while (sockets.filter(({ destroyed }) => !destroyed).length > 4) {
    peakMb = Math.max(peakMb, await residentMb(url));
    if (performance.now() > deadlineMs) break;
  }
  for (const socket of sockets) socket.destroy();

  const growthMb = Math.round(peakMb - beforeMb);
  t.diagnostic(`${COUNT} bodies of 15 MiB: the service grew by ${growthMb} MB`);
  assert.ok(growthMb < GROWTH_MAX_MB, `grew by ${growthMb} MB`);
});

async function startSigned(t: TestContext) {
  const { url: database } = await openTestDatabase(t);
  const { url } = await startAssay(t, ["serve", "--role", "api"], {
    DATABASE_URL: database,
    ASSAY_ALLOW_UNSAFE_STORE: "true",
    ASSAY_WAHA_HMAC_KEY: KEY,
    LOG_LEVEL: "error",
  });
  return { url, port: Number(new URL(url).port) };
}

function headOf(header: string): string {
  return `POST /v2/webhooks/waha HTTP/1.1\r\nHost: x\r\n${header}Content-Length: ${BODY_BYTES}\r\n\r\n`;
}

async function residentMb(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / 1e6;
}
