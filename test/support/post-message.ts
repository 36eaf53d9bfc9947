import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { aMessageEvent, type WahaMessage } from "./waha.ts";

let postCount = 0;

/** As the gateway posts it: the demo takes unsigned events from programs on this machine. */
export async function postMessage(
  service: { readonly url: string },
  text: string,
  sender?: WahaMessage["sender"],
): Promise<void> {
  await postEvent(service, newMessage(text, sender));
}

/** A message of now. */
export function newMessage(text: string, sender?: WahaMessage["sender"]) {
  postCount += 1;
  return aMessageEvent({
    text,
    rawId: `3EB0CONSOLE${postCount}`,
    atS: Math.floor(Date.now() / 1000),
    ...(sender === undefined ? {} : { sender }),
  });
}

/** Posts an event; with a key, signed as WAHA does. */
export async function postEvent(
  service: { readonly url: string },
  event: unknown,
  hmacKey?: string,
): Promise<void> {
  const body = JSON.stringify(event);
  const response = await fetch(`${service.url}/v2/webhooks/waha`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(hmacKey === undefined
        ? {}
        : { "x-webhook-hmac": createHmac("sha512", hmacKey).update(body).digest("hex") }),
    },
    body,
  });
  assert.equal(response.ok, true, await response.text());
}
