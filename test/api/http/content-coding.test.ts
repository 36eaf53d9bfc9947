import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseCoding } from "../../../src/api/http/representation.ts";

const LARGE = 1025;

test("a large body gets the coding that the client prefers, and brotli among equals", () => {
  const cases: readonly (readonly [string | undefined, string | undefined])[] = [
    [undefined, undefined],
    ["", undefined],
    ["gzip", "gzip"],
    ["br", "br"],
    ["gzip, deflate, br, zstd", "br"],
    ["GZIP;Q=0.5 , BR;q=0.25", "gzip"],
    ["br;q=0.5, gzip;q=0.5", "br"],
    ["x-gzip", "gzip"],
    ["*", "br"],
    ["br;q=0, *", "gzip"],
    ["*;q=0", undefined],
    ["gzip;q=0", undefined],
    ["gzip;q=0.000", undefined],
    ["gzip;q=0.001", "gzip"],
    ["identity", undefined],
    ["identity;q=1, gzip;q=0.5", undefined],
    ["identity;q=0.5, gzip", "gzip"],
    ["identity;q=0", undefined],
    ["identity;q=0, gzip", "gzip"],
    ["deflate, compress, zstd", undefined],
    ["gzip;q=2", undefined],
    ["gzip;q=x", undefined],
    ["gzip;level=3", "gzip"],
    [",,gzip,;", "gzip"],
  ];

  for (const [accepted, expected] of cases) {
    assert.equal(chooseCoding(accepted, LARGE), expected, String(accepted));
  }
});

test("a small body is compressed only for a client that refuses it as it is", () => {
  assert.equal(chooseCoding("gzip, br", 1024), undefined);
  assert.equal(chooseCoding("gzip, identity;q=0", 1024), "gzip");
  assert.equal(chooseCoding("gzip, *;q=0", 10), "gzip");
  assert.equal(chooseCoding("*;q=0", 10), undefined);
});

test("a client that invents headers takes no memory", () => {
  for (let at = 0; at < 1_000; at += 1) {
    assert.equal(chooseCoding(`gzip;q=0.5;x=${at}`, LARGE), "gzip");
  }
  assert.equal(chooseCoding("br", LARGE), "br");
});
