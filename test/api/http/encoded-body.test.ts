import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { createEncodedBody } from "../../../src/api/http/representation.ts";

test("a body is compressed once for each coding, however many ask at the same time", async () => {
  const body = Buffer.from("watch ".repeat(20_000));
  const encoded = createEncodedBody(body);
  const sizes: number[] = [];
  const make = () => encoded.make("gzip", (byteCount) => sizes.push(byteCount));
  assert.equal(encoded.find("gzip"), undefined);

  const [first, second] = await Promise.all([make(), make()]);
  const third = await make();

  assert.deepEqual(gunzipSync(first), body);
  assert.ok(second === first && third === first && encoded.find("gzip") === first);
  assert.equal(encoded.find("br"), undefined);
  assert.deepEqual(sizes, [first.byteLength]);
});
