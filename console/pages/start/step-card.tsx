import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Tag } from "../../parts/tag.tsx";
import { startWords } from "../../words/start.ts";
import { type StepState, setSkipped } from "./steps.ts";

const TONES = { done: "good", open: "plain", skipped: "warn" } as const;

/** A step with its state. Folded, it says in one line what is there. */
export function StepCard(props: {
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
