import type { FastifyInstance } from "fastify";
import type { RouteContext } from "../schemas.ts";
import { addListAlertMatches } from "./list-alert-matches.ts";
import { addListAlertStates } from "./list-alert-states.ts";
import { addListAlerts } from "./list-alerts.ts";
import { addListWatchMatches } from "./list-watch-matches.ts";
import { addMarkMatchesSeen, addMarkMatchSeen } from "./mark-matches-seen.ts";
import { addMuteAlert, addUnmuteAlert } from "./mute-alerts.ts";
import { addPreviewAlert } from "./preview-alert.ts";
import { addWriteAlerts } from "./write-alerts.ts";

export function addAlertRoutes(app: FastifyInstance, context: RouteContext): void {
  addListAlerts(app, context);
  addWriteAlerts(app, context);
  addMuteAlert(app, context);
  addUnmuteAlert(app, context);
  addListAlertMatches(app, context);
  addListAlertStates(app, context);
  addListWatchMatches(app, context);
  addPreviewAlert(app, context);
  addMarkMatchSeen(app, context);
  addMarkMatchesSeen(app, context);
}
