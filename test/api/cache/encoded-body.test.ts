import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { createBoundedAnswers, createEncodedBody } from "../../../src/api/cache/kept-answers.ts";

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

test("compressed forms count as memory of their answer", () => {
  const answers = createBoundedAnswers<{ readonly body: Buffer }>(10_000);
  const [old, recent, other] = [1, 2, 3].map(() => ({ body: Buffer.alloc(4_000) }));
  assert.ok(old !== undefined && recent !== undefined && other !== undefined);
  answers.keep("old", old);
  answers.keep("recent", recent);

  answers.grow("recent", other, 5_000);
  assert.equal(answers.find("old"), old);

  answers.grow("recent", recent, 5_000);
  assert.equal(answers.find("old"), undefined);
  assert.equal(answers.find("recent"), recent);

  // The bytes are free again with their answer.
  answers.drop(["recent"]);
  answers.keep("old", old);
  answers.keep("other", other);
  assert.ok(answers.find("old") === old && answers.find("other") === other);
});
