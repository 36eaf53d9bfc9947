import type {
  Alert,
  OperationsFinding,
  Profile,
  Session,
  View,
  WebhookTarget,
} from "../../../client/assay-client.ts";
import { api } from "../../api.ts";

/** What the service knows about the set-up. Nothing of it is kept in the browser. */
export interface StartState {
  /** Sessions of which an event was received. */
  readonly sessions: readonly Session[];
  /** What the checks say about events of the gateway. */
  readonly findings: readonly OperationsFinding[];
  readonly sourceViews: readonly View[];
  readonly profiles: readonly Profile[];
  readonly configurationCount: number;
  /** Those that a person made, and that are on. */
  readonly alerts: readonly Alert[];
  readonly targets: readonly WebhookTarget[];
}

/** What the content of a step gets. */
export interface StepProps {
  readonly state: StartState;
  /** Reads again what the service knows, after something was created. */
  readonly onChanged: () => void;
}

const ROWS_MAX = 200;
const EVENT_CHECKS = ["events", "refused_events"];

export async function readStart(signal: AbortSignal): Promise<StartState> {
  const all = { limit: ROWS_MAX };
  const [sessions, operations, views, profiles, configurations, alerts, targets] =
    await Promise.all([
      api.listSessions({}, { signal }),
      api.getOperations({}, { signal }),
      api.listViews(all, { signal }),
      api.listProfiles(all, { signal }),
      api.listConfigurations({ limit: 1 }, { signal }),
      api.listAlerts({}, { signal }),
      api.listWebhookTargets(all, { signal }),
    ]);
  return {
    sessions: sessions.items.filter(({ last_activity_at_ms }) => last_activity_at_ms !== undefined),
    findings: operations.findings.filter(({ check }) => EVENT_CHECKS.includes(check)),
    sourceViews: views.items.filter(({ source_market }) => source_market !== undefined),
    profiles: profiles.items,
    configurationCount: configurations.total,
    alerts: alerts.items.filter(({ is_system, enabled }) => !is_system && enabled),
    targets: targets.items,
  };
}
