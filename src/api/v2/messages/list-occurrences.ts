import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { AppError } from "../../../base/errors.ts";
import { isUuid } from "../../../base/ids.ts";
import { parseCursor, toCursor, toQueryDigest } from "../../../db/page.ts";
import { dropNulls } from "../../../db/row.ts";
import { findCurrentMessageId } from "../../../messages/message-store.ts";
import {
  listOccurrences,
  type OccurrencePosition,
} from "../../../messages/occurrences/occurrence-store.ts";
import { listSessionLabels } from "../../../messages/session-store.ts";
import { cutPage, LIMIT_DEFAULT, NextCursor, PAGE_QUERY } from "../page-query.ts";
import {
  failures,
  Id,
  IdParam,
  Ms,
  named,
  OWN_DEADLINE,
  optional,
  type RouteContext,
  typed,
} from "../schemas.ts";

const Occurrence = Type.Object(
  {
    id: Id,
    group_id: Id,
    group_name: optional(Type.String()),
    sent_at_ms: Ms,
    session_labels: Type.Array(Type.String(), {
      description: "The sessions that reported the post.",
    }),
    has_media: Type.Boolean(),
    is_own: Type.Boolean(),
    is_edited: Type.Boolean(),
    is_revoked: Type.Boolean(),
  },
  { $id: "Occurrence", description: "One post of a canonical message." },
);

/** An extension of the contract: the posts that the summary of seed 4.5 counts. */
export function addListOccurrences(app: FastifyInstance, { read }: RouteContext): void {
  app.addSchema(Occurrence);
  const schema = {
    operationId: "listOccurrences",
    tags: ["Messages"],
    summary: "List the posts of one message",
    description: "Newest first. An id of a message from before a merge works too.",
    params: Type.Object({ canonical_message_id: IdParam("The canonical message's id.") }),
    querystring: Type.Object(PAGE_QUERY),
    response: {
      200: Type.Object({ items: Type.Array(named(Occurrence)), next_cursor: NextCursor }),
      ...failures(400, 401, 404),
    },
  };
  const url = "/v2/messages/:canonical_message_id/occurrences";
  typed(app).get(url, { schema, config: OWN_DEADLINE }, ({ params, query }) => {
    const { limit = LIMIT_DEFAULT, cursor } = query;
    return read(async (db) => {
      const id = await findCurrentMessageId(db, params.canonical_message_id);
      if (id === undefined) {
        throw new AppError("message_not_found", "there is no message with this id");
      }
      const digest = toQueryDigest(["occurrences", id]);
      const after = cursor === undefined ? undefined : parseCursor(cursor, digest, toPosition);
      const rows = await listOccurrences(db, id, {
        limit: limit + 1,
        ...(after === undefined ? {} : { after }),
      });
      const labels = await listSessionLabels(db);
      const { shown, last } = cutPage(rows, limit);
      const items = shown.map(({ session_ids, ...row }) => ({
        ...dropNulls(row),
        session_labels: [...new Set(session_ids.flatMap((id) => labels.get(id) ?? []))].toSorted(),
      }));
      if (last === undefined) return { items };
      return { items, next_cursor: toCursor(digest, [last.sent_at_ms, last.id]) };
    });
  });
}

function toPosition([sentAtMs, id]: readonly unknown[]): OccurrencePosition | undefined {
  if (!Number.isSafeInteger(sentAtMs) || typeof id !== "string" || !isUuid(id)) return undefined;
  return { sentAtMs: sentAtMs as number, id };
}
