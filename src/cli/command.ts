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
