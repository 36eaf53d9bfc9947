/**
 * What a page reads from the service, with its state.
 *
 * `useLoad` calls `read` when the component appears and whenever a part of `key` changes, and aborts the call when either is
 * over. The old value stays while a new one is read, so nothing jumps. After a failure that passes by itself (no connection,
 * overload) it tries again, at first after a second, then less often.
 */
import { type ReadonlySignal, signal, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo } from "preact/hooks";
import { type Failure, isAbort, toFailure } from "../api.ts";
import { tellFailure } from "./toasts.ts";

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

/**
 * A list that the service returns page by page, and that grows when the reader asks for more.
 *
 * When it is read again, it reads as many rows as are shown, so that nothing the reader looks at goes away.
 */

interface Page<Row> {
  readonly items: readonly Row[];
  readonly next_cursor?: string;
}

interface Pages<Row> {
  readonly load: Load<Page<Row>>;
  readonly more: () => Promise<void>;
}

export function usePages<Row>(
  key: readonly unknown[],
  read: (cursor: { readonly cursor?: string }, signal?: AbortSignal) => Promise<Page<Row>>,
): Pages<Row> {
  const shown = useMemo(() => ({ count: 0 }), key);
  const load = useLoad(key, async (signal) => {
    let page = await read({}, signal);
    while (page.items.length < shown.count && page.next_cursor !== undefined) {
      page = append(page, await read({ cursor: page.next_cursor }, signal));
    }
    shown.count = page.items.length;
    return page;
  });
  const more = async (): Promise<void> => {
    const cursor = load.state.value.value?.next_cursor;
    if (cursor === undefined) return;
    try {
      const next = await read({ cursor });
      load.change((page) => (page.next_cursor === cursor ? append(page, next) : page));
      shown.count = load.state.value.value?.items.length ?? 0;
    } catch (error) {
      tellFailure(error);
    }
  };
  return { load, more };
}

function append<Row>(page: Page<Row>, next: Page<Row>): Page<Row> {
  return { ...next, items: [...page.items, ...next.items] };
}

/** Reads again every `everyMs` while the page can be seen, and at once when it can be seen again. */
export function useRefresh(reload: () => void, everyMs: number): void {
  useEffect(() => {
    const refresh = (): void => {
      if (!document.hidden) reload();
    };
    const timer = setInterval(refresh, everyMs);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, [reload, everyMs]);
}

/** The value once it has stayed the same for a while: what is typed is then asked for once. */
export function useSettled<Value>(value: Value, pauseMs: number): Value {
  const settled = useSignal(value);
  useEffect(() => {
    if (value === settled.peek()) return undefined;
    const timer = setTimeout(() => {
      settled.value = value;
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled.value;
}
