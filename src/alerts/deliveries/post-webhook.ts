/**
 * One HTTP request to an address that a user declared. It must not reach an internal service: unless private addresses are
 * allowed, every address is checked, and the connection uses the addresses that were checked. A name that resolves
 * differently the next time (DNS rebinding) has no effect.
 */
import { lookup as resolve } from "node:dns/promises";
import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import type { PostResult } from "./delivery.ts";

interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  /** Allows private addresses and unencrypted HTTP. */
  readonly isPrivateAllowed: boolean;
  /** Aborted when the service stops. */
  readonly signal: AbortSignal;
  /** How much of the response's body to read. Without it, only the head is read. */
  readonly answerBytesMax?: number;
}

/** What the target responded, if it did. */
type PostAnswer = PostResult & { readonly answer?: string };

const ALLOW_PRIVATE =
  "to allow private addresses and plain HTTP, set ASSAY_WEBHOOK_ALLOW_PRIVATE=true";
const NEEDS_HTTPS = "declare a target with an HTTPS URL";

/** What an operator can do about the reasons for which nothing is sent. */
export const HTTP_HELP: Readonly<Record<string, string>> = {
  "private address refused": ALLOW_PRIVATE,
  "plain HTTP refused": ALLOW_PRIVATE,
  "not an HTTPS URL": NEEDS_HTTPS,
  "not a URL": NEEDS_HTTPS,
};

/** One attempt, on a connection of its own. Does not follow redirects. */
export async function postWebhook(post: Post): Promise<PostAnswer> {
  const refusal = refusalOf(post);
  if (refusal !== undefined) return { kind: "failed", reason: refusal };
  // Not AbortSignal.any: what it makes stays registered at the signal of the service, once for each attempt.
  const ending = new AbortController();
  const end = (): void => ending.abort();
  const timer = setTimeout(end, post.timeoutMs);
  post.signal.addEventListener("abort", end);
  if (post.signal.aborted) end();
  try {
    const response = await send(post, ending.signal);
    const retryAfterMs = toRetryAfterMs(response.headers["retry-after"]);
    const { answerBytesMax } = post;
    const answer =
      answerBytesMax === undefined ? undefined : await readAnswer(response, answerBytesMax);
    response.destroy();
    return {
      kind: "answered",
      status: response.statusCode ?? 0,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...(answer === undefined ? {} : { answer }),
    };
  } catch (error) {
    if (post.signal.aborted) return { kind: "stopped" };
    if (ending.signal.aborted)
      return { kind: "failed", reason: `no answer in ${post.timeoutMs} ms` };
    return { kind: "failed", reason: reasonOf(error) };
  } finally {
    clearTimeout(timer);
    post.signal.removeEventListener("abort", end);
  }
}

/** Why nothing is sent to this address; undefined if it is. A name is looked up only when something is sent. */
export function refusalOf({
  url,
  isPrivateAllowed,
}: Pick<Post, "url" | "isPrivateAllowed">): string | undefined {
  if (!URL.canParse(url)) return "not a URL";
  const { protocol, hostname } = new URL(url);
  if (protocol !== "https:" && !(protocol === "http:" && isPrivateAllowed)) {
    return protocol === "http:" ? "plain HTTP refused" : "not an HTTPS URL";
  }
  const literal = hostname.replace(/^\[|\]$/g, "");
  // An address is not looked up, so it is checked here.
  const isAddress = isIP(literal) !== 0;
  const isPrivate = isAddress ? !isPublicAddress(literal) : /(?:^|\.)localhost\.?$/.test(literal);
  return isPrivate && !isPrivateAllowed ? new AddressError().message : undefined;
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
    // A target that asks for another protocol is disconnected.
    call.once("upgrade", (response, socket) => {
      socket.destroy();
      settle(response);
    });
    // The attempt ends in any case.
    call.once("close", () => reject(new Error("closed without an answer")));
    // Also after a response: its body is not read.
    call.on("error", reject);
    call.end(post.body);
  });
}

/** The start of the body. One that is cut off by the target or by the time limit counts as far as it came. */
async function readAnswer(response: IncomingMessage, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size >= bytesMax) break;
    }
  } catch {
    // The status has arrived, and it alone says whether the attempt succeeded.
  }
  return Buffer.concat(chunks).subarray(0, bytesMax).toString();
}

function toRetryAfterMs(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Number(header) * 1000 : undefined;
}

/** Returns a code, never the message, which may contain an address or data from the target. */
function reasonOf(error: unknown): string {
  if (error instanceof AddressError) return error.message;
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === "string" && /^[A-Z0-9_]{1,60}$/.test(code) ? code : "failed";
}

/** Resolves a name and rejects it if any of its addresses is not public. */
const lookUpPublic: LookupFunction = (hostname, options, done) => {
  resolve(hostname, { all: true }).then(
    (found) => {
      const [first] = found;
      if (first === undefined || !found.every(({ address }) => isPublicAddress(address))) {
        done(new AddressError(), "", 0);
      } else if (options.all === true) done(null, found);
      else done(null, first.address, first.family);
    },
    (error: NodeJS.ErrnoException) => done(error, "", 0),
  );
};

/** The message is stored as the result of the attempt. */
class AddressError extends Error {
  constructor() {
    super("private address refused");
    this.name = "AddressError";
  }
}

/** IPv4 networks that are not public, from the IANA special-purpose registry; below also those of IPv6. */
const SPECIAL = new BlockList();
for (const [net, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  SPECIAL.addSubnet(net, prefix, "ipv4");
}
/** The public IPv6 network. Its special-purpose parts are excluded below. */
const GLOBAL = new BlockList();
GLOBAL.addSubnet("2000::", 3, "ipv6");
for (const [net, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  SPECIAL.addSubnet(net, prefix, "ipv6");
}

/** Returns true if the address is on the public internet, so that a request to it cannot reach an internal service. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !SPECIAL.check(address, "ipv4");
  if (family !== 6 || address.includes("%")) return false;
  return GLOBAL.check(address, "ipv6") && !SPECIAL.check(address, "ipv6");
}
