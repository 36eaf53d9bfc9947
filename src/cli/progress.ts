import type { Terminal } from "./command.ts";

export interface Progress {
  add(count: number): void;
  /** Ends the line. Returns the total count and the duration. */
  finish(): { readonly count: number; readonly seconds: number };
}

const REDRAW_MS = 200;
const LINE_MS = 10_000;

/** Shows a count. Redraws one line on a terminal, and writes a line every ten seconds elsewhere. */
export function startProgress(terminal: Terminal, what: string): Progress {
  const startedAtMs = performance.now();
  const state = { count: 0, drawnAtMs: startedAtMs };
  const draw = (end: string): void => {
    const seconds = (performance.now() - startedAtMs) / 1000;
    const rate = Math.round(state.count / Math.max(seconds, 0.001));
    const start = terminal.isInteractive ? "\r\u001b[2K" : "";
    terminal.err.write(`${start}${state.count} ${what}, ${rate}/s${end}`);
    state.drawnAtMs = performance.now();
  };
  return {
    add: (count) => {
      state.count += count;
      const waitMs = terminal.isInteractive ? REDRAW_MS : LINE_MS;
      if (performance.now() - state.drawnAtMs >= waitMs) draw(terminal.isInteractive ? "" : "\n");
    },
    finish: () => {
      draw("\n");
      return { count: state.count, seconds: (performance.now() - startedAtMs) / 1000 };
    },
  };
}
