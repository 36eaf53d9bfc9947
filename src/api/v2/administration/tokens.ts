import type { FastifyInstance } from "fastify";
import { type Static, Type } from "typebox";
import { AppError, assert } from "../../../base/errors.ts";
import { isUuid } from "../../../base/ids.ts";
import type { Database } from "../../../db/database.ts";
import { parseCursor, toCursor, toQueryDigest } from "../../../db/page.ts";
import { dropNulls } from "../../../db/row.ts";
import {
  changeRole,
  createToken,
  revokeTokens,
  rotateToken,
  type TokenOutcome,
} from "../../../people/change-tokens.ts";
import { ROLES, type Role } from "../../../people/role.ts";
import type { ApiToken } from "../../../people/token.ts";
import { CONSOLE_TOKEN, parseTokenName } from "../../../people/token-name.ts";
import {
  type ApiTokenRow,
  findTokenRow,
  listTokenPage,
  type TokenPosition,
} from "../../../people/token-store.ts";
import {
  ALWAYS_DONE,
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
import { authorOf } from "../writes.ts";

const NAME_LENGTH_MAX = 100;

const RoleName = Type.Enum([...ROLES], {
  description:
    "`market` reads the market, `desk` also decides about watches, alerts and notifications, `owner` may do everything.",
});

const MEMBERS = {
  id: Id,
  name: Type.String(),
  prefix: Type.String({ description: "The beginning of the token's text." }),
  role: RoleName,
  is_read_only: Type.Boolean({ description: "True for the role `market`." }),
  is_current: Type.Boolean({ description: "The token of this request." }),
  created_at_ms: Ms,
  created_by_token_id: optional(
    Type.String({ format: "uuid", description: "Absent if a command made it." }),
  ),
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
    role: optional(RoleName),
    is_read_only: optional(
      Type.Boolean({ description: "`true` is the role `market`, otherwise the role is `owner`." }),
    ),
    expires_at_ms: optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: "When it stops working. If absent, never, or with the token of this request.",
      }),
    ),
  },
  { additionalProperties: false, examples: [{ name: "reporting", role: "market" }] },
);

const RoleBody = Type.Object({ role: RoleName }, { additionalProperties: false });

const TokenParams = Type.Object({ token_id: IdParam("The token's id.") });

const RevokeQuery = Type.Object({
  with_made: optional(
    Type.Boolean({
      description:
        "Also revokes the tokens that this one made, those that they made, and so on. Nothing is revoked if no owner would stay.",
    }),
  ),
});

const LAST_OWNER =
  "this is the last owner, or the last that does not expire; create another one first";

