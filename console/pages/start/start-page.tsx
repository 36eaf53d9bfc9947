import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useId, useRef } from "preact/hooks";
import { useLive } from "../../live/live.ts";
import type { LiveEvent } from "../../live/stream.ts";
import { Button } from "../../parts/button.tsx";
import { PageHeading, ScrollArea } from "../../parts/layout.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import { Tag } from "../../parts/table.tsx";
import { useLoad, useRefresh } from "../../state/load.ts";
import { canWrite } from "../../state/session.ts";
import { startWords } from "../../words/start.ts";
import { words } from "../../words/words.ts";
import { AlertStep, LiveStep, TargetStep } from "./alert-steps.tsx";
import { GatewayStep } from "./gateway-step.tsx";
import { MarketStep } from "./market-step.tsx";
import { ReferenceStep } from "./reference-step.tsx";
import {
  readStart,
  type StepId,
  type StepProps,
  type StepState,
  setSkipped,
  toSteps,
} from "./steps.ts";

const REFRESH_MS = 3_000;
const NEWS: readonly string[] = ["session.changed", "alert.changed", "reconnected"];
const TONES = { done: "good", open: "plain", skipped: "warn" } as const;
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

/** Nothing is left to do. What was skipped is named. */
function AllDone({ steps }: { readonly steps: readonly StepState[] }) {
  const skipped = steps.filter(({ status }) => status === "skipped");
  return (
    <div class="state all-done" role="status">
      <p class="state-title">{startWords.allDone}</p>
      <p class="soft">{startWords.allDoneHint}</p>
      {skipped.length === 0 ? null : (
        <p class="soft">{startWords.someSkipped(skipped.map(({ title }) => title).join(", "))}</p>
      )}
      <a class="button main" href="/">
        {startWords.toBuys}
      </a>
    </div>
  );
}

/** A step with its state. Folded, it says in one line what is there. */
function StepCard(props: {
  readonly number: number;
  readonly step: StepState;
  readonly isUnfolded: boolean;
  readonly onToggle: () => void;
  /** The reader is done with it, so the next one may unfold. */
  readonly onLeave: () => void;
  readonly children: ComponentChildren;
}) {
  const { step, isUnfolded } = props;
  const { id, title, status, summary } = step;
  const contentId = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  const wasUnfolded = useRef(isUnfolded);
  useEffect(() => {
    // The button that finished the step before is gone, and the focus with it.
    const isNew = isUnfolded && !wasUnfolded.current;
    if (isNew && document.activeElement === document.body) toggle.current?.focus();
    wasUnfolded.current = isUnfolded;
  }, [isUnfolded]);
  const skip = (isSkipped: boolean): void => {
    setSkipped(id, isSkipped);
    props.onLeave();
  };
  return (
    <li class={`step is-${status}`}>
      <h2>
        <button
          ref={toggle}
          type="button"
          class="step-toggle"
          aria-expanded={isUnfolded}
          aria-controls={contentId}
          onClick={props.onToggle}
        >
          <span>{startWords.stepOf(props.number, title)}</span>
          <span class="step-summary">
            <bdi>{summary}</bdi>
          </span>
          <Tag tone={TONES[status]}>{startWords[status]}</Tag>
        </button>
      </h2>
      <div id={contentId} class="step-content" hidden={!isUnfolded}>
        {isUnfolded ? props.children : null}
        {isUnfolded && status === "open" ? (
          <Button onPress={() => skip(true)}>{startWords.skip}</Button>
        ) : null}
        {isUnfolded && status === "skipped" ? (
          <Button onPress={() => skip(false)}>{startWords.unskip}</Button>
        ) : null}
      </div>
    </li>
  );
}
