import { type DestinationStream, type Logger, pino } from "pino";

export type { Logger };
export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Logs are for whoever runs Assay, so they go where progress goes: standard error, one JSON object a line. */
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
      // A second net below the rule that nobody logs these in the first place.
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

// An error's own enumerable members are left out: a database error carries the row that it refused.
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
