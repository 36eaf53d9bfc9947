import type { FastifyInstance } from "fastify";
import { type Static, Type } from "typebox";
import { AppError, assert } from "../../../base/errors.ts";
import { isUuid } from "../../../base/ids.ts";
import { isStorableText } from "../../../base/text.ts";
import { parseCursor, toCursor, toQueryDigest } from "../../../db/page.ts";
import { dropNulls } from "../../../db/row.ts";
import { CONSOLE_TOKEN, RESERVED_NAME } from "../../auth/console-session-store.ts";
import { type ApiToken, createTokenText } from "../../auth/token.ts";
import {
  type ApiTokenRow,
  listTokenPage,
  revokeToken,
  saveToken,
  type TokenPosition,
} from "../../auth/token-store.ts";
import {
  cutPage,
  failures,
  Id,
  IdParam,
  LIMIT_DEFAULT,
  Ms,
  NextCursor,
  named,
  optional,
  PAGE_QUERY,
  type RouteContext,
  typed,
} from "../schemas.ts";

const NAME_LENGTH_MAX = 100;

const MEMBERS = {
  id: Id,
  name: Type.String(),
  prefix: Type.String({ description: "The beginning of the token's text." }),
  is_read_only: Type.Boolean(),
  is_current: Type.Boolean({ description: "The token of this request." }),
  created_at_ms: Ms,
  expires_at_ms: optional(Ms),
  revoked_at_ms: optional(Ms),
  last_used_at_ms: optional(Ms),
};

const Token = Type.Object(MEMBERS, {
  $id: "Token",
  description: "An API token, without its text.",
});

const NewToken = Type.Object(
  {
    ...MEMBERS,
    token: Type.String({ description: "The text to send as bearer token. It is shown only here." }),
  },
  { $id: "NewToken" },
);

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

/** An extension of the contract. Reads the primary, so that a token that was just created or revoked is shown so. */
export function addListTokens(app: FastifyInstance, { db }: RouteContext): void {
  app.addSchema(Token);
  const digest = toQueryDigest(["tokens"]);
  const schema = {
    operationId: "listTokens",
    tags: ["Tokens"],
    summary: "List tokens",
    description: "All tokens, newest first, also expired and revoked ones. Never their texts.",
    querystring: Type.Object(PAGE_QUERY),
    response: {
      200: Type.Object({ items: Type.Array(named(Token)), next_cursor: NextCursor }),
      ...failures(400, 401),
    },
  };
  typed(app).get("/v2/tokens", { schema }, async (request) => {
    const { limit = LIMIT_DEFAULT, cursor } = request.query;
    const after = cursor === undefined ? undefined : parseCursor(cursor, digest, toPosition);
    const rows = await listTokenPage(db, {
      limit: limit + 1,
      ...(after === undefined ? {} : { after }),
    });
    const { shown, last } = cutPage(rows, limit);
    return {
      items: shown.map((row) => toTokenBody(row, request.apiToken)),
      ...(last === undefined
        ? {}
        : { next_cursor: toCursor(digest, [last.created_at_ms, last.id]) }),
    };
  });
}

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

/** An extension of the contract. */
export function addRevokeToken(app: FastifyInstance, { db, clock }: RouteContext): void {
  const schema = {
    operationId: "revokeToken",
    tags: ["Tokens"],
    summary: "Revoke a token",
    description:
      "The token stops working within a second in every process, also if it is the token of this request. The last token that " +
      "can write is not revoked: create another one first.",
    params: Type.Object({ token_id: IdParam("The token's id.") }),
    response: {
      204: Type.Null({ description: "The token is revoked." }),
      ...failures(400, 401, 403, 404, 409),
    },
  };
  typed(app).delete("/v2/tokens/:token_id", { schema }, async (request, reply) => {
    const outcome = await revokeToken(db, { id: request.params.token_id, nowMs: clock.nowMs() });
    if (outcome === "not_found") {
      throw new AppError("token_not_found", "there is no active token with this id");
    }
    if (outcome === "last_to_write") {
      throw new AppError(
        "in_use",
        "this is the last token that can write; create another one first, or use `assay token revoke`",
      );
    }
    return reply.code(204).send(null);
  });
}

function toPosition([createdAtMs, id]: readonly unknown[]): TokenPosition | undefined {
  if (!Number.isSafeInteger(createdAtMs) || typeof id !== "string" || !isUuid(id)) return undefined;
  return { createdAtMs: createdAtMs as number, id };
}

function toTokenBody(row: ApiTokenRow, current: ApiToken | null): Static<typeof Token> {
  return { ...dropNulls(row), is_current: row.id === current?.id };
}

function parseName(text: string): string {
  const name = text.trim();
  if (name === "" || !isStorableText(name)) {
    throw new AppError("invalid_payload", "name: must have a character that can be seen");
  }
  if (name === CONSOLE_TOKEN) throw new AppError("invalid_payload", `name: ${RESERVED_NAME}`);
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
