import assert from "node:assert/strict";
import { once } from "node:events";
import { Readable } from "node:stream";
import { type TestContext, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import Fastify from "fastify";
import { addCompression, addContentNegotiation } from "../../../src/api/http/representation.ts";
import { sql } from "../../../src/db/sql.ts";
import { aListingWith, insertListings } from "../../support/listings.ts";
import { anAlert } from "../../support/rows.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { openTestApp, type TestApp, until } from "../../support/test-app.ts";

const ALERTS = "/v2/alerts";
const DECODE = {
  br: (bytes: Buffer) => brotliDecompressSync(bytes).toString(),
  gzip: (bytes: Buffer) => gunzipSync(bytes).toString(),
} as const;

for (const coding of ["br", "gzip"] as const) {
  test(`a kept answer, a read of the store and a search are sent with ${coding}`, async (t) => {
    const app = await borrowTestApp(t);
    await aLargeMarket(app);
    const [{ id } = { id: "" }] = await app.db.query<{ id: string }>(
      sql`select id from listing limit 1`,
    );
    const requests = [
      { method: "GET", url: ALERTS },
      { method: "GET", url: `/v2/market/listings/${id}` },
      { method: "POST", url: "/v2/market/listings/search", payload: {} },
      { method: "GET", url: "/openapi.json" },
    ] as const;

    for (const request of requests) {
      const plain = await send(app, request);
      const encoded = await send(app, request, { "accept-encoding": coding });

      assert.equal(encoded.statusCode, 200, request.url);
      assert.equal(encoded.headers["content-encoding"], coding, request.url);
      assert.equal(Number(encoded.headers["content-length"]), encoded.rawPayload.byteLength);
      assert.equal(DECODE[coding](encoded.rawPayload), plain.body);
      assert.ok(encoded.rawPayload.byteLength < plain.rawPayload.byteLength);
      assert.equal(plain.headers["content-encoding"], undefined);
      assert.equal(plain.headers["vary"], "accept-encoding");
      assert.equal(encoded.headers["vary"], "accept-encoding");
    }
  });
}

test("each coding has its own ETag, and each of them is good for a 304", async (t) => {
  const app = await borrowTestApp(t);
  await aLargeMarket(app);
  const paths = [ALERTS, "/openapi.json"];

  for (const path of paths) {
    const ask = (coding: string, more = {}) =>
      send(app, { method: "GET", url: path }, { "accept-encoding": coding, ...more });
    const tags = [];
    for (const coding of ["identity", "gzip", "br"]) {
      tags.push(String((await ask(coding)).headers["etag"]));
    }
    assert.equal(new Set(tags).size, 3);

    for (const coding of ["identity", "gzip", "br"]) {
      for (const tag of tags) {
        const answer = await ask(coding, { "if-none-match": `"other", W/${tag}` });
        assert.equal(answer.statusCode, 304, `${coding} ${tag}`);
        assert.equal(answer.body, "");
        assert.equal(answer.headers["etag"], (await ask(coding)).headers["etag"]);
        assert.equal(answer.headers["vary"], "accept-encoding");
        assert.equal(answer.headers["content-encoding"], undefined);
      }
    }
  }
});

test("a changed answer has changed tags in every coding", async (t) => {
  const app = await borrowTestApp(t);
  await aLargeMarket(app);
  const gzip = { "accept-encoding": "gzip" };
  const before = await send(app, { method: "GET", url: ALERTS }, gzip);
  const known = { ...gzip, "if-none-match": String(before.headers["etag"]) };

  await anAlert(app.db, { name: "new here" });
  // Waits until the change is heard.
  await app.call("GET", ALERTS);
  const after = await send(app, { method: "GET", url: ALERTS }, known);

  assert.equal(after.statusCode, 200);
  assert.notEqual(after.headers["etag"], before.headers["etag"]);
  assert.match(DECODE.gzip(after.rawPayload), /new here/);
});

test("HEAD has the headers of GET, and no body", async (t) => {
  const app = await borrowTestApp(t);
  await aLargeMarket(app);

  for (const coding of ["identity", "gzip", "br"]) {
    const get = await send(app, { method: "GET", url: ALERTS }, { "accept-encoding": coding });
    const head = await send(app, { method: "HEAD", url: ALERTS }, { "accept-encoding": coding });

    assert.equal(head.statusCode, 200);
    assert.equal(head.body, "");
    for (const name of ["content-length", "content-encoding", "content-type", "etag", "vary"]) {
      assert.equal(String(head.headers[name]), String(get.headers[name]), `${coding} ${name}`);
    }
  }
});

test("a small body is sent as it is, unless the client refuses that", async (t) => {
  const app = await borrowTestApp(t);

  const usual = await send(app, { method: "GET", url: ALERTS }, { "accept-encoding": "gzip, br" });
  const strict = await send(
    app,
    { method: "GET", url: ALERTS },
    { "accept-encoding": "gzip, identity;q=0" },
  );

  assert.equal(usual.headers["content-encoding"], undefined);
  assert.equal(strict.headers["content-encoding"], "gzip");
  assert.equal(DECODE.gzip(strict.rawPayload), usual.body);
});

test("the event stream is never compressed", async (t) => {
  const { app, token } = await openTestApp(t);
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const ending = new AbortController();

  const response = await fetch(`${url}/v2/events`, {
    headers: { authorization: `Bearer ${token}`, "accept-encoding": "br, gzip, identity;q=0" },
    signal: ending.signal,
  });
  const { value } = (await response.body?.getReader().read()) ?? {};
  ending.abort();

  assert.equal(response.headers.get("content-encoding"), null);
  assert.match(Buffer.from(value ?? []).toString(), /^retry: /);
});

for (const coding of ["br", "gzip"] as const) {
  test(`a stream of rows is compressed with ${coding} as it comes`, async (t) => {
    const reading = new AbortController();
    const rows = async function* () {
      yield `id,price\n${"1,900000\n".repeat(20)}`;
      await once(reading.signal, "abort");
      yield "2,800000\n";
    };
    const url = await serveStream(t, () => Readable.from(rows()));

    const response = await fetch(url, { headers: { "accept-encoding": coding } });
    const reader = response.body?.getReader();
    // The second row is read from the store only after the client has the first one.
    const first = await reader?.read();
    reading.abort();
    let text = Buffer.from(first?.value ?? []).toString();
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      text += Buffer.from(part.value).toString();
    }

    assert.equal(response.headers.get("content-encoding"), coding);
    assert.match(text, /^id,price\n(1,900000\n){20}2,800000\n$/);
  });
}

