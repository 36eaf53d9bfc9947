import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { type AnswerFacts, createAssayClient } from "../../client/assay-client.ts";
import { sql } from "../../src/db/sql.ts";
import { parseCsv } from "../support/files.ts";
import { aListingWith, insertListings } from "../support/listings.ts";
import { NOW_MS, openTestApp } from "../support/test-app.ts";

test("an export arrives as a stream, whole and in order, and can be aborted", async (t) => {
  const { app, db, token } = await openTestApp(t);
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const client = createAssayClient({ url, token, attempts: 1 });
  // More than one chunk of the service, and text that cannot be compressed away.
  const listings = Array.from({ length: 120 }, (_, at) =>
    aListingWith({ last_seen_at_ms: NOW_MS + at, message_timestamp_ms: NOW_MS }),
  );
  await insertListings(db, listings);
  const text = `⌚ "Zürich", ${randomBytes(10_000).toString("base64")}\r\n=2+2`;
  await db.execute(sql`update canonical_message set text = ${text}`);
  const facts: AnswerFacts[] = [];

  const stream = await client.exportListings(
    {
      filters: { brand: ["Rolex"], referense: ["1"] },
      sort: "oldest",
      columns: ["source.message_text"],
    },
    { onAnswer: (answer) => facts.push(answer) },
  );
  const [header, ...lines] = parseCsv(await new Response(stream).text());

  assert.deepEqual(header, ["id", "source.message_text"]);
  assert.deepEqual(
    lines,
    listings.map(({ id }) => [id, text.replace("=2+2", "'=2+2")]),
  );
  assert.match(facts[0]?.warnings.join() ?? "", /filters\.referense/);
  await assert.rejects(client.exportListings({ filters: { year: "new" as never } }), {
    name: "AssayError",
    code: "invalid_payload",
  });

  const abort = new AbortController();
  const cut = await client.exportListings(
    { columns: ["source.message_text"] },
    { signal: abort.signal },
  );
  const reader = cut.getReader();
  assert.equal((await reader.read()).done, false);
  abort.abort(new Error("enough"));
  await assert.rejects(readToEnd(reader), { message: "enough" });
});

test("an export whose connection breaks throws, so that a cut table never looks whole", async (t) => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/csv" });
    response.write("id,year\r\n", () => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const client = createAssayClient({ url: `http://127.0.0.1:${port}`, token: "t", attempts: 1 });

  const stream = await client.exportListings();

  await assert.rejects(readToEnd(stream.getReader()), {
    name: "AssayConnectionError",
    isTimeout: false,
  });
});

async function readToEnd(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}
