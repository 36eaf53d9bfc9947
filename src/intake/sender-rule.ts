/**
 * Decides from the head of a request whether its sender may post events, before anything of the body is read.
 *
 * With a key, every event must be signed. Without one, it is unknown who sends an event. Then it is taken only if the
 * operator allows unsigned events (or runs the demo), if the service listens on loopback, and if no header shows that a web
 * page or a proxy sent it: any page can post to 127.0.0.1 from the browser of this machine, and a proxy passes on what
 * strangers send.
 *
 * The gateway's signature is of the body alone, so the header with the time of sending proves nothing and is not checked. A replay of
 * a signed body does no harm: the same bytes are stored once, and the times of a message are in its body.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { isLoopback } from "../base/address.ts";
import type { Config } from "../base/config.ts";

type SenderConfig = Pick<Config, "host" | "isDemo" | "isWahaUnsigned" | "wahaHmacKey">;

type Headers = Readonly<Record<string, unknown>>;

/** Browsers send the first two, proxies the others. Node's own `fetch` sends `sec-fetch-mode`, so that is not one. */
const FOREIGN_HEADERS: readonly string[] = ["origin", "sec-fetch-site", "forwarded", "via"];
const FOREIGN_PREFIX = "x-forwarded-";

/** Returns why the request is refused, or undefined if its body may be read. */
export function findSenderProblem(config: SenderConfig, headers: Headers): string | undefined {
  if (config.wahaHmacKey !== undefined) {
    return isSignature(headers["x-webhook-hmac"])
      ? undefined
      : "X-Webhook-Hmac is missing or not an HMAC-SHA512 in hex; set the key of ASSAY_WAHA_HMAC_KEY in the gateway too";
  }
  const problem = findUnsignedProblem(config);
  if (problem !== undefined) return problem;
  const header = Object.keys(headers).find(isForeign);
  return header === undefined
    ? undefined
    : `unsigned events with the header ${header} are refused, because a web page or a proxy sent them; ` +
        "set ASSAY_WAHA_HMAC_KEY here and in the gateway";
}

/** Returns why no unsigned event is taken, or undefined if some are. */
export function findUnsignedProblem(config: SenderConfig): string | undefined {
  if (!isLoopback(config.host)) {
    return "set ASSAY_WAHA_HMAC_KEY: other machines can reach HOST, and without a key anyone could send events";
  }
  if (config.isDemo || config.isWahaUnsigned) return undefined;
  return (
    "set ASSAY_WAHA_HMAC_KEY here and in the gateway, or ASSAY_WAHA_UNSIGNED=true to take unsigned events from programs " +
    "on this machine"
  );
}

/** As many as a random key of 64 bits has in hex. A shorter one can be guessed from one signed event. */
const KEY_LENGTH_MIN = 16;

/** Returns what is wrong with a key that is too short, or undefined. */
export function findKeyProblem({ wahaHmacKey: key }: SenderConfig): string | undefined {
  if (key === undefined || key.length >= KEY_LENGTH_MIN) return undefined;
  return (
    `ASSAY_WAHA_HMAC_KEY has fewer than ${KEY_LENGTH_MIN} characters, so it could be guessed; ` +
    "make one with `openssl rand -hex 32`, and set it here and in the gateway"
  );
}

function isForeign(name: string): boolean {
  return FOREIGN_HEADERS.includes(name) || name.startsWith(FOREIGN_PREFIX);
}

const SIGNATURE = /^[0-9a-f]{128}$/i;

/** Returns true if the text can be a signature: an HMAC-SHA512 in hex. */
function isSignature(text: unknown): text is string {
  return typeof text === "string" && SIGNATURE.test(text);
}

/** Checks a signature while the body arrives. */
interface SignatureCheck {
  add(chunk: Uint8Array): void;
  /** Returns true if the signature is that of all chunks. The comparison takes constant time. Call it once. */
  isSignedBy(signature: string): boolean;
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
