import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import {
  type Alert,
  findAlert,
  listAlertStates,
  listAlerts,
  STATE_DAYS,
} from "../../../alerts/alert-store.ts";
import {
  listDeclaredAlerts,
  MUTED_FOREVER_MS,
  saveSystemAlertState,
} from "../../../alerts/alert-write-store.ts";
import { findTargetOf } from "../../../alerts/deliveries/target-store.ts";
import { AppError } from "../../../base/errors.ts";
import { deleteDeclaration, withoutRow } from "../../../manifest/apply-declarations.ts";
import { KINDS } from "../../../manifest/schema.ts";
import type { ObjectKind } from "../../../manifest/write-object.ts";
import { createAnswerCache } from "../../cache/answer-cache.ts";
import {
  addChangeObject,
  addCreateObject,
  addDeleteObject,
  addGetObject,
} from "../object-routes.ts";
import {
  Count,
  Filters,
  failures,
  Id,
  IdParam,
  Ms,
  named,
  OWN_DEADLINE,
  optional,
  type RouteContext,
} from "../schemas.ts";
import { patchOf } from "../writes.ts";

export const AlertParams = Type.Object({ alert_id: IdParam("The alert's id.") });

/** Seed 2.1. */
const AlertBody = Type.Object(
  {
    id: Id,
    name: Type.String(),
    enabled: Type.Boolean(),
    filters: Filters,
    strategy: Type.String({ description: "`market_filter` or `price_engine`." }),
    is_system: Type.Boolean(),
    created_at_ms: Ms,
    updated_at_ms: Ms,
    view_id: optional(Id),
    managed_by: optional(Type.String()),
    created_by: optional(Type.String()),
    updated_by: optional(Type.String()),
  },
  { $id: "Alert" },
);

const { id, name, enabled, strategy, filters, view_id } = KINDS.alerts.properties;

/** What a caller may write. */
const NewAlert = Type.Object(
  {
    id,
    name,
    enabled,
    strategy,
    filters: Type.Required(Type.Object({ filters })).properties.filters,
    view_id,
  },
  { additionalProperties: false },
);

const ALERTS = {
  kind: "alerts",
  noun: "alert",
  notFound: "alert_not_found",
  find: async (db, alertId) => {
    const found = await findAlert(db, alertId);
    if (found === undefined) return undefined;
    const { alert, createdHash } = found;
    const given = {
      name: alert.name,
      enabled: alert.enabled,
      strategy: alert.strategy,
      filters: alert.filters,
      ...(alert.view_id === undefined ? {} : { view_id: alert.view_id }),
      ...(alert.created_by === undefined ? {} : { created_by: alert.created_by }),
    };
    // An alert that nothing manages is not one that the API created.
    return { body: alert, given, managedBy: alert.managed_by ?? "manifest", createdHash };
  },
  complete: (given, { by }) => ({ created_by: by, ...given, updated_by: by }),
  changeAny: async (tx, { id: alertId, managedBy, patch, stamp }) => {
    const { enabled: isEnabled, ...others } = patch;
    const isState = typeof isEnabled === "boolean" && Object.keys(others).length === 0;
    if (managedBy !== "price_engine" || !isState) return false;
    await saveSystemAlertState(tx, { id: alertId, isEnabled }, stamp);
    return true;
  },
  remove: async (tx, alertId, stamp) => {
    const target = await findTargetOf(tx, alertId);
    if (target !== undefined) {
      throw new AppError("in_use", `the webhook target "${target}" names this alert`);
    }
    const [row] = await listDeclaredAlerts(tx, { ids: [alertId] });
    if (row !== undefined) await deleteDeclaration(tx, { alerts: withoutRow(row) }, stamp);
  },
} as const satisfies ObjectKind<Alert>;

const ROUTES = {
  kind: ALERTS,
  path: "/v2/alerts",
  idName: "alert_id",
  tags: ["Alerts"],
  operationNoun: "Alert",
  body: AlertBody,
};

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

/** Seed 4.1. */
export function addListAlerts(
  app: FastifyInstance,
  { db, feed, clock, ready }: RouteContext,
): void {
  const cache = createAnswerCache({ feed, clock, ready, topic: "alert" });
  app.addSchema(AlertBody);
  const schema = {
    operationId: "listAlerts",
    tags: ["Alerts"],
    summary: "List market alerts",
    description: "All alerts, newest first.",
    response: {
      200: Type.Object({ items: Type.Array(named(AlertBody)), total: Count }),
      ...failures(401),
    },
  };
  app.get("/v2/alerts", { schema, config: OWN_DEADLINE }, (request, reply) =>
    cache.send({ request, reply }, "all", async () => {
      const items = await listAlerts(db(request));
      return { body: { items, total: items.length } };
    }),
  );
}

/** The list of alerts adds the schema `Alert`. */
export function addWriteAlerts(app: FastifyInstance, context: RouteContext): void {
  addCreateObject(app, context, ROUTES, {
    given: NewAlert,
    description:
      "Alerts look forward only: it fires for listings and messages that arrive from now on. An alert on buys has the " +
      "strategy `price_engine`, and may name configurations in `filters.configuration_ids`.",
  });
  addGetObject(app, context, ROUTES);
  addChangeObject(app, context, ROUTES, {
    given: patchOf(NewAlert),
    description:
      "Nothing fires for listings that are already there. Of the alert of a configuration only `enabled` can be changed.",
  });
  addDeleteObject(app, context, ROUTES, {
    description:
      "Also deletes its matches. An alert that a webhook target names is not deleted (`in_use`).",
  });
}

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
  app.get("/v2/alerts/states", { schema, config: OWN_DEADLINE }, async (request) => {
    const items = await read(request, (db) => listAlertStates(db, clock.nowMs()));
    return { items, total: items.length };
  });
}
