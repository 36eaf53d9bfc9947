/**
 * Publishes to ntfy as JSON, at the address of the server (https://docs.ntfy.sh/publish/#publish-as-json). The title is a
 * member of the body and not a header, so no text can add a header. Access tokens are described at
 * https://docs.ntfy.sh/publish/#access-tokens, the limit of 4,096 bytes at https://docs.ntfy.sh/publish/#limitations.
 */
import type { PostResult } from "../delivery.ts";
import type { Notification } from "../notification.ts";
import { postWebhook } from "../post-webhook.ts";
import {
  type Address,
  type Attempt,
  type Channel,
  hasCredentials,
  isHttpUrl,
  refuseUrl,
  URL_MEMBER,
} from "./channel.ts";

/** A token goes into a header, so it has no spaces and no control characters. */
const TOKEN = /^[\x21-\x7e]{1,200}$/;
const NEEDS_TOKEN = "declare a token of ntfy that may write to the topic";

export const NTFY = {
  members: {
    url: {
      ...URL_MEMBER,
      findProblem: (value) =>
        URL_MEMBER.findProblem(value) ??
        (toTopic(value) === undefined
          ? "must be the address of a topic, such as https://ntfy.sh/my-topic"
          : undefined),
    },
    token: {
      column: "secret",
      isOptional: true,
      lengthMax: 200,
      findProblem: (value) =>
        TOKEN.test(value) ? undefined : "must be an access token of ntfy, without spaces",
      hidden: { pattern: /\btk_\w+/g, shown: "tk_…" },
    },
  },
  send: sendNtfy,
  secretServerOf: ({ url }) => toTopic(url ?? "")?.serverUrl,
  findRefusal: refuseUrl,
  help: {
    "not a topic": "declare a target with the address of a topic, such as https://ntfy.sh/my-topic",
    "401 no access to the topic": NEEDS_TOKEN,
    "403 no access to the topic": NEEDS_TOKEN,
  },
} as const satisfies Channel;

async function sendNtfy(
  { url, secret }: Address,
  { title, text, link }: Notification,
  { timeoutMs, isPrivateAllowed, signal }: Attempt,
): Promise<PostResult> {
  const place = toTopic(url ?? "");
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

/** Splits the address of a topic into the address of its server and its name; undefined if it is not one. */
function toTopic(url: string): { readonly serverUrl: string; readonly topic: string } | undefined {
  if (!isHttpUrl(url)) return undefined;
  const { origin, pathname, search, hash } = new URL(url);
  const [, folder = "", topic] = /^(.*\/)([-\w]{1,64})$/.exec(pathname) ?? [];
  if (topic === undefined || `${search}${hash}` !== "" || hasCredentials(url)) return undefined;
  return { serverUrl: `${origin}${folder}`, topic };
}
