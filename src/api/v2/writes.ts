import type { FastifyReply, FastifyRequest } from "fastify";
import { type TObject, type TProperties, type TSchema, Type } from "typebox";
import { channelOptionsOf } from "../../alerts/deliveries/channels/channel.ts";
import { assert } from "../../base/errors.ts";
import type { Writer, Written } from "../../manifest/write-object.ts";
import { etagOf, isKnownEtag } from "../http/etag.ts";
import { sendWarnings } from "../http/warnings.ts";
import { optional, type RouteContext } from "./schemas.ts";

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

export async function writerOf(
  request: FastifyRequest,
  { clock, catalogue, config }: RouteContext,
  query: { readonly strict?: boolean } = {},
): Promise<Writer> {
  assert(request.apiToken !== null, "a write without a token");
  return {
    by: request.apiToken.name,
    nowMs: clock.nowMs(),
    isStrict: query.strict === true,
    judges: { catalogue: await catalogue(), channels: channelOptionsOf(config) },
  };
}

/** The condition of `If-Match`, if the request has one. `*` matches any object. */
export function expectationOf({ headers }: FastifyRequest) {
  const header = headers["if-match"];
  return header === undefined
    ? {}
    : { isExpected: (body: object) => isKnownEtag(header, tagOf(body)) };
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

function tagOf(body: object): string {
  return etagOf(JSON.stringify(body));
}
