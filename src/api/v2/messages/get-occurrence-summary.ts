import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { AppError } from "../../../base/errors.ts";
import {
  type SessionLabels,
  summarizeOccurrences,
} from "../../../messages/occurrences/occurrence.ts";
import { findOccurrenceRollups } from "../../../messages/occurrences/occurrence-store.ts";
import { listSessionLabels } from "../../../messages/session-store.ts";
import { createBatchedReads } from "../../cache/batched-reads.ts";
import { createKeptRows } from "../../cache/kept-rows.ts";
import {
  Count,
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

/** Seed 4.5. */
export function addGetOccurrenceSummary(app: FastifyInstance, context: RouteContext): void {
  const { db, read, feed } = context;
  const sessions = createKeptRows<SessionLabels>({
    feed,
    topic: "messaging_session",
    load: async () => new Map([["all", await listSessionLabels(db)]]),
  });
  const findRollups = createBatchedReads((ids) => read((db) => findOccurrenceRollups(db, ids)));
  app.addSchema(OccurrenceGroup);
  app.addSchema(OccurrenceDay);
  app.addSchema(OccurrenceSummary);
  const schema = {
    operationId: "getOccurrenceSummary",
    tags: ["Messages"],
    summary: "Summarize the occurrences of one canonical message",
    description: "Per UTC day of the message time, newest first, then per group.",
    params: Type.Object({ canonical_message_id: IdParam("The canonical message's id.") }),
    response: { 200: named(OccurrenceSummary), ...failures(400, 401, 404) },
  };
  const url = "/v2/messages/:canonical_message_id/occurrences/summary";
  typed(app).get(url, { schema, config: OWN_DEADLINE }, async ({ params }) => {
    const rollups = await findRollups(params.canonical_message_id.toLowerCase());
    if (rollups === undefined) {
      throw new AppError("message_not_found", "there is no message with this id");
    }
    const labels = (await sessions.find(["all"])).get("all") ?? new Map();
    return summarizeOccurrences(rollups, labels);
  });
}
