/** What a command is, and how it reads arguments and speaks at the terminal. */
import { OperatorError } from "../base/errors.ts";

/** The parts of the process that a command may use. Results go to `out`, progress and problems to `err`. */
export interface Terminal {
  readonly in: NodeJS.ReadableStream;
  readonly out: NodeJS.WritableStream;
  readonly err: NodeJS.WritableStream;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** True if `err` is a terminal. Only then may a command redraw a line or use colours. */
  readonly isInteractive: boolean;
}

export interface Command {
  /** One line for the list of commands. */
  readonly summary: string;
  /** The whole help page: usage, options, an example. */
  readonly help: string;
  /** Returns the exit code: 0 for success, 1 for failure. */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}

/** The arguments are wrong. The command exits with 2 and points to `--help`. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

/** How many items a command lists at most. */
export const LIST_MAX = 10_000;

/** Parses the value of `--limit`. */
export function parseLimit(text: string): number {
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= LIST_MAX) return limit;
  throw new UsageError(`--limit must be a number from 1 to ${LIST_MAX}`);
}

/** Returns the error to throw if a file cannot be read. An error of our own stays. */
export function explainRead(file: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  return code === undefined ? error : new OperatorError(`cannot read ${file} (${code})`, error);
}

/** Returns for example `2026-11-16 09:30`, in UTC. */
export function toMinute(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 16).replace("T", " ");
}

/**
 * A text of a dealer or a colleague on one line, without what a terminal would obey: escape sequences, and marks that turn the
 * direction of what follows.
 */
export function toLine(text: string): string {
  return text.replaceAll(
    /[\p{Control}\p{Bidi_Control}\p{Line_Separator}\p{Paragraph_Separator}]+/gu,
    " ",
  );
}

/** Formats rows as a table. Columns are as wide as their widest cell, with two spaces between them. */
export function formatTable(texts: readonly (readonly string[])[]): string {
  const rows = texts.map((cells) => cells.map(toLine));
  const widths = rows.reduce<number[]>(
    (known, row) => row.map((cell, at) => Math.max(known[at] ?? 0, cell.length)),
    [],
  );
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

interface Progress {
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
