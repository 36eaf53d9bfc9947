import { createHmac, timingSafeEqual } from "node:crypto";

/** Checks a signature while the body arrives. */
export interface SignatureCheck {
  add(chunk: Uint8Array): void;
  /** Returns true if the signature is that of all chunks. The comparison takes constant time. Call it once. */
  isSignedBy(signature: string): boolean;
}

const SIGNATURE = /^[0-9a-f]{128}$/i;

/** Returns true if the text can be a signature: an HMAC-SHA512 in hex. */
export function isSignature(text: unknown): text is string {
  return typeof text === "string" && SIGNATURE.test(text);
}

export function startSignatureCheck(key: string): SignatureCheck {
  const hmac = createHmac("sha512", key);
  return {
    add: (chunk) => {
      hmac.update(chunk);
    },
    isSignedBy: (signature) =>
      isSignature(signature) && timingSafeEqual(hmac.digest(), Buffer.from(signature, "hex")),
  };
}
