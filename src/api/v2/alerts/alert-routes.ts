import type { FastifyInstance } from "fastify";
import { addListAlertMatches } from "./list-alert-matches.ts";
import { addListAlertStates } from "./list-alert-states.ts";
import { addListAlerts } from "./list-alerts.ts";
import { addListWatchMatches } from "./list-watch-matches.ts";
import { addMarkMatchesSeen, addMarkMatchSeen } from "./mark-matches-seen.ts";
import { addMuteAlert, addUnmuteAlert } from "./mute-alerts.ts";
import { addChangeAlert, addCreateAlert, addDeleteAlert, addGetAlert } from "./write-alerts.ts";
import { addPreviewAlert, type PreviewContext } from "./preview-alert.ts";

export function addAlertRoutes(app: FastifyInstance, context: PreviewContext): void {
  addListAlerts(app, context);
  addCreateAlert(app, context);
  addGetAlert(app, context);
  addChangeAlert(app, context);
  addDeleteAlert(app, context);
  addMuteAlert(app, context);
  addUnmuteAlert(app, context);
  addListAlertMatches(app, context);
  addListAlertStates(app, context);
  addListWatchMatches(app, context);
  addPreviewAlert(app, context);
  addMarkMatchSeen(app, context);
  addMarkMatchesSeen(app, context);
}
