import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Clock } from "../../base/clock.ts";
import { AppError, assert } from "../../base/errors.ts";
import type { DatabasePool } from "../../db/database.ts";
import { findTokenOfSession, listConsoleSessions } from "../../people/console-session-store.ts";
import { endAllSessions, endConsoleSession } from "../../people/open-sessions.ts";
import { hasRole, ROLES } from "../../people/role.ts";
import type { ApiToken, ConsoleSession } from "../../people/token.ts";
import type { AuthOptions } from "../auth/auth.ts";
import { isHttps, toSetCookie } from "../auth/console-session.ts";
import { ALWAYS_DONE, Count, Id, IdParam, Ms, optional, typed } from "../v2/schemas.ts";
import { authorOf } from "../v2/writes.ts";
import { SessionBody, toSessionBody } from "./sign-in.ts";

interface ConsoleSessionsContext {
  readonly db: DatabasePool;
  readonly clock: Clock;
  readonly auth: AuthOptions;
}

const SessionItem = Type.Object({
  id: Id,
  token_id: Id,
  token_name: Type.String(),
  role: Type.Enum([...ROLES]),
  is_read_only: Type.Boolean(),
  label: Type.String({ description: "The browser and its system." }),
  is_current: Type.Boolean({ description: "The session of this request." }),
  is_own: Type.Boolean({ description: "Of the token of this request." }),
  created_at_ms: Ms,
  last_used_at_ms: Ms,
  expires_at_ms: Ms,
  made_count: Count,
});

const WithMade = Type.Object({
  with_made: optional(
    Type.Boolean({ description: "Also ends the sessions that were signed in from it." }),
  ),
});

/** The session of this browser, and those of all browsers that are signed in. */
export function addConsoleSessions(app: FastifyInstance, context: ConsoleSessionsContext): void {
  addOwnSession(app, context);
  addListSessions(app, context);
  addEndSessions(app, context);
}

function addOwnSession(app: FastifyInstance, { db, clock, auth }: ConsoleSessionsContext): void {
  const show = { schema: { hide: true, response: { 200: SessionBody } } };
  typed(app).get("/console/session", show, async (request) => {
    const { token } = ownSessionOf(request);
    return toSessionBody(token);
  });
  const signOut = { schema: { hide: true, querystring: WithMade }, config: ALWAYS_DONE };
  typed(app).delete("/console/session", signOut, async (request, reply) => {
    const { id } = ownSessionOf(request).session;
    const which = { id, isWithMade: request.query.with_made === true };
    await endConsoleSession(db, which, authorOf(request, { clock }));
    return clearCookie(request, reply, auth).code(204).send(null);
  });
}

function addListSessions(app: FastifyInstance, { db, clock }: ConsoleSessionsContext): void {
  const list = {
    hide: true,
    response: { 200: Type.Object({ items: Type.Array(SessionItem) }) },
  };
  typed(app).get("/console/sessions", { schema: list, config: ALWAYS_DONE }, async (request) => {
    const own = tokenOf(request);
    const which = hasRole(own.role, "desk") ? {} : { tokenId: own.id };
    const rows = await listConsoleSessions(db, clock.nowMs(), which);
    return {
      items: rows.map((row) => ({
        ...row,
        is_current: row.id === own.session?.id,
        is_own: row.token_id === own.id,
      })),
    };
  });
}

/** Everyone ends sessions of the own token. Those of others need an owner. */
function addEndSessions(app: FastifyInstance, { db, clock, auth }: ConsoleSessionsContext): void {
  const end = {
    hide: true,
    params: Type.Object({ session_id: IdParam("The session's id.") }),
    querystring: WithMade,
  };
  typed(app).delete(
    "/console/sessions/:session_id",
    { schema: end, config: ALWAYS_DONE },
    async (request, reply) => {
      const id = request.params.session_id.toLowerCase();
      const own = tokenOf(request);
      const tokenId = await findTokenOfSession(db, id);
      // Who does not see the sessions of others does not learn that there is one.
      if (tokenId === undefined || (tokenId !== own.id && !hasRole(own.role, "desk"))) {
        throw notFound();
      }
      checkMayEnd(own, tokenId);
      const which = { id, isWithMade: request.query.with_made === true };
      if (!(await endConsoleSession(db, which, authorOf(request, { clock })))) throw notFound();
      if (id === own.session?.id) clearCookie(request, reply, auth);
      return reply.code(204).send(null);
    },
  );

  const endAll = {
    hide: true,
    querystring: Type.Object({
      token_id: optional(Type.String({ format: "uuid", description: "Default: the own token." })),
    }),
  };
  typed(app).delete(
    "/console/sessions",
    { schema: endAll, config: ALWAYS_DONE },
    async (request, reply) => {
      const own = tokenOf(request);
      const tokenId = request.query.token_id?.toLowerCase() ?? own.id;
      checkMayEnd(own, tokenId);
      const which = { tokenId, exceptId: own.session?.id };
      await endAllSessions(db, which, authorOf(request, { clock }));
      return reply.code(204).send(null);
    },
  );
}

function checkMayEnd(own: ApiToken, tokenId: string): void {
  if (tokenId === own.id || own.role === "owner") return;
  throw new AppError(
    "forbidden",
    `to end sessions of others needs the role owner, and the token has the role ${own.role}`,
  );
}

function tokenOf({ apiToken }: FastifyRequest): ApiToken {
  assert(apiToken !== null, "a request below /console has a token");
  return apiToken;
}

function notFound(): AppError {
  return new AppError("console_session_not_found", "there is no session with this id");
}

function ownSessionOf(request: FastifyRequest): {
  readonly token: ApiToken;
  readonly session: ConsoleSession;
} {
  const token = tokenOf(request);
  if (token.session !== undefined) return { token, session: token.session };
  throw new AppError(
    "console_session_not_found",
    "this request has a token and no session; only a browser that signed in has one",
  );
}

function clearCookie(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { cookieName: name, publicUrl }: AuthOptions,
): FastifyReply {
  const isSecure = isHttps(headers, publicUrl);
  return reply.header("set-cookie", toSetCookie({ name, value: "", maxAgeMs: 0, isSecure }));
}
