import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Clock } from "../../base/clock.ts";
import { AppError } from "../../base/errors.ts";
import type { DatabasePool } from "../../db/database.ts";
import { listConsoleSessions } from "../../people/console-session-store.ts";
import { endConsoleSession } from "../../people/open-sessions.ts";
import { ROLES } from "../../people/role.ts";
import type { ApiToken, ConsoleSession } from "../../people/token.ts";
import type { AuthOptions } from "../auth/auth.ts";
import { isHttps, toSetCookie } from "../auth/console-session.ts";
import { Id, IdParam, Ms, typed } from "../v2/schemas.ts";
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
  created_at_ms: Ms,
  last_used_at_ms: Ms,
  expires_at_ms: Ms,
});

/** The session of this browser, and those of all browsers that are signed in. */
export function addConsoleSessions(app: FastifyInstance, context: ConsoleSessionsContext): void {
  addOwnSession(app, context);
  addAllSessions(app, context);
}

function addOwnSession(app: FastifyInstance, { db, clock, auth }: ConsoleSessionsContext): void {
  const show = { schema: { hide: true, response: { 200: SessionBody } } };
  typed(app).get("/console/session", show, async (request) => {
    const { token } = ownSessionOf(request);
    return toSessionBody(token);
  });
  const signOut = { schema: { hide: true } };
  app.delete("/console/session", signOut, async (request, reply) => {
    const { session } = ownSessionOf(request);
    await endConsoleSession(db, session.id, authorOf(request, { clock }));
    return clearCookie(request, reply, auth).code(204).send(null);
  });
}

function addAllSessions(app: FastifyInstance, context: ConsoleSessionsContext): void {
  const { db, clock, auth } = context;
  const list = {
    hide: true,
    response: { 200: Type.Object({ items: Type.Array(SessionItem) }) },
  };
  typed(app).get("/console/sessions", { schema: list }, async (request) => {
    const ownId = request.apiToken?.session?.id;
    const rows = await listConsoleSessions(db, clock.nowMs());
    return { items: rows.map((row) => ({ ...row, is_current: row.id === ownId })) };
  });
  const end = {
    hide: true,
    params: Type.Object({ session_id: IdParam("The session's id.") }),
  };
  typed(app).delete("/console/sessions/:session_id", { schema: end }, async (request, reply) => {
    const id = request.params.session_id.toLowerCase();
    if (!(await endConsoleSession(db, id, authorOf(request, { clock })))) {
      throw new AppError("console_session_not_found", "there is no session with this id");
    }
    if (id === request.apiToken?.session?.id) clearCookie(request, reply, auth);
    return reply.code(204).send(null);
  });
}

function ownSessionOf({ apiToken: token }: FastifyRequest): {
  readonly token: ApiToken;
  readonly session: ConsoleSession;
} {
  if (token?.session !== undefined) return { token, session: token.session };
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
