import type { FastifyInstance } from "fastify";
import type { RouteContext } from "../schemas.ts";
import { addListAlertMatches } from "./list-alert-matches.ts";
import { addListAlertStates } from "./list-alert-states.ts";
import { addListAlerts } from "./list-alerts.ts";
import { addListWatchMatches } from "./list-watch-matches.ts";
import { addMarkMatchesSeen, addMarkMatchSeen } from "./mark-matches-seen.ts";

export function addAlertRoutes(app: FastifyInstance, context: RouteContext): void {
  addListAlerts(app, context);
  addListAlertMatches(app, context);
  addListAlertStates(app, context);
  addListWatchMatches(app, context);
  addMarkMatchSeen(app, context);
  addMarkMatchesSeen(app, context);
}
