import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseCursor, toCursor, toQueryDigest } from "../../src/db/page.ts";

const DIGEST = toQueryDigest({ brand: "rolex" });
const toText = ([value]: readonly unknown[]) => (typeof value === "string" ? value : undefined);

test("a cursor returns the position that it was made of", () => {
  fc.assert(
    fc.property(fc.string(), (key) => {
      assert.equal(parseCursor(toCursor(DIGEST, [key]), DIGEST, toText), key);
    }),
  );
});

test("a cursor of another query is refused", () => {
  const cursor = toCursor(DIGEST, ["a"]);

  assert.throws(() => parseCursor(cursor, toQueryDigest({ brand: "omega" }), toText), {
    code: "invalid_payload",
    message: /^cursor: belongs to/,
  });
});

test("text that is not a cursor of the list is refused", () => {
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  for (const cursor of [
    "",
    "%%%",
    encoded({}),
    encoded([]),
    encoded([1, "a"]),
    encoded([DIGEST, 1]),
  ]) {
    assert.throws(() => parseCursor(cursor, DIGEST, toText), {
      code: "invalid_payload",
      message: /^cursor: is not one/,
    });
  }
});
