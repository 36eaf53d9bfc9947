/**
 * Publishes to ntfy as JSON, at the address of the server (https://docs.ntfy.sh/publish/#publish-as-json). The title is a
 * member of the body and not a header, so no text can add a header. Access tokens are described at
 * https://docs.ntfy.sh/publish/#access-tokens, the limit of 4,096 bytes at https://docs.ntfy.sh/publish/#limitations.
 */
import type { PostResult } from "../delivery.ts";
import type { Notification } from "../notification.ts";
import { postWebhook } from "../post-webhook.ts";
import { type TargetAddress, toNtfyTopic } from "../target.ts";
import type { Attempt } from "./channel.ts";

export async function sendNtfy(
  { url, secret }: TargetAddress,
  { title, text, link }: Notification,
  { timeoutMs, isPrivateAllowed, signal }: Attempt,
): Promise<PostResult> {
  const place = toNtfyTopic(url ?? "");
  if (place === undefined) return { kind: "failed", reason: "not a topic" };
  const result = await postWebhook({
    url: place.serverUrl,
    headers: {
      "content-type": "application/json",
      "user-agent": "assay",
      ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
    },
    body: JSON.stringify({
      topic: place.topic,
      title,
      message: text,
      ...(link === undefined ? {} : { click: link }),
    }),
    timeoutMs,
    isPrivateAllowed,
    signal,
  });
  const isRefused = result.kind === "answered" && (result.status === 401 || result.status === 403);
  return isRefused ? { ...result, meaning: "no access to the topic" } : result;
}
