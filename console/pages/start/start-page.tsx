import { useSignal } from "@preact/signals";
import { useCallback } from "preact/hooks";
import { useLive } from "../../live/live.ts";
import type { LiveEvent } from "../../live/protocol.ts";
import { PageHeading } from "../../parts/page-heading.tsx";
import { ScrollArea } from "../../parts/scroll-area.tsx";
import { WhenLoaded } from "../../parts/when-loaded.tsx";
import { useLoad } from "../../state/load.ts";
import { useRefresh } from "../../state/refresh.ts";
import { canWrite } from "../../state/session.ts";
import { startWords } from "../../words/start.ts";
import { words } from "../../words/words.ts";
import { AlertStep } from "./alert-step.tsx";
import { AllDone } from "./all-done.tsx";
import { GatewayStep } from "./gateway-step.tsx";
import { LiveStep } from "./live-step.tsx";
import { MarketStep } from "./market-step.tsx";
import { readStart, type StepProps } from "./read-start.ts";
import { ReferenceStep } from "./reference-step.tsx";
import { StepCard } from "./step-card.tsx";
import { type StepId, toSteps } from "./steps.ts";
import { TargetStep } from "./target-step.tsx";

const REFRESH_MS = 3_000;
const NEWS: readonly string[] = ["session.changed", "alert.changed", "reconnected"];

const CONTENTS = {
  gateway: GatewayStep,
  markets: MarketStep,
  references: ReferenceStep,
  alert: AlertStep,
  target: TargetStep,
  live: LiveStep,
} as const;

/** From an empty store to the first buy. */
export function StartPage() {
  const load = useLoad([], readStart);
  useRefresh(load.reload, REFRESH_MS);
  useLive(
    useCallback((events: readonly LiveEvent[]) => {
      if (events.some(({ event }) => NEWS.includes(event))) load.reload();
    }, []),
  );
  return (
    <ScrollArea name="start" label={words.pages.start}>
      <div class="page start">
        <PageHeading title={words.pages.start} />
        <p class="soft">{startWords.intro}</p>
        {canWrite.value ? null : <p class="notice">{startWords.readOnly}</p>}
        <WhenLoaded load={load}>
          {(state) => <Steps state={state} onChanged={load.reload} />}
        </WhenLoaded>
      </div>
    </ScrollArea>
  );
}

/** The first step that is open is unfolded, unless the reader chose another one. */
function Steps({ state, onChanged }: StepProps) {
  const chosen = useSignal<StepId | "none" | undefined>(undefined);
  const steps = toSteps(state);
  const next = steps.find(({ status }) => status === "open")?.id;
  const unfolded = chosen.value ?? next;
  return (
    <>
      {next === undefined ? <AllDone steps={steps} /> : null}
      <ol class="step-list">
        {steps.map((step, at) => {
          const Content = CONTENTS[step.id];
          return (
            <StepCard
              key={step.id}
              number={at + 1}
              step={step}
              isUnfolded={unfolded === step.id}
              onToggle={() => {
                chosen.value = unfolded === step.id ? "none" : step.id;
              }}
              onLeave={() => {
                chosen.value = undefined;
              }}
            >
              <Content
                state={state}
                onChanged={() => {
                  chosen.value = undefined;
                  onChanged();
                }}
              />
            </StepCard>
          );
        })}
      </ol>
    </>
  );
}
