import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { dropNulls } from "../../../db/row.ts";
import { sessionState, staleAtMs } from "../../../messages/session.ts";
import { listSessions, type SessionRow } from "../../../messages/session-store.ts";
import { createAnswerCache } from "../../cache/answer-cache.ts";
import {
  DurationMs,
  failures,
  Id,
  Ms,
  named,
  OWN_DEADLINE,
  optional,
  type RouteContext,
  typed,
} from "../schemas.ts";

const Session = Type.Object(
  {
    id: Id,
    gateway_name: Type.String({ description: "The session's name at the gateway." }),
    role: Type.String({ description: "`receiving` or `sending`." }),
    engine: optional(Type.String()),
    status: optional(Type.String({ description: "The status as the gateway reports it." })),
    can_receive: Type.Boolean(),
    can_send: Type.Boolean(),
    label: optional(Type.String()),
    phone_number: optional(Type.String({ description: "Digits without `+`." })),
    connecting_user_id: optional(Type.String()),
    last_status_at_ms: optional(Ms),
    last_message_at_ms: optional(Ms),
    last_activity_at_ms: optional(Ms),
    health_state: Type.String({
      description: "`healthy`, `stale`, `connecting`, `needs_auth` or `down`.",
    }),
    stale_after_ms: DurationMs,
  },
  { $id: "Session" },
);

/** Seed 4.7. */
export function addListSessions(
  app: FastifyInstance,
  { db, feed, clock, ready }: RouteContext,
): void {
  const cache = createAnswerCache({ feed, clock, ready, topic: "messaging_session" });
  app.addSchema(Session);
  const schema = {
    operationId: "listSessions",
    tags: ["Sessions"],
    summary: "List messaging sessions",
    description: "The linked sessions of the messaging gateway, sorted by name.",
    querystring: Type.Object({
      role: optional(Type.Enum(["receiving", "sending"])),
    }),
    response: { 200: Type.Object({ items: Type.Array(named(Session)) }), ...failures(400, 401) },
  };
  typed(app).get("/v2/sessions", { schema, config: OWN_DEADLINE }, (request, reply) => {
    const { role } = request.query;
    return cache.send({ request, reply }, role ?? "all", async () => {
      const rows = await listSessions(db(request), role);
      const nowMs = clock.nowMs();
      const validUntilMs = Math.min(...rows.map(staleAtMs).filter((atMs) => atMs >= nowMs));
      return { body: { items: rows.map((row) => toSession(row, nowMs)) }, validUntilMs };
    });
  });
}

function toSession(row: SessionRow, nowMs: number) {
  const { is_restricted: _, ...shown } = row;
  return dropNulls({ ...shown, ...sessionState(row, nowMs) });
}
