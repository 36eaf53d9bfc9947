import assert from "node:assert/strict";
import { aMessageEvent, type WahaMessage } from "./waha.ts";

let postCount = 0;

/** As the gateway posts it: the demo takes unsigned events from programs on this machine. */
export async function postMessage(
  service: { readonly url: string },
  text: string,
  sender?: WahaMessage["sender"],
): Promise<void> {
  postCount += 1;
  const event = aMessageEvent({
    text,
    rawId: `3EB0CONSOLE${postCount}`,
    atS: Math.floor(Date.now() / 1000),
    ...(sender === undefined ? {} : { sender }),
  });
  const response = await fetch(`${service.url}/v2/webhooks/waha`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(event),
  });
  assert.equal(response.ok, true, await response.text());
}
