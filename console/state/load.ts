/**
 * What a page reads from the service, with its state.
 *
 * `useLoad` calls `read` when the component appears and whenever a part of `key` changes, and aborts the call when either is
 * over. The old value stays while a new one is read, so nothing jumps. After a failure that passes by itself (no connection,
 * overload) it tries again, at first after a second, then less often.
 */
import { type ReadonlySignal, signal } from "@preact/signals";
import { useLayoutEffect, useMemo } from "preact/hooks";
import { type Failure, isAbort, toFailure } from "../api.ts";

interface Loaded<Value> {
  /** The latest value, also while a newer one is read or could not be read. */
  readonly value: Value | undefined;
  readonly failure: Failure | undefined;
  readonly isLoading: boolean;
}

export interface Load<Value> {
  readonly state: ReadonlySignal<Loaded<Value>>;
  /** Reads again, for example after an event. */
  readonly reload: () => void;
  /** Changes the value in place, for example when a row was marked as seen. */
  readonly change: (change: (value: Value) => Value) => void;
}

const RETRY_MIN_MS = 1_000;
const RETRY_MAX_MS = 15_000;

export function useLoad<Value>(
  key: readonly unknown[],
  read: (signal: AbortSignal) => Promise<Value>,
): Load<Value> {
  const loader = useMemo(() => createLoader<Value>(), []);
  // Not `useEffect`, which would ask only after the browser has painted the empty page.
  useLayoutEffect(() => loader.start(read), key);
  return loader;
}

function createLoader<Value>() {
  const state = signal<Loaded<Value>>({ value: undefined, failure: undefined, isLoading: true });
  let restart = (): void => undefined;
  const start = (read: (signal: AbortSignal) => Promise<Value>): (() => void) => {
    let running = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failureCount = 0;
    const run = async (): Promise<void> => {
      clearTimeout(timer);
      running.abort();
      running = new AbortController();
      const { signal } = running;
      if (!state.value.isLoading) state.value = { ...state.value, isLoading: true };
      try {
        const value = await read(signal);
        if (signal.aborted) return;
        failureCount = 0;
        state.value = { value, failure: undefined, isLoading: false };
      } catch (error) {
        if (signal.aborted || isAbort(error)) return;
        const failure = toFailure(error);
        state.value = { value: state.value.value, failure, isLoading: false };
        if (failure.kind !== "offline" && failure.kind !== "busy") return;
        const backOffMs = Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** failureCount);
        failureCount += 1;
        timer = setTimeout(restart, failure.retryAfterMs ?? backOffMs);
      }
    };
    restart = () => {
      run().catch(reportError);
    };
    restart();
    addEventListener("online", restart);
    return () => {
      removeEventListener("online", restart);
      clearTimeout(timer);
      running.abort();
    };
  };
  return {
    state,
    start,
    reload: () => restart(),
    change: (change: (value: Value) => Value) => {
      const { value } = state.value;
      if (value !== undefined) state.value = { ...state.value, value: change(value) };
    },
  };
}
