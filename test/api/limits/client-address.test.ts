import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createClientAddress } from "../../../src/api/limits/client-address.ts";

const PROXIES = [
  { address: "10.0.0.0", prefix: 8 },
  { address: "127.0.0.1", prefix: 32 },
  { address: "fd00::", prefix: 8 },
];

test("the client is the last forwarded address that is not a proxy's, if a proxy sent the request", () => {
  const addressOf = createClientAddress(PROXIES);
  const cases: readonly (readonly [peer: string, forwarded: string | undefined, client: string])[] =
    [
      ["10.0.0.1", "203.0.113.9", "203.0.113.9"],
      ["10.0.0.1", "192.0.2.1, 203.0.113.9", "203.0.113.9"],
      ["10.0.0.1", "192.0.2.1, 203.0.113.9, 10.0.0.2,fd00::5", "203.0.113.9"],
      ["::ffff:10.0.0.1", "203.0.113.9", "203.0.113.9"],
      ["fd12::1", "2001:db8::7", "2001:db8::7"],
      ["fd12::1%eth0", "203.0.113.9", "203.0.113.9"],
      // Ports are not part of the address.
      ["10.0.0.1", "203.0.113.9:4711", "203.0.113.9"],
      ["10.0.0.1", "[2001:db8::7]:4711", "2001:db8::7"],
      ["10.0.0.1", "[2001:db8::7]", "2001:db8::7"],
      // A stranger says what it likes.
      ["203.0.113.9", "192.0.2.1", "203.0.113.9"],
      ["127.0.0.2", "192.0.2.1", "127.0.0.2"],
      // A proxy that says nothing useful counts itself.
      ["10.0.0.1", undefined, "10.0.0.1"],
      ["10.0.0.1", "", "10.0.0.1"],
      ["10.0.0.1", "unknown", "10.0.0.1"],
      ["10.0.0.1", "192.0.2.1, unknown", "10.0.0.1"],
      ["10.0.0.1", "192.0.2.1,", "10.0.0.1"],
      ["10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ];

  for (const [ip, forwarded, client] of cases) {
    const headers = { "x-forwarded-for": forwarded };
    assert.equal(addressOf({ ip, headers }), client, `${ip}: ${forwarded}`);
  }
});

test("without trusted proxies the header is ignored", () => {
  const addressOf = createClientAddress([]);

  assert.equal(
    addressOf({ ip: "127.0.0.1", headers: { "x-forwarded-for": "192.0.2.1" } }),
    "127.0.0.1",
  );
});

test("whatever a client writes into the header, a proxy that appends its address decides", () => {
  const addressOf = createClientAddress(PROXIES);

  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()), (written) => {
      const headers = { "x-forwarded-for": `${written}, 203.0.113.9` };
      assert.equal(addressOf({ ip: "10.0.0.1", headers }), "203.0.113.9");
    }),
  );
});
