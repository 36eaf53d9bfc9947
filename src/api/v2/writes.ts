import type { FastifyReply, FastifyRequest } from "fastify";
import { type TObject, type TProperties, type TSchema, Type } from "typebox";
import { channelOptionsOf } from "../../alerts/deliveries/channels/channel.ts";
import { assert } from "../../base/errors.ts";
import type { Writer, Written } from "../../manifest/write-object.ts";
import type { Author } from "../../people/activity.ts";
import { etagOf, isKnownEtag } from "../http/representation.ts";
import { optional, type RouteContext } from "./schemas.ts";

/** A proxy often takes 4 kB for all headers of a response, and drops the response if they are longer. */
const WARNINGS_BYTES_MAX = 2_000;
const WARNING_BYTES_MAX = 300;

/** The query of a write. */
export const StrictQuery = Type.Object({
  strict: optional(
    Type.Boolean({
      description:
        "Refuses what would be a warning in the header `X-Assay-Warnings`, such as an unknown member of `filters`.",
    }),
  ),
});

/** The request header of a conditional write. */
export const IfMatch = Type.Object({
  "if-match": optional(
    Type.String({ description: "The `ETag` of the object as it was read: 412 if it has changed." }),
  ),
});

/** The body of a PATCH: every member of the object but `id`; `null` removes a member. */
export function patchOf<Properties extends TProperties>(
  schema: TObject<Properties>,
  options: { readonly examples?: readonly object[] } = {},
) {
  const members = Object.entries<TSchema>(schema.properties).filter(([name]) => name !== "id");
  const patched = members.map(([name, member]) => {
    const { "~optional": _, ...plain } = member as TSchema & { "~optional"?: unknown };
    return [name, optional(Type.Union([plain as TSchema, Type.Null()]))] as const;
  });
  return Type.Unsafe<Readonly<Record<string, unknown>>>(
    Type.Object(Object.fromEntries(patched), {
      additionalProperties: false,
      minProperties: 1,
      ...options,
    }),
  );
}

/** Who makes the request, for the activity. */
export function authorOf(
  { apiToken, id: requestId }: FastifyRequest,
  { clock }: Pick<RouteContext, "clock">,
): Author {
  assert(apiToken !== null, "a write without a token");
  return { tokenId: apiToken.id, name: apiToken.name, requestId, nowMs: clock.nowMs() };
}

export async function writerOf(
  request: FastifyRequest,
  { clock, catalogue, config }: RouteContext,
  query: { readonly strict?: boolean } = {},
): Promise<Writer> {
  return {
    author: authorOf(request, { clock }),
    isStrict: query.strict === true,
    judges: { catalogue: await catalogue(), channels: channelOptionsOf(config) },
  };
}

/** The condition of `If-Match`, if the request has one: the object as the caller was shown it. `*` matches any object. */
export function expectationOf<Body extends object>(
  { headers }: FastifyRequest,
  show: (body: Body) => Body,
) {
  const header = headers["if-match"];
  return header === undefined
    ? {}
    : { isExpected: (body: Body) => isKnownEtag(header, tagOf(show(body))) };
}

/**
 * The condition of `If-Match` on an object whose body also has what follows from the market, such as figures or a dealer's new
 * name. Its tag starts with the version of what a person wrote, and only that counts.
 */
export function versionExpectationOf({ headers }: FastifyRequest) {
  const header = headers["if-match"];
  if (header === undefined) return {};
  const tags = header.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return {
    isExpected: (version: number) =>
      tags.some((tag) => tag === "*" || tag.startsWith(`"${version}-`)),
  };
}

export function sendVersion<Body extends object>(
  reply: FastifyReply,
  body: Body,
  version: number,
): Body {
  reply.header("etag", `"${version}-${tagOf(body).slice(1)}`);
  return body;
}

/** Sends one object with its tag: in response to a GET, and to a write. */
export function sendObject<Body extends object>(reply: FastifyReply, body: Body): Body {
  reply.header("etag", tagOf(body));
  return body;
}

/** Sends what a POST or PATCH wrote: 201 if it is new. */
export function sendWritten<Body extends object>(
  reply: FastifyReply,
  written: Written<Body>,
): Body {
  sendWarnings(reply, written.warnings);
  reply.code(written.isNew ? 201 : 200);
  return sendObject(reply, written.body);
}

/**
 * Names what a write kept but will not use. In the header, warnings are separated by `; `. In each of them `%`, `;` and
 * everything but printable ASCII is percent-encoded as UTF-8, so text of the caller can neither end the header nor add one.
 */
export function sendWarnings(reply: FastifyReply, warnings: readonly string[]): void {
  if (warnings.length === 0) return;
  const shown: string[] = [];
  let byteCount = 0;
  for (const warning of warnings.map(encodeWarning)) {
    byteCount += warning.length + 2;
    if (byteCount > WARNINGS_BYTES_MAX) break;
    shown.push(warning);
  }
  const restCount = warnings.length - shown.length;
  if (restCount > 0) shown.push(`and ${restCount} more`);
  reply.header("x-assay-warnings", shown.join("; "));
}

function tagOf(body: object): string {
  return etagOf(JSON.stringify(body));
}

function encodeWarning(warning: string): string {
  let encoded = "";
  for (const letter of warning) {
    const next = encodeLetter(letter);
    if (encoded.length + next.length > WARNING_BYTES_MAX) return `${encoded}...`;
    encoded += next;
  }
  return encoded;
}

function encodeLetter(letter: string): string {
  if (/[\x20-\x24\x26-\x3a\x3c-\x7e]/.test(letter)) return letter;
  return [...Buffer.from(letter)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
    .join("");
}
