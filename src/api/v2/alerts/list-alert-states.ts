import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { listAlertStates, STATE_DAYS } from "../../../alerts/alert-store.ts";
import { MUTED_FOREVER_MS } from "../../../alerts/alert-write-store.ts";
import {
  Count,
  failures,
  Id,
  Ms,
  named,
  OWN_DEADLINE,
  optional,
  type RouteContext,
} from "../schemas.ts";

const MatchDay = Type.Object(
  { day_start_ms: Ms, match_count: Count },
  { $id: "MatchDay", description: "A UTC day." },
);

const AlertActivity = Type.Object(
  {
    alert_id: Id,
    total_count: Count,
    unseen_count: Count,
    last_matched_at_ms: optional(Ms),
    muted_until_ms: optional(
      Type.Integer({
        description: `Absent if the alert is not muted; ${MUTED_FOREVER_MS} if it is muted without an end.`,
      }),
    ),
    days: Type.Array(named(MatchDay)),
  },
  { $id: "AlertActivity", description: "How often an alert matched." },
);

/** An extension of the contract: one call for the list of alerts. */
export function addListAlertStates(app: FastifyInstance, { read, clock }: RouteContext): void {
  app.addSchema(MatchDay);
  app.addSchema(AlertActivity);
  const schema = {
    operationId: "listAlertStates",
    tags: ["Alerts"],
    summary: "List how often each alert matched",
    description:
      "All alerts, in the order of `GET /v2/alerts`. The counts include shadow matches. `days` has the UTC days with a match " +
      `of the last ${STATE_DAYS}, today included, oldest first.`,
    response: {
      200: Type.Object({ items: Type.Array(named(AlertActivity)), total: Count }),
      ...failures(401),
    },
  };
  app.get("/v2/alerts/states", { schema, config: OWN_DEADLINE }, async () => {
    const items = await read((db) => listAlertStates(db, clock.nowMs()));
    return { items, total: items.length };
  });
}
