import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { isIP } from "node:net";
import type { PostResult } from "./delivery.ts";
import { AddressError, isPublicAddress, lookUpPublic } from "./webhook-address.ts";

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  /** Whether private addresses and plain HTTP may be used. */
  readonly isPrivateAllowed: boolean;
  /** Aborted when we stop. */
  readonly signal: AbortSignal;
}

/** One attempt, on a connection of its own. Redirects are not followed, and of the answer only its head is read. */
export async function postWebhook(post: Post): Promise<PostResult> {
  const refusal = refusalOf(post);
  if (refusal !== undefined) return { kind: "failed", reason: refusal };
  const timeout = AbortSignal.timeout(post.timeoutMs);
  try {
    const response = await send(post, AbortSignal.any([timeout, post.signal]));
    const retryAfterMs = toRetryAfterMs(response.headers["retry-after"]);
    response.destroy();
    return {
      kind: "answered",
      status: response.statusCode ?? 0,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    };
  } catch (error) {
    if (post.signal.aborted) return { kind: "stopped" };
    if (timeout.aborted) return { kind: "failed", reason: `no answer in ${post.timeoutMs} ms` };
    return { kind: "failed", reason: reasonOf(error) };
  }
}

function refusalOf({ url, isPrivateAllowed }: Post): string | undefined {
  if (!URL.canParse(url)) return "not a URL";
  const { protocol, hostname } = new URL(url);
  if (protocol !== "https:" && !(protocol === "http:" && isPrivateAllowed)) {
    return protocol === "http:" ? "plain HTTP refused" : "not an HTTPS URL";
  }
  const literal = hostname.replace(/^\[|\]$/g, "");
  // An address is not looked up, so it is checked here.
  if (!isPrivateAllowed && isIP(literal) !== 0 && !isPublicAddress(literal)) {
    return new AddressError().message;
  }
  return undefined;
}

function send(post: Post, signal: AbortSignal): Promise<IncomingMessage> {
  const request = new URL(post.url).protocol === "https:" ? requestSecure : requestPlain;
  return new Promise((settle, reject) => {
    const call = request(post.url, {
      method: "POST",
      agent: false,
      headers: { ...post.headers, "content-length": String(Buffer.byteLength(post.body)) },
      signal,
      ...(post.isPrivateAllowed ? {} : { lookup: lookUpPublic }),
    });
    call.once("response", settle);
    // Who wants to speak something else than HTTP gets no answer but the end.
    call.once("upgrade", (response, socket) => {
      socket.destroy();
      settle(response);
    });
    // Whatever else may happen, it never hangs.
    call.once("close", () => reject(new Error("closed without an answer")));
    // Also after the answer came: the rest of it is not waited for.
    call.on("error", reject);
    call.end(post.body);
  });
}

function toRetryAfterMs(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Number(header) * 1000 : undefined;
}

/** A word, never the message: that may hold an address or what the target sent. */
function reasonOf(error: unknown): string {
  if (error instanceof AddressError) return error.message;
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === "string" && /^[A-Z0-9_]{1,60}$/.test(code) ? code : "failed";
}
