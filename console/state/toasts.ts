/**
 * Short messages at the edge of the page, and actions that wait so that they can be undone.
 *
 * `doLater` shows a toast and runs the action after five seconds, unless it is undone. An action that waits when the page is
 * hidden or closed runs at once: the reader has seen the toast and left.
 */
import { signal } from "@preact/signals";
import { toFailure } from "../api.ts";
import { words } from "../words/words.ts";

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isBad: boolean;
  readonly undo?: () => void;
}

interface Waiting {
  readonly toastId: number;
  readonly timer: ReturnType<typeof setTimeout>;
  readonly run: () => void;
  readonly undo: () => void;
}

const UNDO_MS = 5_000;
const SHOWN_MS = 6_000;
const TOASTS_MAX = 4;
export const toasts = signal<readonly Toast[]>([]);
const waiting: Waiting[] = [];
let lastId = 0;

export function showToast(text: string, options: { readonly isBad?: boolean } = {}): void {
  const id = add({ text, isBad: options.isBad === true });
  setTimeout(() => dismissToast(id), SHOWN_MS);
}

/** Says in a toast what the service said, with the id by which its log has it. */
export function tellFailure(error: unknown): void {
  const { message, requestId } = toFailure(error);
  const id = requestId === undefined ? "" : ` (${words.states.requestId} ${requestId})`;
  showToast(`${message}${id}`, { isBad: true });
}

/** `undo` puts the page back as it was; nothing was sent yet. */
export function doLater(action: {
  readonly text: string;
  readonly run: () => void;
  readonly undo: () => void;
}): void {
  const toastId = add({ text: action.text, isBad: false, undo: () => undo(toastId) });
  const timer = setTimeout(() => finish(toastId, (entry) => entry.run()), UNDO_MS);
  waiting.push({ toastId, timer, run: action.run, undo: action.undo });
}

/** For what is done already: `undo` takes it back, for as long as an action would wait. */
export function offerUndo(text: string, undo: () => void): void {
  doLater({ text, run: () => undefined, undo });
}

/** Undoes the latest action that still waits. Returns false if there is none. */
export function undoLatest(): boolean {
  const latest = waiting.at(-1);
  if (latest !== undefined) undo(latest.toastId);
  return latest !== undefined;
}

export function dismissToast(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

function undo(toastId: number): void {
  finish(toastId, (entry) => entry.undo());
}

function finish(toastId: number, end: (entry: Waiting) => void): void {
  const at = waiting.findIndex((entry) => entry.toastId === toastId);
  const [entry] = at < 0 ? [] : waiting.splice(at, 1);
  if (entry === undefined) return;
  clearTimeout(entry.timer);
  dismissToast(toastId);
  end(entry);
}

function add(toast: Omit<Toast, "id">): number {
  lastId += 1;
  toasts.value = [...toasts.value, { ...toast, id: lastId }].slice(-TOASTS_MAX);
  return lastId;
}

function runAll(): void {
  for (const { toastId } of [...waiting]) finish(toastId, (entry) => entry.run());
}

addEventListener("pagehide", runAll);

document.addEventListener("visibilitychange", () => {
  if (document.hidden) runAll();
});
