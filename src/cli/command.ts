/** What a command may touch of the process: data goes to `out`, progress and problems to `err`. */
export interface Terminal {
  readonly in: NodeJS.ReadableStream;
  readonly out: NodeJS.WritableStream;
  readonly err: NodeJS.WritableStream;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether `err` is a person's screen: progress bars and colours only then. */
  readonly isInteractive: boolean;
}

export interface Command {
  /** One line for the list of commands. */
  readonly summary: string;
  /** The whole help page: usage, options, an example. */
  readonly help: string;
  /** Gives the exit code: 0 done, 1 failed. */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}

/** The words of the call are wrong: exit code 2 and a pointer to `--help`. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}