/** An extension of the contract. Reads the primary, so that a token that was just created or revoked is shown so. */
export function addListTokens(app: FastifyInstance, { access: db }: RouteContext): void {
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
      ...failures(400, 401, 403),
    },
  };
  typed(app).get("/v2/tokens", { schema, config: ALWAYS_DONE }, async (request) => {
    const { limit = LIMIT_DEFAULT, cursor } = request.query;
    const after = cursor === undefined ? undefined : parseCursor(cursor, digest, toPosition);
    const rows = await listTokenPage(db(request), {
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
export function addCreateToken(app: FastifyInstance, { access: db, clock }: RouteContext): void {
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
  typed(app).post("/v2/tokens", { schema, config: ALWAYS_DONE }, async (request, reply) => {
    const creator = request.apiToken;
    assert(creator !== null, "a request below /v2 has a token");
    const author = authorOf(request, { clock });
    const created = await createToken(
      db(request),
      {
        name: parseName(request.body.name),
        role: chooseRole(request.body),
        expiresAtMs: chooseExpiry(request.body.expires_at_ms, { creator, nowMs: author.nowMs }),
      },
      author,
    );
    if (created === undefined) {
      throw new AppError("already_exists", "name: another active token has this name");
    }
    reply.header("cache-control", "no-store");
    return reply.code(201).send({ ...toTokenBody(created.row, creator), token: created.text });
  });
}

/** An extension of the contract. */
export function addChangeToken(app: FastifyInstance, { access: db, clock }: RouteContext): void {
  const schema = {
    operationId: "changeToken",
    tags: ["Tokens"],
    summary: "Change the role of a token",
    description:
      "It holds within a second in every process, also for the browsers of the token. The last owner cannot be lowered.",
    params: TokenParams,
    body: RoleBody,
    response: { 200: named(Token), ...failures(400, 401, 403, 404, 409) },
  };
  typed(app).patch("/v2/tokens/:token_id", { schema, config: ALWAYS_DONE }, async (request) => {
    const { token_id: id } = request.params;
    const change = { which: { id }, role: request.body.role };
    const outcome = await changeRole(db(request), change, authorOf(request, { clock }));
    const [row] = await tokensOf(outcome, db(request), id);
    assert(row !== undefined, "a changed token is returned");
    return toTokenBody(row, request.apiToken);
  });
}

/** An extension of the contract. */
export function addRotateToken(app: FastifyInstance, { access: db, clock }: RouteContext): void {
  const schema = {
    operationId: "rotateToken",
    tags: ["Tokens"],
    summary: "Give a token a new text",
    description:
      "The id, the name and the role stay. The old text stops working, and so do browsers that are signed in with the token and " +
      "links for it, except the browser of this request. The response has the new text, which is shown only here.",
    params: TokenParams,
    response: { 200: named(NewToken), ...failures(400, 401, 403, 404, 409) },
  };
  typed(app).post(
    "/v2/tokens/:token_id/rotate",
    { schema, config: ALWAYS_DONE },
    async (request, reply) => {
      const { token_id: id } = request.params;
      const known = await findTokenRow(db(request), id);
      if (known?.name === CONSOLE_TOKEN && known.revoked_at_ms === null) {
        throw new AppError(
          "in_use",
          "only links use this token, and nobody knows its text; revoke it to sign its browsers out",
        );
      }
      const rotated = await rotateToken(
        db(request),
        { which: { id }, keptSessionId: request.apiToken?.session?.id },
        authorOf(request, { clock }),
      );
      if (rotated === undefined) throw await missingToken(db(request), id);
      reply.header("cache-control", "no-store");
      return { ...toTokenBody(rotated.row, request.apiToken), token: rotated.text };
    },
  );
}

/** An extension of the contract. */
export function addRevokeToken(app: FastifyInstance, { access: db, clock }: RouteContext): void {
  const schema = {
    operationId: "revokeToken",
    tags: ["Tokens"],
    summary: "Revoke a token",
    description:
      "The token stops working within a second in every process, also if it is the token of this request. The last owner is not " +
      "revoked: create another one first.",
    params: TokenParams,
    querystring: RevokeQuery,
    response: {
      204: Type.Null({ description: "The token is revoked." }),
      ...failures(400, 401, 403, 404, 409),
    },
  };
  typed(app).delete(
    "/v2/tokens/:token_id",
    { schema, config: ALWAYS_DONE },
    async (request, reply) => {
      const { token_id: id } = request.params;
      const revocation = { which: { id }, isWithMade: request.query.with_made === true };
      const outcome = await revokeTokens(db(request), revocation, authorOf(request, { clock }));
      await tokensOf(outcome, db(request), id);
      return reply.code(204).send(null);
    },
  );
}

async function tokensOf(
  outcome: TokenOutcome,
  db: Database,
  id: string,
): Promise<readonly ApiTokenRow[]> {
  if (outcome.kind === "done") return outcome.tokens;
  if (outcome.kind === "last_owner") throw new AppError("in_use", LAST_OWNER);
  throw await missingToken(db, id);
}

async function missingToken(db: Database, id: string): Promise<AppError> {
  const row = await findTokenRow(db, id);
  if (row === undefined) return new AppError("token_not_found", "there is no token with this id");
  const state = row.revoked_at_ms === null ? "has expired" : "is revoked";
  return new AppError("token_not_found", `this token ${state}; create a new one`);
}

function toPosition([createdAtMs, id]: readonly unknown[]): TokenPosition | undefined {
  if (!Number.isSafeInteger(createdAtMs) || typeof id !== "string" || !isUuid(id)) return undefined;
  return { createdAtMs: createdAtMs as number, id };
}

function toTokenBody(row: ApiTokenRow, current: ApiToken | null): Static<typeof Token> {
  return { ...dropNulls(row), is_current: row.id === current?.id };
}

function parseName(text: string): string {
  const parsed = parseTokenName(text);
  if (parsed.kind === "name") return parsed.name;
  throw new AppError("invalid_payload", `name: ${parsed.reason}`);
}

function chooseRole({
  role,
  is_read_only: isReadOnly,
}: {
  readonly role?: Role;
  readonly is_read_only?: boolean;
}): Role {
  if (role === undefined) return isReadOnly === true ? "market" : "owner";
  if (isReadOnly === undefined || isReadOnly === (role === "market")) return role;
  throw new AppError("invalid_payload", `is_read_only: ${isReadOnly} is not the role ${role}`);
}

/** A token cannot make one that works longer than itself, and neither can a browser session: it has the end of its token. */
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