test("a compressed stream that fails breaks the transfer", async (t) => {
  const rows = async function* () {
    yield `id,price\n${"1,900000\n".repeat(2_000)}`;
    throw new Error("the store is gone");
  };
  const url = await serveStream(t, () => Readable.from(rows()));

  const response = await fetch(url, { headers: { "accept-encoding": "gzip" } });

  await assert.rejects(response.text());
});

test("a client that disconnects ends the source of a compressed stream", async (t) => {
  let isEnded = false;
  const rows = async function* () {
    try {
      for (let at = 0; ; at += 1) yield `${at},${Math.random()}\n`.repeat(100);
    } finally {
      isEnded = true;
    }
  };
  const url = await serveStream(t, () => Readable.from(rows()));
  const ending = new AbortController();

  const response = await fetch(url, {
    headers: { "accept-encoding": "br" },
    signal: ending.signal,
  });
  await response.body?.getReader().read();
  ending.abort();

  await until(() => isEnded);
});

async function serveStream(t: TestContext, open: () => Readable): Promise<string> {
  const app = Fastify();
  t.after(() => {
    app.server.closeAllConnections();
    return app.close();
  });
  addContentNegotiation(app);
  addCompression(app);
  app.get("/rows", (_request, reply) => reply.type("text/csv; charset=utf-8").send(open()));
  return `${await app.listen({ port: 0, host: "127.0.0.1" })}/rows`;
}

/** More than a kilobyte of alerts, and a listing that is as large by itself. */
async function aLargeMarket({ db }: TestApp): Promise<void> {
  for (let at = 0; at < 8; at += 1) await anAlert(db, { name: `alert ${at}` });
  await insertListings(db, [aListingWith({ full_set_status: Array(100).fill("FULL_SET") })]);
}

function send(
  { app, token }: TestApp,
  request: {
    readonly method: "GET" | "HEAD" | "POST";
    readonly url: string;
    readonly payload?: object;
  },
  headers: Readonly<Record<string, string>> = {},
) {
  return app.inject({ ...request, headers: { authorization: `Bearer ${token}`, ...headers } });
}
