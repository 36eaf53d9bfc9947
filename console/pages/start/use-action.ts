import { type ReadonlySignal, useSignal } from "@preact/signals";
import { toFailure } from "../../api.ts";

interface Action {
  readonly isBusy: ReadonlySignal<boolean>;
  /** What the service said against it. */
  readonly problem: ReadonlySignal<string | undefined>;
  readonly run: (work: () => Promise<void>) => void;
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
