/** What stands beside the controls: the chosen parts, what is wrong with the filter, and the button that opens a sheet of controls. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Failure } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { isPresenting } from "../state/preferences.ts";
import { type AddressProblem, controlWords } from "../words/filters.ts";
import { hidePhones } from "../words/formats.ts";
import { listParts } from "./clauses.ts";
import { useEditedFilter } from "./edited-filter.ts";

interface ChosenPart {
  readonly id: string;
  readonly label: string;
  readonly text: string;
  readonly remove: () => void;
}

/** What is chosen, each part removable. A page that has other parts than those of the filter passes them. */
export function ChosenParts(props: {
  readonly parts?: readonly ChosenPart[];
  /** Undefined if there is nothing to clear. */
  readonly onClear?: (() => void) | undefined;
}) {
  const { filter, change } = useEditedFilter();
  const parts: readonly ChosenPart[] =
    props.parts ?? listParts(filter).map((part) => ({ ...part, remove: () => change(part.rest) }));
  const onClear = props.parts === undefined ? () => change({}) : props.onClear;
  const list = useRef<HTMLUListElement>(null);
  const noteRemoved = useFocusAfterRemoval(list);
  if (parts.length === 0) return null;
  return (
    <ul ref={list} class="chosen" aria-label={controlWords.chosen}>
      {parts.map(({ id, label, text, remove }, at) => (
        <li key={id}>
          <button
            type="button"
            class="chip"
            onClick={() => {
              noteRemoved(at);
              remove();
            }}
          >
            <span class="sr">{controlWords.remove} </span>
            <span class="faint">{label}</span>{" "}
            <bdi>{isPresenting.value ? hidePhones(text) : text}</bdi>
            <span aria-hidden="true">×</span>
          </button>
        </li>
      ))}
      {onClear === undefined ? null : (
        <li>
          <button type="button" class="quiet" onClick={onClear}>
            {controlWords.clear}
          </button>
        </li>
      )}
    </ul>
  );
}

/** Chips that depend on typed words come and go until the service has read the rest of them. */
const REMOVAL_MS = 2_000;

/** A chip that is removed hands the focus to the one in its place, the last one, or the field that searches. */
function useFocusAfterRemoval(list: {
  readonly current: HTMLElement | null;
}): (at: number) => void {
  const removed = useRef<{ readonly at: number; readonly untilMs: number } | undefined>(undefined);
  useLayoutEffect(() => {
    if (removed.current === undefined || document.activeElement !== document.body) return;
    const { at, untilMs } = removed.current;
    if (Date.now() > untilMs) return;
    const chips = [...(list.current?.querySelectorAll<HTMLElement>(".chip") ?? [])];
    const next = chips[Math.min(at, chips.length - 1)];
    (next ?? document.querySelector<HTMLElement>("main input[type=search]"))?.focus();
  });
  return (at) => {
    removed.current = { at, untilMs: Date.now() + REMOVAL_MS };
  };
}

/** What the address says and the page does not understand, what the service refuses, and what it ignores. */
export function ProblemList(props: {
  /** Of the address; the rest of it is used. */
  readonly problems: readonly AddressProblem[];
  /** Writes the address without them. */
  readonly onDismiss: () => void;
  readonly refusal: Failure | undefined;
  /** What the service ignores. */
  readonly warnings: readonly string[] | undefined;
}) {
  const { problems, refusal, warnings = [] } = props;
  return (
    <>
      {problems.length === 0 ? null : (
        <div class="problem filter-problem" role="alert">
          <p>{controlWords.problemTitle}</p>
          <ul>
            {problems.map((problem, at) => (
              <li key={at}>
                <bdi>{controlWords.problem(problem)}</bdi>
              </li>
            ))}
          </ul>
          <Button onPress={props.onDismiss}>{controlWords.dismissProblems}</Button>
        </div>
      )}
      {refusal?.kind === "refused" ? (
        <p class="problem filter-problem" role="alert">
          <bdi>{refusal.message}</bdi>
        </p>
      ) : null}
      {warnings.length === 0 ? null : (
        <p class="filter-problem notice">
          {controlWords.ignored} <bdi>{warnings.join("; ")}</bdi>
        </p>
      )}
    </>
  );
}

/** The controls where there is no room beside what they filter: a button that opens them over the page. */
export function FilterSheet(props: {
  /** How many parts of the filter are chosen. */
  readonly count: number;
  readonly done: string;
  readonly children: ComponentChildren;
}) {
  const isOpen = useSignal(false);
  const close = (): void => {
    isOpen.value = false;
  };
  return (
    <>
      <Button
        onPress={() => {
          isOpen.value = true;
        }}
      >
        {controlWords.filtersCount(props.count)}
      </Button>
      {isOpen.value ? (
        <Dialog label={controlWords.filters} class="sheet" onClose={close}>
          {props.children}
          <div class="sheet-foot">
            <Button isMain onPress={close}>
              {props.done}
            </Button>
          </div>
        </Dialog>
      ) : null}
    </>
  );
}

/** The member of the filter that the service refuses, and why: `filters.year.gte: must be integer` is about `year`. */
export function refusedMember(
  failure: Failure | undefined,
): { readonly member: string; readonly message: string } | undefined {
  if (failure?.kind !== "refused") return undefined;
  const found = /^filters\.([A-Za-z_]+)([^:]*): (.*)$/s.exec(failure.message);
  if (found === null) return undefined;
  const [, member = "", inner = "", reason = ""] = found;
  return { member, message: `${member}${inner}: ${reason}` };
}
