/**
 * What a page reads from the service, with its state.
 *
 * `useLoad` calls `read` when the component appears and whenever a part of `key` changes, and aborts the call when either is
 * over. The old value stays while a new one is read, so nothing jumps. After a failure that passes by itself (no connection,
 * overload) it tries again, at first after a second, then less often.
 *
 * `usePages` does the same for a list that the service returns page by page, and that grows when the reader asks for more.
 */
import { type ReadonlySignal, signal, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { type Failure, isAbort, toFailure } from "../api.ts";
import { tellFailure } from "./toasts.ts";

type Read<Value> = (signal: AbortSignal) => Promise<Value>;

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

/** Which page: the first one if it is empty. */
export interface Cursor {
  readonly cursor?: string;
}

interface Page {
  readonly items: readonly unknown[];
  readonly next_cursor?: string;
}

interface PagesOptions<Found> {
  /** How the next page joins the rows that are shown. Its rows follow them, unless told otherwise. */
  readonly join?: (shown: Found, next: Found) => Found;
  /**
   * True if the list begins anew when it is read again. Otherwise as many rows are read as are shown, so that nothing the
   * reader looks at goes away.
   */
  readonly isRenewed?: boolean;
}

interface Pages<Found> {
  readonly load: Load<Found>;
  /** Reads the next page. A toast says what went wrong. */
  readonly more: () => void;
}

interface Attempts {
  /** Begins a call, and aborts the one before it. */
  readonly begin: <Value>(call: {
    readonly read: Read<Value>;
    readonly done: (value: Value) => void;
    readonly failed: (failure: Failure) => void;
  }) => void;
  readonly stop: () => void;
}

const RETRY_MIN_MS = 1_000;
const RETRY_MAX_MS = 15_000;
/** What is typed counts when the reader pauses this long. */
export const TYPING_PAUSE_MS = 250;

export function useLoad<Value>(key: readonly unknown[], read: Read<Value>): Load<Value> {
  const loader = useMemo(() => createLoader<Value>(), []);
  // Not `useEffect`, which would ask only after the browser has painted the empty page.
  useLayoutEffect(() => loader.start(read), key);
  return loader;
}

export function usePages<Found extends Page>(
  key: readonly unknown[],
  read: (cursor: Cursor, options: { readonly signal?: AbortSignal }) => Promise<Found>,
  { join = append, isRenewed = false }: PagesOptions<Found> = {},
): Pages<Found> {
  const shown = useMemo(() => ({ count: 0 }), key);
  const load = useLoad(key, async (signal) => {
    let page = await read({}, { signal });
    while (!isRenewed && page.items.length < shown.count && page.next_cursor !== undefined) {
      page = join(page, await read({ cursor: page.next_cursor }, { signal }));
    }
    shown.count = page.items.length;
    return page;
  });
  const readMore = async (): Promise<void> => {
    const cursor = load.state.peek().value?.next_cursor;
    if (cursor === undefined) return;
    const next = await read({ cursor }, {});
    load.change((page) => (page.next_cursor === cursor ? join(page, next) : page));
    shown.count = load.state.peek().value?.items.length ?? 0;
  };
  return { load, more: () => void readMore().catch(tellFailure) };
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

/** The value once it has stayed the same for a while, so that each is asked for once. After none, one counts at once. */
export function useSettled<Value>(value: Value, pauseMs: number): Value {
  const settled = useSignal(value);
  useEffect(() => {
    if (settled.peek() === undefined) settled.value = value;
    if (value === settled.peek()) return undefined;
    const timer = setTimeout(() => {
      settled.value = value;
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled.value;
}

/** True once the component has left the page, for calls that end later: they must not change what the page shows then. */
export function useIsGone(): { readonly current: boolean } {
  const isGone = useRef(false);
  useEffect(
    () => () => {
      isGone.current = true;
    },
    [],
  );
  return isGone;
}

/** What went wrong with the call of a form. Once the form has left the page, a toast says it. */
export function useProblem() {
  const problem = useSignal<string | undefined>(undefined);
  const isGone = useIsGone();
  const fail = (error: unknown): void => {
    if (isGone.current) tellFailure(error);
    else problem.value = toFailure(error).message;
  };
  return { problem, fail, isGone };
}

/** Calls of the service, one at a time. After a failure that passes by itself, `again` is called: sooner at first. */
export function createAttempts(again: () => void): Attempts {
  let running = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failureCount = 0;
  const stop = (): void => {
    clearTimeout(timer);
    running.abort();
  };
  const fail = (failure: Failure): void => {
    if (failure.kind !== "offline" && failure.kind !== "busy") return;
    const backOffMs = Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** failureCount);
    failureCount += 1;
    timer = setTimeout(again, failure.retryAfterMs ?? backOffMs);
  };
  const begin: Attempts["begin"] = ({ read, done, failed }) => {
    stop();
    running = new AbortController();
    const { signal } = running;
    const run = async (): Promise<void> => {
      try {
        const value = await read(signal);
        if (signal.aborted) return;
        failureCount = 0;
        done(value);
      } catch (error) {
        if (signal.aborted || isAbort(error)) return;
        const failure = toFailure(error);
        failed(failure);
        fail(failure);
      }
    };
    run().catch(reportError);
  };
  return { begin, stop };
}

function createLoader<Value>() {
  const state = signal<Loaded<Value>>({ value: undefined, failure: undefined, isLoading: true });
  let restart = (): void => undefined;
  const start = (read: Read<Value>): (() => void) => {
    const attempts = createAttempts(() => restart());
    restart = () => {
      if (!state.value.isLoading) state.value = { ...state.value, isLoading: true };
      attempts.begin({
        read,
        done: (value) => {
          state.value = { value, failure: undefined, isLoading: false };
        },
        failed: (failure) => {
          state.value = { value: state.value.value, failure, isLoading: false };
        },
      });
    };
    restart();
    // What is shown stays: a list that is read anew could lose the row on which the reader works. Events say what has changed.
    const onOnline = (): void => {
      if (state.peek().value === undefined || state.peek().failure !== undefined) restart();
    };
    addEventListener("online", onOnline);
    return () => {
      removeEventListener("online", onOnline);
      attempts.stop();
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

function append<Found extends Page>(page: Found, next: Found): Found {
  return { ...next, items: [...page.items, ...next.items] };
}
