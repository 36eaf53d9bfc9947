import type { FastifyInstance } from "fastify";
import {
  addChangeObject,
  addCreateObject,
  addDeleteObject,
  addGetObject,
} from "../object-routes.ts";
import type { RouteContext } from "../schemas.ts";
import { patchOf } from "../writes.ts";
import { ALERTS, AlertBody, NewAlert } from "./alert-object.ts";

const ROUTES = {
  kind: ALERTS,
  path: "/v2/alerts",
  idName: "alert_id",
  tags: ["Alerts"],
  operationNoun: "Alert",
  body: AlertBody,
};

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
