import { type DestinationStream, type Logger, pino } from "pino";

export type { Logger };
export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Logs go to standard error, one JSON object per line. Standard output is for the results of commands. */
export function createLogger(
  level: LogLevel,
  destination: DestinationStream = process.stderr,
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: toErrorFields },
      // No code should log these. This is a second line of defence.
      redact: ["authorization", "*.authorization", "password", "*.password", "token", "*.token"],
    },
    destination,
  );
}

interface ErrorFields {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: ErrorFields;
}

// Other members of an error are left out: a database error contains the row that it rejected.
function toErrorFields(error: unknown): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const code = (error as { code?: unknown }).code;
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === "string" ? { code } : {}),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(error.cause === undefined ? {} : { cause: toErrorFields(error.cause) }),
  };
}
