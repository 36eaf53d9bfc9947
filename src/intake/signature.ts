import { createHmac, timingSafeEqual } from "node:crypto";

/** Returns true if the signature is the HMAC-SHA512 of the body, in hex. The comparison takes constant time. */
export function isSignedBy(key: string, body: Uint8Array, signature: string | undefined): boolean {
  const expected = createHmac("sha512", key).update(body).digest();
  const actual = Buffer.from(signature ?? "", "hex");
  // If the length is wrong, the expected value is compared with itself, so that it takes the same time.
  const isRightLength = actual.length === expected.length;
  return timingSafeEqual(expected, isRightLength ? actual : expected) && isRightLength;
}
