import { createHmac, timingSafeEqual } from "node:crypto";

/** Whether the signature is the HMAC-SHA512 of the body's bytes, in hex; compared in constant time. */
export function isSignedBy(key: string, body: Uint8Array, signature: string | undefined): boolean {
  const wanted = createHmac("sha512", key).update(body).digest();
  const given = Buffer.from(signature ?? "", "hex");
  // A wrong length is compared too, against ourselves, so that it takes the same time.
  const isRightLength = given.length === wanted.length;
  return timingSafeEqual(wanted, isRightLength ? given : wanted) && isRightLength;
}
