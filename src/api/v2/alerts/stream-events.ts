import type { FastifyInstance, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { hasAlert } from "../../../alerts/alert-store.ts";
import { AppError } from "../../../base/errors.ts";
import type { ApiToken } from "../../../people/token.ts";
import { endWithSocket } from "../../http/request-frame.ts";
import type { EventStreams } from "../../stream/event-streams.ts";
import { EVENT_TYPES, type EventType } from "../../stream/notices.ts";
import { Listing } from "../market/listing-body.ts";
import { ListingPrice, readsDeals } from "../market/price-body.ts";
import { failures, Id, named, notFound, optional, type RouteContext, typed } from "../schemas.ts";
import { AlertMatch, MatchHeadline } from "./list-alert-matches.ts";

interface StreamContext extends RouteContext {
  readonly streams: EventStreams;
}

/** A stream may stay open for ever, and this is the longest time that a timer accepts. */
const HANDLER_TIMEOUT_MS = 2 ** 31 - 1;
const ABSENT = "Absent: every one may have changed.";

const Query = Type.Object({
  alert_id: optional(
    Type.String({ format: "uuid", description: "Only matches and changes of this alert." }),
  ),
  types: optional(
    Type.String({
      maxLength: 200,
      default: "alert.match",
      description: `The types of events, separated by commas: ${EVENT_TYPES.join(", ")}.`,
    }),
  ),
  include_shadow: optional(
    Type.Boolean({
      default: false,
      description: "Also matches that follow from a profile in shadow, with `is_shadow`.",
    }),
  ),
});

const Timestamp = Type.String({ format: "date-time" });

const AlertMatchEvent = Type.Object(
  {
    type: Type.Literal("alert.match"),
    timestamp: Timestamp,
    data: Type.Object({
      alert: Type.Object({ id: Id, name: Type.String() }),
      match: named(AlertMatch),
      headline: optional(MatchHeadline),
      price: optional(named(ListingPrice)),
      listing: optional(named(Listing)),
      message: optional(
        Type.Unsafe<Readonly<Record<string, unknown>>>(
          Type.Object({}, { additionalProperties: true, description: "For an alert on messages." }),
        ),
      ),
      is_shadow: optional(
        Type.Boolean({ description: "True if it follows from a profile in shadow; else absent." }),
      ),
    }),
  },
  { $id: "AlertMatchEvent", description: "An alert has matched." },
);

/** What changed, by ids. */
const CHANGES = [
  {
    name: "alert",
    ids: "alert_ids",
    description: "Alerts, their mute, their matches or seen marks have changed.",
  },
  {
    name: "cells",
    ids: "configuration_ids",
    description: "Configurations were calculated, or they or their profile have changed.",
  },
  {
    name: "session",
    ids: "session_ids",
    description: "Sessions have changed, or receive messages again after a minute of silence.",
  },
  {
    name: "deal",
    ids: "listing_ids",
    description:
      "Deals were decided or deleted, or follow their watches. The ids are those of their listings. The role `market` gets no such event.",
  },
];

/** The data of the events of the stream, as the contract describes them. */
const EVENT_BODIES = [
  AlertMatchEvent,
  ...CHANGES.map(({ name, ids, description }) =>
    Type.Object(
      {
        type: Type.Literal(`${name}.changed`),
        timestamp: Timestamp,
        data: Type.Object({ [ids]: optional(Type.Array(Id, { description: ABSENT })) }),
      },
      { $id: `${name.replace(/^./, (letter) => letter.toUpperCase())}ChangedEvent`, description },
    ),
  ),
];

/** An extension of the contract: matches as they happen, and what else changed. */
export function addStreamEvents(app: FastifyInstance, context: StreamContext): void {
  const { db, streams, tokens } = context;
  for (const schema of EVENT_BODIES) app.addSchema(schema);
  const schema = {
    operationId: "streamEvents",
    tags: ["Alerts"],
    summary: "Follow matches and changes as they come",
    description:
      "Server-sent events. Those of type `alert.match` have the body of an outgoing webhook and an id: send the last one as " +
      "`Last-Event-ID` to continue after that event; without it the stream starts now. The others say what to read again, " +
      "at most once a second for each type. They have no id and are not replayed: read again after a reconnect.",
    querystring: Query,
    response: {
      200: {
        description: "The stream, until one side closes it.",
        content: { "text/event-stream": { schema: Type.Union(EVENT_BODIES.map(named)) } },
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
    const alertId = request.query.alert_id?.toLowerCase();
    const afterSequence = parsePosition(request);
    const types = parseTypes(request.query.types);
    if (alertId !== undefined && !(await hasAlert(db(request), alertId))) throw notFound("alert");
    const credential = request.credential ?? "";
    const withDeals = readsDeals(request);
    // A stream ends with its token, and when another role makes it another stream.
    const isSame = (apiToken: ApiToken | undefined) =>
      apiToken !== undefined && readsDeals({ apiToken }) === withDeals;
    const body = await streams.open({
      isAllowed: () => {
        const kept = tokens.findKept(credential);
        return kept === undefined ? tokens.find(credential).then(isSame) : isSame(kept);
      },
      readsDeals: withDeals,
      tokenId: request.apiToken?.id ?? "",
      credential,
      response: reply.raw,
      types,
      includesShadow: request.query.include_shadow === true,
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

function parseTypes(text: string | undefined): ReadonlySet<EventType> {
  const words = (text ?? "alert.match").split(",");
  const types = EVENT_TYPES.filter((type) => words.includes(type));
  if (types.length === new Set(words).size) return new Set(types);
  throw new AppError(
    "invalid_payload",
    `types: must be one or more of ${EVENT_TYPES.join(", ")}, separated by commas`,
  );
}

function parsePosition({ headers }: Pick<FastifyRequest, "headers">): number | undefined {
  const text = headers["last-event-id"];
  if (text === undefined || text === "") return undefined;
  if (typeof text !== "string" || !/^\d{1,15}$/.test(text)) {
    throw new AppError("invalid_payload", "Last-Event-ID: must be the id of an event");
  }
  return Number(text);
}
