/**
 * Posts signed JSON to a program, as the Standard Webhooks specification says (https://www.standardwebhooks.com). Each match
 * is a delivery of its own, which `send-deliveries.ts` claims, so this channel sends no texts.
 */
import { createHmac } from "node:crypto";
import type { PostResult } from "../delivery.ts";
import { postWebhook } from "../post-webhook.ts";
import { type Attempt, type Channel, refuseUrl, URL_MEMBER } from "./channel.ts";

const KEY_BYTES = { min: 24, max: 64 };
const BAD_SECRET = "the secret is not whsec_…";

export const STANDARD = {
  members: {
    url: URL_MEMBER,
    secret: {
      column: "secret",
      lengthMax: 200,
      findProblem: (value) => {
        const { length = 0 } = secretKey(value) ?? {};
        return length >= KEY_BYTES.min && length <= KEY_BYTES.max
          ? undefined
          : "must be whsec_ and then 24 to 64 random bytes in base64, such as from: openssl rand -base64 32";
      },
      hidden: { pattern: /whsec_\S+/g, shown: "whsec_…" },
    },
  },
  // It signs, and is not sent.
  secretServerOf: () => undefined,
  findRefusal: refuseUrl,
  help: { [BAD_SECRET]: "declare a secret of the form whsec_ and base64" },
} as const satisfies Channel;

interface Signed {
  readonly id: string;
  readonly secret: string;
  readonly body: string;
  readonly nowMs: number;
}

/** One attempt. The target knows by the id that it has seen a delivery before. */
export async function postSigned(
  signed: Signed & { readonly url: string },
  { timeoutMs, isPrivateAllowed, signal }: Attempt,
): Promise<PostResult> {
  const { url, body } = signed;
  const headers = toWebhookHeaders(signed);
  if (headers === undefined) return { kind: "failed", reason: BAD_SECRET };
  return postWebhook({ url, headers, body, timeoutMs, isPrivateAllowed, signal });
}

/** The headers of an attempt. Returns undefined if the secret is not valid, so that nothing can be signed. */
export function toWebhookHeaders({
  id,
  secret,
  body,
  nowMs,
}: Signed): Readonly<Record<string, string>> | undefined {
  const key = secretKey(secret);
  if (key === undefined) return undefined;
  const timestamp = String(Math.floor(nowMs / 1000));
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "content-type": "application/json",
    "user-agent": "assay",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
}

/** The key of a secret in the form of the specification. Returns undefined if the secret has another form. */
function secretKey(secret: string): Buffer | undefined {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1];
  const key = encoded === undefined ? undefined : Buffer.from(encoded, "base64");
  return key === undefined || key.length === 0 ? undefined : key;
}
