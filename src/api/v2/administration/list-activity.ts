import type { FastifyInstance } from "fastify";
import { type Static, Type } from "typebox";
import { AppError } from "../../../base/errors.ts";
import { isUuid } from "../../../base/ids.ts";
import { isStorableText } from "../../../base/text.ts";
import { parseCursor, toCursor, toQueryDigest } from "../../../db/page.ts";
import { ACTIONS, ACTIVITY_KINDS, type ActivityKind } from "../../../people/activity.ts";
import {
  type ActivityPosition,
  type ActivityRow,
  listActivity,
} from "../../../people/activity-store.ts";
import {
  cutPage,
  failures,
  Id,
  LIMIT_DEFAULT,
  Ms,
  NextCursor,
  named,
  optional,
  PAGE_QUERY,
  type RouteContext,
  typed,
} from "../schemas.ts";

const ACTOR_LENGTH_MAX = 100;

const Activity = Type.Object(
  {
    id: Id,
    at_ms: Ms,
    actor: Type.Object({
      token_id: optional(Type.String({ format: "uuid", description: "Absent for a command." })),
      name: Type.String({ description: "The token's name; `cli` for a command." }),
    }),
    action: Type.String({ description: `One of ${ACTIONS.join(", ")}.` }),
    object: Type.Object({
      kind: Type.String({ description: `One of ${ACTIVITY_KINDS.join(", ")}.` }),
      id: Id,
      name: optional(Type.String()),
    }),
    changes: Type.Array(
      Type.Object({
        member: Type.String(),
        before: optional(Type.Unknown()),
        after: optional(Type.Unknown()),
      }),
      {
        description:
          "Secrets, addresses and very long values are named without `before` and `after`.",
      },
    ),
    contact_id: optional(
      Type.String({ format: "uuid", description: "The dealer whose listing it is about." }),
    ),
    request_id: optional(Type.String()),
  },
  { $id: "Activity", description: "What someone changed." },
);

const Query = Type.Object({
  object_kind: optional(Type.Enum([...ACTIVITY_KINDS])),
  object_id: optional(Type.String({ format: "uuid" })),
  actor: optional(
    Type.String({
      minLength: 1,
      maxLength: ACTOR_LENGTH_MAX,
      description: "The id of a token, or a name.",
    }),
  ),
  from_ms: optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  ...PAGE_QUERY,
});

/** An extension of the contract. Reads the primary, so that a change is shown as soon as it is made. */
export function addListActivity(app: FastifyInstance, { db }: RouteContext): void {
  app.addSchema(Activity);
  const schema = {
    operationId: "listActivity",
    tags: ["Tokens"],
    summary: "List who changed what",
    description:
      "Newest first, of the last two years. A write of one object is one row, and so is a bulk such as `assay apply`. Seen marks " +
      "are not in it.",
    querystring: Query,
    response: {
      200: Type.Object({ items: Type.Array(named(Activity)), next_cursor: NextCursor }),
      ...failures(400, 401, 403),
    },
  };
  typed(app).get("/v2/activity", { schema }, async (request) => {
    const { query } = request;
    const { limit = LIMIT_DEFAULT, cursor, ...filter } = query;
    const digest = toQueryDigest([
      "activity",
      filter.object_kind,
      filter.object_id,
      filter.actor,
      filter.from_ms,
    ]);
    const after = cursor === undefined ? undefined : parseCursor(cursor, digest, toPosition);
    const rows = await listActivity(db(request), {
      ...toFilter(filter),
      limit: limit + 1,
      ...(after === undefined ? {} : { after }),
    });
    const { shown, last } = cutPage(rows, limit);
    return {
      items: shown.map(toActivityBody),
      ...(last === undefined ? {} : { next_cursor: toCursor(digest, [last.at_ms, last.sequence]) }),
    };
  });
}

function toFilter(query: Omit<Static<typeof Query>, "limit" | "cursor">) {
  const { object_kind: kind, object_id: objectId, actor, from_ms: fromMs } = query;
  if (actor !== undefined && !isStorableText(actor)) {
    throw new AppError("invalid_payload", "actor: has a character that no name can have");
  }
  const who = actor !== undefined && isUuid(actor) ? { tokenId: actor } : { name: actor ?? "" };
  return {
    ...(kind === undefined ? {} : { kind: kind as ActivityKind }),
    ...(objectId === undefined ? {} : { objectId }),
    ...(actor === undefined ? {} : { actor: who }),
    ...(fromMs === undefined ? {} : { fromMs }),
  };
}

function toActivityBody(row: ActivityRow): Static<typeof Activity> {
  const { actor_token_id, object_name, contact_id, request_id } = row;
  return {
    id: row.id,
    at_ms: row.at_ms,
    actor: {
      ...(actor_token_id === null ? {} : { token_id: actor_token_id }),
      name: row.actor_name,
    },
    action: row.action,
    object: {
      kind: row.object_kind,
      id: row.object_id,
      ...(object_name === null ? {} : { name: object_name }),
    },
    changes: [...row.changes],
    ...(contact_id === null ? {} : { contact_id }),
    ...(request_id === null ? {} : { request_id }),
  };
}

function toPosition([atMs, sequence]: readonly unknown[]): ActivityPosition | undefined {
  if (!Number.isSafeInteger(atMs) || !Number.isSafeInteger(sequence)) return undefined;
  return { atMs: atMs as number, sequence: sequence as number };
}
