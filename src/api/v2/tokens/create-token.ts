import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { AppError, assert } from "../../../base/errors.ts";
import { isStorableText } from "../../../base/text.ts";
import { type ApiToken, createTokenText } from "../../auth/token.ts";
import { saveToken } from "../../auth/token-store.ts";
import { failures, named, optional, type RouteContext, typed } from "../schemas.ts";
import { NewToken, toTokenBody } from "./token-body.ts";

const NAME_LENGTH_MAX = 100;

const Body = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: NAME_LENGTH_MAX,
      description: "What the token is for. Two active tokens cannot have the same name.",
    }),
    is_read_only: optional(Type.Boolean({ default: false })),
    expires_at_ms: optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: "When it stops working. If absent, never, or with the token of this request.",
      }),
    ),
  },
  { additionalProperties: false, examples: [{ name: "reporting", is_read_only: true }] },
);

/** An extension of the contract. */
export function addCreateToken(app: FastifyInstance, { db, clock }: RouteContext): void {
  app.addSchema(NewToken);
  const schema = {
    operationId: "createToken",
    tags: ["Tokens"],
    summary: "Create a token",
    description:
      "The response has the token's text, which is stored nowhere and never shown again. A token that expires cannot create " +
      "one that works longer.",
    body: Body,
    response: { 201: named(NewToken), ...failures(400, 401, 403, 409) },
  };
  typed(app).post("/v2/tokens", { schema }, async (request, reply) => {
    const name = parseName(request.body.name);
    const creator = request.apiToken;
    assert(creator !== null, "a request below /v2 has a token");
    const nowMs = clock.nowMs();
    const expiresAtMs = chooseExpiry(request.body.expires_at_ms, { creator, nowMs });
    const text = createTokenText();
    const row = await saveToken(db, {
      text,
      name,
      isReadOnly: request.body.is_read_only ?? false,
      createdAtMs: nowMs,
      ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
    });
    if (row === undefined) {
      throw new AppError("already_exists", "name: another active token has this name");
    }
    reply.header("cache-control", "no-store");
    return reply.code(201).send({ ...toTokenBody(row, creator), token: text });
  });
}

function parseName(text: string): string {
  const name = text.trim();
  if (name === "" || !isStorableText(name)) {
    throw new AppError("invalid_payload", "name: must have a character that can be seen");
  }
  return name;
}

/** A token cannot make one that may do more than itself. Only tokens that write get here. */
function chooseExpiry(
  askedAtMs: number | undefined,
  { creator, nowMs }: { readonly creator: ApiToken; readonly nowMs: number },
): number | undefined {
  if (askedAtMs !== undefined && askedAtMs <= nowMs) {
    throw new AppError("invalid_payload", "expires_at_ms: is in the past");
  }
  if (creator.expiresAtMs === null) return askedAtMs;
  if (askedAtMs !== undefined && askedAtMs > creator.expiresAtMs) {
    throw new AppError("forbidden", "expires_at_ms: is later than that of the token you use");
  }
  return askedAtMs ?? creator.expiresAtMs;
}
