import { computed } from "@preact/signals";
import { isText, stored } from "../../state/stored.ts";
import { startWords } from "../../words/start.ts";
import type { StartState } from "./read-start.ts";

const STEP_IDS = ["gateway", "markets", "references", "alert", "target", "live"] as const;
export type StepId = (typeof STEP_IDS)[number];

export interface StepState {
  readonly id: StepId;
  readonly title: string;
  readonly status: "done" | "skipped" | "open";
  /** Of a step that is done: what is there, in a few words. */
  readonly summary: string;
}

/** What the reader does not want to do. The service cannot know it, so the browser does. */
const skippedText = stored("start-skipped", isText, "");
const skipped = computed(() => new Set(skippedText.value.split(" ")));
const NAMES_MAX = 3;

export function setSkipped(id: StepId, isSkipped: boolean): void {
  const others = STEP_IDS.filter((step) => step !== id && skipped.value.has(step));
  skippedText.value = [...others, ...(isSkipped ? [id] : [])].join(" ");
}

/** The steps in their order. What the service knows counts more than that a step was skipped. */
export function toSteps(state: StartState): readonly StepState[] {
  const summaries = summarize(state);
  return STEP_IDS.map((id) => {
    const summary = summaries[id];
    const rest = skipped.value.has(id) ? "skipped" : "open";
    const status = summary === undefined ? rest : "done";
    return { id, title: startWords.steps[id], status, summary: summary ?? "" };
  });
}

/** Undefined for a step that is not done. */
function summarize(state: StartState): Readonly<Record<StepId, string | undefined>> {
  const { sessions, sourceViews, configurationCount, alerts, targets, profiles } = state;
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
