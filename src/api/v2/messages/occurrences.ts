import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { isUuid } from "../../../base/ids.ts";
import { parseCursor, toCursor, toQueryDigest } from "../../../db/page.ts";
import { dropNulls } from "../../../db/row.ts";
import { findCurrentMessageId } from "../../../messages/message-store.ts";
import {
  type SessionLabels,
  summarizeOccurrences,
} from "../../../messages/occurrences/occurrence.ts";
import {
  findOccurrenceRollups,
  listOccurrences,
  type OccurrencePosition,
} from "../../../messages/occurrences/occurrence-store.ts";
import { listSessionLabels } from "../../../messages/session-store.ts";
import { createBatchedReads, createKeptRows } from "../../cache/kept-rows.ts";
import {
  Count,
  cutPage,
  failures,
  Id,
  LIMIT_DEFAULT,
  Ms,
  NextCursor,
  named,
  notFound,
  OWN_DEADLINE,
  optional,
  PAGE_QUERY,
  type RouteContext,
  typed,
} from "../schemas.ts";
import { MessageParams } from "./messages.ts";

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

const OccurrenceGroup = Type.Object(
  {
    group_id: Id,
    group_name: optional(Type.String()),
    occurrence_count: Count,
    first_seen_at_ms: Ms,
    last_seen_at_ms: Ms,
    session_labels: Type.Array(Type.String()),
    edited_count: Count,
    revoked_count: Count,
    media_count: Count,
  },
  { $id: "OccurrenceGroup" },
);

const OccurrenceDay = Type.Object(
  {
    day_start_ms: Ms,
    occurrence_count: Count,
    group_count: Count,
    latest_at_ms: Ms,
    groups: Type.Array(named(OccurrenceGroup)),
  },
  { $id: "OccurrenceDay", description: "A UTC day." },
);

const OccurrenceSummary = Type.Object(
  {
    total_count: Count,
    group_count: Count,
    session_count: Count,
    first_seen_at_ms: optional(Ms),
    last_seen_at_ms: optional(Ms),
    days: Type.Array(named(OccurrenceDay)),
  },
  { $id: "OccurrenceSummary" },
);

/** An extension of the contract: the posts that the summary of seed 4.5 counts. */
export function addListOccurrences(app: FastifyInstance, { read }: RouteContext): void {
  app.addSchema(Occurrence);
  const schema = {
    operationId: "listOccurrences",
    tags: ["Messages"],
    summary: "List the posts of one message",
    description: "Newest first. An id of a message from before a merge works too.",
    params: MessageParams,
    querystring: Type.Object(PAGE_QUERY),
    response: {
      200: Type.Object({ items: Type.Array(named(Occurrence)), next_cursor: NextCursor }),
      ...failures(400, 401, 404),
    },
  };
  const url = "/v2/messages/:canonical_message_id/occurrences";
  typed(app).get(url, { schema, config: OWN_DEADLINE }, (request) => {
    const { params, query } = request;
    const { limit = LIMIT_DEFAULT, cursor } = query;
    return read(request, async (db) => {
      const id = await findCurrentMessageId(db, params.canonical_message_id);
      if (id === undefined) throw notFound("message");
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

/** Seed 4.5. */
export function addGetOccurrenceSummary(app: FastifyInstance, context: RouteContext): void {
  const { forAll, feed } = context;
  const sessions = createKeptRows<SessionLabels>({
    feed,
    topic: "messaging_session",
    load: async () => new Map([["all", await listSessionLabels(forAll.db)]]),
  });
  const findRollups = createBatchedReads((ids) =>
    forAll.read((db) => findOccurrenceRollups(db, ids)),
  );
  app.addSchema(OccurrenceGroup);
  app.addSchema(OccurrenceDay);
  app.addSchema(OccurrenceSummary);
  const schema = {
    operationId: "getOccurrenceSummary",
    tags: ["Messages"],
    summary: "Summarize the occurrences of one canonical message",
    description: "Per UTC day of the message time, newest first, then per group.",
    params: MessageParams,
    response: { 200: named(OccurrenceSummary), ...failures(400, 401, 404) },
  };
  const url = "/v2/messages/:canonical_message_id/occurrences/summary";
  typed(app).get(url, { schema, config: OWN_DEADLINE }, async ({ params }) => {
    const rollups = await findRollups(params.canonical_message_id.toLowerCase());
    if (rollups === undefined) throw notFound("message");
    const labels = (await sessions.find(["all"])).get("all") ?? new Map();
    return summarizeOccurrences(rollups, labels);
  });
}

function toPosition([sentAtMs, id]: readonly unknown[]): OccurrencePosition | undefined {
  if (!Number.isSafeInteger(sentAtMs) || typeof id !== "string" || !isUuid(id)) return undefined;
  return { sentAtMs: sentAtMs as number, id };
}
