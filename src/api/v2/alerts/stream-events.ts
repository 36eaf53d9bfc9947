import type { FastifyInstance, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { hasAlert } from "../../../alerts/alert-store.ts";
import { AppError } from "../../../base/errors.ts";
import { bearerOf } from "../../auth/auth.ts";
import type { TokenCheck } from "../../auth/token-check.ts";
import type { EventStreams } from "../../stream/event-streams.ts";
import { endWithSocket } from "../end-with-socket.ts";
import { failures, optional, type RouteContext, typed } from "../schemas.ts";

/** A stream may stay open for ever, and this is the longest time that a timer accepts. */
const HANDLER_TIMEOUT_MS = 2 ** 31 - 1;

const Query = Type.Object({
  alert_id: optional(Type.String({ format: "uuid", description: "Only matches of this alert." })),
});

export interface StreamContext extends RouteContext {
  readonly streams: EventStreams;
  readonly tokens: TokenCheck;
}

/** An extension of the contract: matches as they happen. */
export function addStreamEvents(app: FastifyInstance, context: StreamContext): void {
  const { db, streams, tokens } = context;
  const schema = {
    operationId: "streamEvents",
    tags: ["Alerts"],
    summary: "Follow matches as they come",
    description:
      "Server-sent events of type `alert.match`, each with the body of an outgoing webhook. Send the last id as " +
      "`Last-Event-ID` to continue after that event; without it the stream starts now.",
    querystring: Query,
    response: {
      200: {
        description: "The stream, until one side closes it.",
        content: { "text/event-stream": { schema: { type: "string" } } },
      },
      ...failures(400, 401, 404),
    },
  };
  const route = {
    schema,
    config: { isStream: true },
    exposeHeadRoute: false,
    handlerTimeout: HANDLER_TIMEOUT_MS,
  };
  typed(app).get("/v2/events", route, async (request, reply) => {
    const alertId = request.query.alert_id;
    const afterSequence = parsePosition(request);
    if (alertId !== undefined && !(await hasAlert(db, alertId))) {
      throw new AppError("alert_not_found", "there is no alert with this id");
    }
    const token = bearerOf(request) ?? "";
    const body = await streams.open({
      isAllowed: () =>
        tokens.findKept(token) !== undefined ||
        tokens.find(token).then((found) => found !== undefined),
      holder: token,
      response: reply.raw,
      ...(alertId === undefined ? {} : { alertId }),
      ...(afterSequence === undefined ? {} : { afterSequence }),
    });
    endWithSocket(body, request.raw.socket);
    // Streams have a time-out of their own for clients that do not read.
    request.raw.socket.setTimeout(0);
    return reply
      .type("text/event-stream; charset=utf-8")
      .header("x-accel-buffering", "no")
      .send(body as never);
  });
}

function parsePosition({ headers }: Pick<FastifyRequest, "headers">): number | undefined {
  const text = headers["last-event-id"];
  if (text === undefined || text === "") return undefined;
  if (typeof text !== "string" || !/^\d{1,15}$/.test(text)) {
    throw new AppError("invalid_payload", "Last-Event-ID: must be the id of an event");
  }
  return Number(text);
}
