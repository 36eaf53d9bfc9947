import { randomUUID } from "node:crypto";
import type { Attempt } from "./channels/channel.ts";
import { helpFor, type PostResult, toResultText, toWebhookHeaders } from "./delivery.ts";
import { toTestNotification } from "./notification.ts";
import { postWebhook } from "./post-webhook.ts";
import { sendNotification } from "./send-bundle.ts";
import type { TargetAddress } from "./target-kind.ts";

/** What a test message met. */
export interface TestResult {
  readonly is_delivered: boolean;
  /** As in the list of deliveries. */
  readonly result: string;
  /** What to do about it, if that is known. */
  readonly help?: string;
}

/** Sends one message that is no match. It ignores quiet hours and changes nothing. */
export async function sendTest(
  target: TargetAddress & { readonly id: string; readonly name: string },
  attempt: Attempt & { readonly nowMs: number },
): Promise<TestResult> {
  const result =
    target.kind === "standard"
      ? await postTest(target, attempt)
      : await sendNotification(target, toTestNotification(target.name, attempt.publicUrl), attempt);
  if (result.kind === "stopped") return { is_delivered: false, result: "stopped" };
  const text = toResultText(result);
  const help = helpFor(text);
  return {
    is_delivered: result.kind === "answered" && result.status >= 200 && result.status < 300,
    result: text,
    ...(help === undefined ? {} : { help }),
  };
}

async function postTest(
  { id, name, url, secret }: TargetAddress & { readonly id: string; readonly name: string },
  { nowMs, timeoutMs, isPrivateAllowed, signal }: Attempt & { readonly nowMs: number },
): Promise<PostResult> {
  const body = JSON.stringify({
    type: "target.test",
    timestamp: new Date(nowMs).toISOString(),
    data: { target: { id, name } },
  });
  const headers = toWebhookHeaders({ id: randomUUID(), secret: secret ?? "", body, nowMs });
  if (headers === undefined) return { kind: "failed", reason: "the secret is not whsec_…" };
  return postWebhook({ url: url ?? "", headers, body, timeoutMs, isPrivateAllowed, signal });
}
