/** The first steps: what the service knows about the set-up, and which of the steps that leaves. */
import { computed, type ReadonlySignal, useSignal } from "@preact/signals";
import type {
  Alert,
  OperationsFinding,
  Profile,
  Session,
  View,
  WebhookTarget,
} from "../../../client/assay-client.ts";
import { api, toFailure } from "../../api.ts";
import { isText, stored } from "../../state/preferences.ts";
import { canWrite } from "../../state/session.ts";
import { startWords } from "../../words/start.ts";

const STEP_IDS = ["gateway", "markets", "references", "alert", "target", "live"] as const;
export type StepId = (typeof STEP_IDS)[number];

export interface StepState {
  readonly id: StepId;
  readonly title: string;
  readonly status: "done" | "skipped" | "open";
  /** Of a step that is done: what is there, in a few words. */
  readonly summary: string;
}

/** What the service knows about the set-up. Nothing of it is kept in the browser. */
interface StartState {
  /** Sessions of which an event was received. */
  readonly sessions: readonly Session[];
  /** What the checks say about events of the gateway. */
  readonly findings: readonly OperationsFinding[];
  readonly sourceViews: readonly View[];
  readonly profiles: readonly Profile[];
  readonly configurationCount: number;
  /** Those that a person made, and that are on. */
  readonly alerts: readonly Alert[];
  /** Undefined for someone who may not read them. */
  readonly targets: readonly WebhookTarget[] | undefined;
}

/** What the content of a step gets. */
export interface StepProps {
  readonly state: StartState;
  /** Reads again what the service knows, after something was created. */
  readonly onChanged: () => void;
}

interface Action {
  readonly isBusy: ReadonlySignal<boolean>;
  /** What the service said against it. */
  readonly problem: ReadonlySignal<string | undefined>;
  readonly run: (work: () => Promise<void>) => void;
}

const ROWS_MAX = 200;
const EVENT_CHECKS = ["events", "refused_events"];
const NAMES_MAX = 3;
/** What the reader does not want to do. The service cannot know it, so the browser does. */
const skippedText = stored("start-skipped", isText, "");
const skipped = computed(() => new Set(skippedText.value.split(" ")));

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
      canWrite.value ? api.listWebhookTargets(all, { signal }) : undefined,
    ]);
  return {
    sessions: sessions.items.filter(({ last_activity_at_ms }) => last_activity_at_ms !== undefined),
    findings: operations.findings.filter(({ check }) => EVENT_CHECKS.includes(check)),
    sourceViews: views.items.filter(({ source_market }) => source_market !== undefined),
    profiles: profiles.items,
    configurationCount: configurations.total,
    alerts: alerts.items.filter(({ is_system, enabled }) => !is_system && enabled),
    targets: targets?.items,
  };
}

/** The steps in their order. What the service knows counts more than that a step was skipped. */
export function toSteps(state: StartState): readonly StepState[] {
  const summaries = summarize(state);
  const ids = STEP_IDS.filter((id) => id !== "target" || state.targets !== undefined);
  return ids.map((id) => {
    const summary = summaries[id];
    const rest = skipped.value.has(id) ? "skipped" : "open";
    const status = summary === undefined ? rest : "done";
    return { id, title: startWords.steps[id], status, summary: summary ?? "" };
  });
}

export function setSkipped(id: StepId, isSkipped: boolean): void {
  const others = STEP_IDS.filter((step) => step !== id && skipped.value.has(step));
  skippedText.value = [...others, ...(isSkipped ? [id] : [])].join(" ");
}

/** Something that a step does at the service, once at a time. */
export function useAction(): Action {
  const isBusy = useSignal(false);
  const problem = useSignal<string | undefined>(undefined);
  const run = async (work: () => Promise<void>): Promise<void> => {
    if (isBusy.value) return;
    isBusy.value = true;
    problem.value = undefined;
    try {
      await work();
    } catch (error) {
      problem.value = toFailure(error).message;
    }
    isBusy.value = false;
  };
  return { isBusy, problem, run: (work) => void run(work) };
}

/** Undefined for a step that is not done. */
function summarize(state: StartState): Readonly<Record<StepId, string | undefined>> {
  const { sessions, sourceViews, configurationCount, alerts, targets = [], profiles } = state;
  const markets = new Set(sourceViews.map(({ source_market }) => source_market));
  const live = profiles.filter(({ status }) => status === "live");
  return {
    gateway: sessions.length === 0 ? undefined : startWords.gateway.done(sessions.length),
    markets: markets.size < 2 ? undefined : startWords.markets.done(listNames(sourceViews)),
    references:
      configurationCount === 0 ? undefined : startWords.references.done(configurationCount),
    alert: alerts.length === 0 ? undefined : startWords.alert.done(listNames(alerts)),
    target: targets.length === 0 ? undefined : startWords.target.done(listNames(targets)),
    live: live.length === 0 ? undefined : startWords.live.done(listNames(live)),
  };
}

function listNames(items: readonly { readonly name: string }[]): string {
  const shown = items.slice(0, NAMES_MAX).map(({ name }) => name);
  const rest = items.length - shown.length;
  return `${shown.join(", ")}${rest === 0 ? "" : startWords.alert.more(rest)}`;
}
